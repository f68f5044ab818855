import type { Import } from "@tern/sdk";
import { printTable } from "../output/table.ts";
import { note, print } from "../output/terminal.ts";
import { count } from "../output/text.ts";

/** What happens to links with a problem, in the words of docs/api/imports.md. */
const EFFECTS: Record<Import["problems"][number]["kind"], string> = {
  invalid_url: "no valid destination: not imported",
  invalid_slug: "no valid slug: not imported",
  invalid: "not valid: not imported",
  unknown_word: "neither yes nor no: not imported",
  taken_in: "quotation mark takes in rows below: not imported",
  repeated_key: "a key of JSON is given more than once: not imported",
  pattern: "slug is a pattern: left out",
  taken: "slug is taken: see --taken",
  repeated: "slug is repeated: see --taken",
  differs_in_case: "slug differs only in case: see --taken",
  foreign_domain: "host is no domain of the account: see --domains",
  dead: "deleted or banned: see --dead",
  password: "imported without the password",
  alias: "imported without another slug",
  shortened: "imported with a shorter text",
  unreadable_time: "imported with the time of now",
  unreadable_clicks: "imported with 0 clicks",
  unknown_status: "state is not known: imported as active",
  unused_slugs: "column looks like slugs: not imported",
  new_tag: "gets a new tag",
};

/** Prints what an import would do. */
export function printImportPreview({ rows, source, mapping, hosts, problems, expected }: Import): void {
  note(`${count(rows, "link")}, recognised as ${source}.`);
  const { created, skipped, failed } = expected;
  note(`To create: ${created}, to leave out: ${skipped}, not importable: ${failed}.`);
  print("");
  printTable(
    [
      { title: "COLUMN", value: ([column]) => column },
      { title: "BECOMES", value: ([, field]) => field ?? "(left out)" },
    ],
    Object.entries(mapping),
  );
  if (hosts.length > 0) {
    print("");
    printTable<Import["hosts"][number]>(
      [
        { title: "HOST", value: ({ host }) => host },
        { title: "LINKS", value: ({ links }) => links },
        { title: "GETS THE DOMAIN", value: ({ domain }) => domain ?? "(left out)" },
      ],
      hosts,
    );
  }
  if (problems.length === 0) return;
  print("");
  printTable<Import["problems"][number]>(
    [
      { title: "PROBLEM", value: ({ kind }) => EFFECTS[kind] ?? kind },
      { title: "LINKS", value: ({ count }) => count },
      { title: "FIRST LINE", value: ({ line }) => line },
      { title: "EXAMPLE", value: ({ example }) => example, flexible: true },
    ],
    problems,
  );
}

export function printImportResult(
  { id, created, skipped, failed, altered }: Import,
  failures: string | undefined,
): void {
  print(`Created ${count(created, "link")}, left out ${skipped}, failed ${failed}.`);
  if (failures === undefined && skipped + failed + altered > 0)
    note(`To see why: tern api GET /api/imports/${id}/failures`);
  note(`To undo it within 7 days: tern import undo ${id}`);
}
