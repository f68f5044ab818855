import type { JobState } from "../../jobs/job.ts";
import type { Import } from "./schemas.ts";
import type { ImportField } from "./formats/fields.ts";
import { parseDetails, parseInput, type ImportDetails } from "./input.ts";

/** The import as the API shows it. */
export function toImport(
  { id, status, input, details: stored, progress, counts, error, fault, ...times }: JobState,
  baseUrl: string,
): Import {
  const { source, choices } = parseInput(input);
  const details = parseDetails(stored);
  const { createdAt, startedAt, finishedAt, expiresAt } = times;
  const { created = 0, skipped = 0, failed = 0, altered = 0, undone = 0, notUndone = 0 } = counts;
  return {
    id,
    source: details?.source ?? source,
    // To the caller, a file that arrives is being read.
    status: status === "receiving" ? "reading" : status,
    rows: details?.rows ?? 0,
    columns: details?.columns ?? [],
    mapping: details === null ? {} : toFields(details),
    dead: choices.dead,
    taken: choices.taken,
    events: choices.events,
    domains: choices.domains as Import["domains"],
    hosts: (details?.hosts ?? []).map((found) => toHost(found, baseUrl)),
    sample: details?.sample ?? [],
    problems: details?.problems ?? [],
    expected: details?.expected ?? { created: 0, skipped: 0, failed: 0 },
    progress,
    created,
    skipped,
    failed,
    altered,
    undone,
    notUndone,
    error,
    fault,
    createdAt,
    startedAt,
    finishedAt,
    expiresAt,
  };
}

/** The service's own domain is stored as ''. */
function toHost({ host, links, domain }: ImportDetails["hosts"][number], baseUrl: string): Import["hosts"][number] {
  return { host, links, domain: domain === "" ? new URL(baseUrl).host : domain };
}

/** The field of each column. */
function toFields({ columns, mapping }: ImportDetails): Import["mapping"] {
  const fields = new Map(Object.entries(mapping).map(([field, column]) => [column, field as ImportField]));
  return Object.fromEntries(columns.map((column) => [column, fields.get(column) ?? null]));
}
