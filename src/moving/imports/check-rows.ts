import { toRecords, type JobContext, type JobPage } from "../../jobs/kind.ts";
import { validateHosts } from "../../links/validate.ts";
import { toSlugKey } from "../../platform/lib/slug.ts";
import { toTagKey } from "../../platform/lib/tag-key.ts";
import { withoutUnread } from "./cell-text.ts";
import type { ImportRow } from "./formats/import-row.ts";
import type { ImportDetails, Problem, ProblemKind, RowCounts } from "./input.ts";
import { NEW_TAGS, ROWS, SHORT_URLS, requireSummary } from "./lists.ts";
import { readImportPage } from "./page-rows.ts";
import { exampleOf, resolveRow, targetOf, type PlannedLink, type ResolveOptions } from "./resolve-row.ts";
import { splitAliases } from "./split-aliases.ts";
import { findTaken, findVerifiedDomains } from "./store.ts";
import { IMPORT_ROWS_PER_TURN, MAX_IMPORT_HOSTS } from "./limits.ts";

/** Where the rows are checked, with what was found so far. */
export interface CheckPosition {
  phase: "check";
  page: number;
  problems: Problem[];
  hosts: ImportDetails["hosts"];
  expected: RowCounts;
}

export const FIRST_CHECK: CheckPosition = {
  phase: "check",
  page: 0,
  problems: [],
  hosts: [],
  expected: { created: 0, skipped: 0, failed: 0 },
};

/** The keys are those by which short URLs are compared. `isExpected`: the link will be created, as far as other rows go. */
type SlugsOfLine = [key: string, slug: string, line: number, aliasKeys: string[], isExpected: boolean];

/** The problems of planned links that are refused. */
const REFUSED: ReadonlySet<ProblemKind> = new Set(["invalid_url", "invalid"]);

type Found = [kind: ProblemKind, line: number, example: string];

/** Checks a page of rows against the links that exist. The position after the last one has the phase `compare`. */
export async function checkRowPage(context: JobContext): Promise<JobPage> {
  const { records, position } = context;
  const { page, problems, hosts, expected: before } = (position as CheckPosition | null) ?? FIRST_CHECK;
  const { rows, options } = await readImportPage(context, page);
  const found: Found[] = [];
  const planned: PlannedLink[] = [];
  const expected = { ...before };
  for (const [index, row] of rows.entries()) {
    if (index % IMPORT_ROWS_PER_TURN === 0) await scheduler.wait(0);
    const resolved = resolveRow(row, options);
    if (resolved.outcome !== "planned") {
      found.push([resolved.kind, row.line, resolved.example]);
      expected[resolved.outcome === "skipped" ? "skipped" : "failed"]++;
      continue;
    }
    found.push(...resolved.notices.map((notice): Found => [notice, row.line, exampleOf(row)]));
    planned.push(resolved.link);
  }
  const looked = await lookUp(context, planned);
  const refused = linesOf(looked.found, (kind) => REFUSED.has(kind));
  const skipped = linesOf(looked.found, (kind) => kind === "taken" && options.input.choices.taken === "skip");
  const isExpected = (line: number) => !refused.has(line) && !skipped.has(line);
  for (const { line } of planned) expected[refused.has(line) ? "failed" : skipped.has(line) ? "skipped" : "created"]++;
  const next: CheckPosition = {
    phase: "check",
    page: page + 1,
    problems: addProblems(problems, [...found, ...looked.found]),
    hosts: addHosts(hosts, rows, options),
    expected,
  };
  const shortUrls = planned.flatMap(({ domain, isCaseSensitive, slug, aliases, line }): SlugsOfLine[] => {
    const keyOf = (text: string) => `${domain}/${toSlugKey(text, isCaseSensitive)}`;
    return slug === null ? [] : [[keyOf(slug), slug, line, aliases.map(keyOf), isExpected(line)]];
  });
  return {
    position: page + 1 < records.endOf(ROWS) ? next : { ...next, phase: "compare" },
    done: 0,
    total: requireSummary(context).rows,
    records: [...toRecords(SHORT_URLS, page, shortUrls), ...toRecords(NEW_TAGS, page, looked.newTags)],
  };
}

function linesOf(found: readonly Found[], isMeant: (kind: ProblemKind) => boolean): ReadonlySet<number> {
  return new Set(found.flatMap(([kind, line]) => (isMeant(kind) ? [line] : [])));
}

/** What is wrong with links because of what exists. */
async function lookUp(
  context: JobContext,
  planned: readonly PlannedLink[],
): Promise<{ found: Found[]; newTags: [key: string, name: string, line: number][] }> {
  const { db, principal } = context;
  const hosts = new Set(planned.flatMap(({ request }) => request.hosts));
  const verifiedNames = new Set((await findVerifiedDomains(db, hosts)).map(({ domain }) => domain));
  const tags = new Map<string, [name: string, line: number]>();
  for (const { request, line } of planned)
    for (const name of request.fields.tags ?? []) if (!tags.has(toTagKey(name))) tags.set(toTagKey(name), [name, line]);
  const looked = planned.map(({ domain, slug, request }) => ({
    domain,
    // No link has an empty slug.
    slug: slug ?? "",
    external_id: request.fields.externalId ?? null,
  }));
  const existing = await findTaken(db, principal.accountId, looked, [...tags.keys()]);
  const found = planned.flatMap(({ line, slug, isReserved, request }, index): Found[] => {
    const [loop] = validateHosts(request.fields, verifiedNames);
    if (loop !== undefined) return [[loop.path === "url" ? "invalid_url" : "invalid", line, request.fields.url]];
    if (existing.externalIds.has(index)) return [["invalid", line, String(request.fields.externalId)]];
    const cannotHave = isReserved || existing.slugs.has(index);
    return cannotHave && slug !== null ? [["taken", line, slug]] : [];
  });
  for (const [line, [alias = ""]] of (await splitAliases(context, planned)).lost) found.push(["alias", line, alias]);
  const newTags = [...tags].filter(([key]) => !existing.tags.has(key));
  return { found, newTags: newTags.map(([key, [name, line]]) => [key, name, line]) };
}

export function addProblems(problems: readonly Problem[], found: readonly Found[]): Problem[] {
  const byKind = new Map(problems.map((problem) => [problem.kind, { ...problem }]));
  for (const [kind, line, example] of found) {
    const problem = byKind.get(kind);
    if (problem === undefined) byKind.set(kind, { kind, count: 1, line, example: withoutUnread(example) });
    else problem.count++;
  }
  return [...byKind.values()];
}

function addHosts(
  hosts: ImportDetails["hosts"],
  rows: readonly ImportRow[],
  options: ResolveOptions,
): ImportDetails["hosts"] {
  const byHost = new Map(hosts.map((entry) => [entry.host, { ...entry }]));
  for (const { host } of rows) {
    if (host === null) continue;
    const entry = byHost.get(host);
    if (entry !== undefined) entry.links++;
    else if (byHost.size < MAX_IMPORT_HOSTS) byHost.set(host, { host, links: 1, domain: targetOf(host, options) });
  }
  return [...byHost.values()];
}

/** Finds the slugs and tags that the pages have in common. Returns all problems, and how many rows come to what. */
export function compareRowPages(
  context: JobContext,
  { problems, expected }: CheckPosition,
  taken: "skip" | "rename",
): { problems: Problem[]; expected: RowCounts } {
  const { records } = context;
  const first = new Map<string, string>();
  const tags = new Set<string>();
  const found: Found[] = [];
  const others: SlugsOfLine[] = [];
  let skipped = 0;
  for (let page = 0; page < records.endOf(SHORT_URLS); page++) {
    for (const entry of (records.readItems(SHORT_URLS, page) ?? []) as SlugsOfLine[]) {
      const [key, slug, line, aliasKeys, isExpected] = entry;
      const earlier = first.get(key);
      if (earlier !== undefined) {
        found.push([earlier === slug ? "repeated" : "differs_in_case", line, slug]);
        if (isExpected && taken === "skip") skipped++;
      } else if (first.set(key, slug) && aliasKeys.length > 0) others.push(entry);
    }
    for (const [key, name, line] of (records.readItems(NEW_TAGS, page) ?? []) as [string, string, number][]) {
      if (!tags.has(key)) found.push(["new_tag", line, name]);
      tags.add(key);
    }
  }
  const { created, failed } = expected;
  return {
    problems: addProblems(problems, [...found, ...compareAliases(first, others)]),
    expected: { created: created - skipped, skipped: expected.skipped + skipped, failed },
  };
}

/** Finds the links with an alias that another link of the file has too. `taken` are the short URLs of the file. */
function compareAliases(taken: Map<string, string>, links: readonly SlugsOfLine[]): Found[] {
  return links.flatMap(([, slug, line, aliasKeys]): Found[] => {
    const free = aliasKeys.filter((key) => !taken.has(key));
    for (const key of free) taken.set(key, slug);
    return free.length < aliasKeys.length ? [["alias", line, slug]] : [];
  });
}
