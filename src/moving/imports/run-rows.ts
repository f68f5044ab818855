import type { JobFailure } from "../../jobs/job.ts";
import type { JobContext, JobPage } from "../../jobs/kind.ts";
import { findWithDeleted } from "../../links/store/deleted-links.ts";
import { importLinks, type CreateOutcome, type Reason } from "./import-links.ts";
import { toFailureRow } from "./find-row.ts";
import { PLANS, ROWS } from "./lists.ts";
import { readImportPage } from "./page-rows.ts";
import { splitAliases } from "./split-aliases.ts";
import { resolveRow, type PlannedLink } from "./resolve-row.ts";
import { IMPORT_ROWS_PER_TURN } from "./limits.ts";

interface RunPosition {
  page: number;
  /** The number of plans before the page. Further ones are of an earlier run of the page, which was interrupted. */
  plans: number;
  /** Why no further links are created; null: they are. */
  stopped: Reason | null;
}

const START: RunPosition = { page: 0, plans: 0, stopped: null };

/** Notices about links that were imported. */
const NOTICES = {
  password: "Imported without its password, which the old service keeps to itself. Set a new one.",
  alias: "Imported, but not all of its other slugs can be aliases of it.",
  shortened: "Imported with a shorter text.",
  unreadable_time: "Imported with the time of the import, because its time of creation cannot be read.",
  unknown_status: "Imported as active, because the word for its state is not known.",
  unreadable_clicks: "Imported with 0 clicks, because their number cannot be read.",
} as const;

/** Creates the links of a page of rows. */
export async function runRowPage(context: JobContext): Promise<JobPage> {
  const { records } = context;
  const position = (context.position as RunPosition | null) ?? START;
  const { rows, raw, options, summary } = await readImportPage(context, position.page);
  const failures: JobFailure[] = [];
  const counts = { created: 0, skipped: 0, failed: 0, altered: 0 };
  const planned: PlannedLink[] = [];
  const notices = new Map<number, readonly string[]>();
  const rowOf = new Map(raw.map((row) => [row.line, toFailureRow(row)]));
  const report = (line: number, { reason, code }: Reason) =>
    failures.push({ subject: String(line), reason, code, row: rowOf.get(line) as string });
  for (const [index, row] of rows.entries()) {
    if (index % IMPORT_ROWS_PER_TURN === 0) await scheduler.wait(0);
    const resolved = resolveRow(row, options);
    if (resolved.outcome === "planned") {
      planned.push(resolved.link);
      notices.set(row.line, resolved.notices);
      continue;
    }
    counts[resolved.outcome === "skipped" ? "skipped" : "failed"]++;
    report(row.line, resolved);
  }
  const { outcomes, lost } = await createPlanned(context, position, planned, options.input);
  let { stopped } = position;
  for (const { line } of planned) {
    const result = outcomes.get(line) as CreateOutcome;
    if (result.outcome === "stopped") stopped = { reason: result.reason, code: result.code };
    counts[result.outcome === "stopped" ? "failed" : result.outcome]++;
    if (result.outcome !== "created") {
      report(line, result);
      continue;
    }
    const found = new Set(notices.get(line));
    if (lost.has(line) || result.hasLostAliases) found.add("alias");
    const told = Object.entries(NOTICES).filter(([notice]) => found.has(notice));
    const [first] = told;
    if (first === undefined) continue;
    counts.altered++;
    report(line, { reason: told.map(([, sentence]) => sentence).join(" "), code: first[0] });
  }
  const next: RunPosition = { page: position.page + 1, plans: records.endOf(PLANS), stopped };
  return {
    position: next.page < records.endOf(ROWS) ? next : null,
    done: rows.length,
    total: summary.rows,
    counts,
    failures: failures.toSorted((a, b) => Number(a.subject) - Number(b.subject)),
  };
}

async function createPlanned(
  context: JobContext,
  { plans, stopped }: RunPosition,
  planned: readonly PlannedLink[],
  input: Parameters<typeof importLinks>[1],
): Promise<{ outcomes: Map<number, CreateOutcome>; lost: ReadonlyMap<number, string[]> }> {
  const created = await findCreated(context, plans);
  const known = planned.filter(({ line }) => created.has(line));
  const others = planned.filter(({ line }) => !created.has(line));
  const { links: rest, lost } = await splitAliases(context, others);
  const outcomes =
    stopped === null
      ? await importLinks(context, input, rest)
      : new Map<number, CreateOutcome>(rest.map(({ line }) => [line, { outcome: "stopped", ...stopped }]));
  for (const { line } of known) outcomes.set(line, { outcome: "created", hasLostAliases: false });
  return { outcomes, lost };
}

/** The lines whose links an interrupted run of the page has created. They may have been deleted since. */
async function findCreated({ db, records }: JobContext, plans: number): Promise<Set<number>> {
  const lines = new Map<string, number>();
  for (let number = plans; number < records.endOf(PLANS); number++)
    for (const [line, id] of readPlan(records, number).links) lines.set(id, line);
  const { present, deleted } = await findWithDeleted(db, [...lines.keys()]);
  return new Set([...present, ...deleted].map(({ id }) => lines.get(id) as number));
}

/** The links of a plan, and the time that they have as that of their last change. */
export function readPlan(
  records: JobContext["records"],
  number: number,
): { version: number; links: [line: number, id: string][] } {
  const [version, ...links] = (records.readItems(PLANS, number) ?? []) as [number, ...[number, string][]];
  return { version, links };
}
