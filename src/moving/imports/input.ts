import type { ImportField, Mapping } from "./formats/fields.ts";
import type { Layout } from "./formats/file.ts";
import type { Source } from "./formats/sources.ts";
import type { LinkDefaults } from "../../platform/auth/principal.ts";

/** Where the links of a host go: to the default domain, to a domain of the account, or nowhere. */
export type DomainChoice = "default" | "skip" | (string & {});

/** What a person chooses about an import. */
export interface ImportChoices {
  /** The field of a column; null: it is not imported. Other columns keep the fields that they were recognised by. */
  mapping: Record<string, ImportField | null>;
  /** For all hosts that are not the account's, or by host. */
  domains: DomainChoice | Record<string, DomainChoice>;
  dead: "skip" | "disable";
  taken: "skip" | "rename";
  events: boolean;
}

/** The input of an import's job. */
export interface ImportInput {
  source: Source | "auto";
  layout: Layout;
  choices: ImportChoices;
  /** The defaults of the account when the file was uploaded. `domain` is as it is stored. */
  defaults: { domain: string; redirectStatus: LinkDefaults["redirectStatus"] | null };
}

export const DEFAULT_CHOICES: ImportChoices = {
  mapping: {},
  domains: "default",
  dead: "skip",
  taken: "skip",
  events: false,
};

export function parseInput(json: string): ImportInput {
  return JSON.parse(json) as ImportInput;
}

/** What is known of a file once all of it is read. */
export interface FileSummary {
  source: Source;
  columns: string[];
  /** The first row of a CSV file as it is, at most {@link IMPORT_HEAD_BYTES}; null: of JSON. */
  header: string | null;
  rows: number;
  /** Whether texts that spreadsheets would run as formulas have an apostrophe in front. */
  hasFormulaEscapes: boolean;
}

/** The problems that an import counts, with what happens to a link that has one. */
export const PROBLEMS = {
  invalid_url: "The destination is no URL that links may have. The link is not imported.",
  invalid_slug: "The slug has characters that links cannot have, or too many. The link is not imported.",
  invalid: "Another field cannot be imported. The link is not imported.",
  unknown_word:
    "The word in a column of yes and no is neither, in no language that is known. The link is not imported.",
  taken_in: "A quotation mark that is not closed takes in the rows below. These links are not imported.",
  repeated_key: "An object of JSON has a key more than once. The link is not imported.",
  pattern: "The slug is a pattern of many short URLs. The link is skipped.",
  taken: "The slug is taken, also by an alias, or it is reserved. The link is skipped, or gets another slug.",
  repeated: "An earlier row has the same slug. As `taken`.",
  differs_in_case: "The slug of an earlier row differs only in case, which short URLs ignore. As `taken`.",
  foreign_domain:
    "The short URL is at a domain that is not the account's. The link goes to the chosen domain, or is skipped.",
  new_tag: "The account has no such tag yet. It is created.",
  password: "The link has a password, which cannot come along. It is imported without one.",
  dead: "The old service has deleted or banned the link. It is skipped, or imported as disabled.",
  alias: "Another slug of the link cannot be its alias. The link is imported without it.",
  shortened: "A text is too long. Its end is cut off.",
  unreadable_time: "The time of creation cannot be read. The link gets the time of the import.",
  unreadable_clicks: "The number of clicks cannot be read. The link gets 0.",
  unknown_status: "The word for the state of the link is not known. The link is imported as active.",
  unused_slugs:
    "A column has values that look like slugs, and is not imported. The links get new slugs, or lose these ones.",
} as const;
export type ProblemKind = keyof typeof PROBLEMS;

export interface Problem {
  kind: ProblemKind;
  count: number;
  /** The first row that has it. */
  line: number;
  /** What it is in that row, such as the slug. */
  example: string;
}

/** What becomes of the rows of a file. Together they are all rows. */
export interface RowCounts {
  created: number;
  skipped: number;
  failed: number;
}

/** What is shown of a file before the import is started. */
export interface ImportDetails extends Omit<FileSummary, "hasFormulaEscapes"> {
  mapping: Mapping;
  sample: { line: number; cells: string[] }[];
  problems: Problem[];
  expected: RowCounts;
  /** The hosts of the short URLs, those with the most links first. `domain` is where they go, as stored; null: nowhere. */
  hosts: { host: string; links: number; domain: string | null }[];
}

export function parseDetails(json: string | null): ImportDetails | null {
  return json === null ? null : (JSON.parse(json) as ImportDetails);
}

/** The column of each field: as it was recognised, with the changes of a person. */
export function applyMapping(guessed: Mapping, changes: ImportChoices["mapping"]): Mapping {
  const mapping: Mapping = { ...guessed };
  for (const [column, field] of Object.entries(changes)) {
    for (const [other, taken] of Object.entries(mapping)) if (taken === column) delete mapping[other as ImportField];
    if (field !== null) mapping[field] = column;
  }
  return mapping;
}
