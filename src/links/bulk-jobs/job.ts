import type { JobFailure } from "../../jobs/job.ts";
import { toRecords, type JobContext, type JobKind, type JobPage } from "../../jobs/kind.ts";
import { conflict, toErrorBody } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { JOBS_LANE } from "../../jobs/lane.ts";
import { JOB_PAGES_PER_ALARM } from "../../jobs/limits.ts";
import { CHANGED_LINKS_PER_SECOND, JOB_PAUSE_MS, JOB_TTL_MS } from "../../limits.ts";
import { listIds } from "../store/list.ts";
import { toUpdateRequest } from "../update.ts";
import { changeLinks } from "./change-links.ts";
import { openPassword, parseInput } from "./input.ts";
import { deletion, restoration, type Entry, type FoundLink, type Operation } from "./operations.ts";
import { reversion, update } from "./update.ts";
import { BULK_JOB_PAGE_LINKS, BULK_JOB_READ_LINKS, MAX_BULK_JOB_LINKS } from "./limits.ts";

/** The lists of a bulk job. Each record is one page of links. */
export const LINK_IDS = "ids";
/** The changes of the page, saved before they are made. Afterwards those that were made. */
const CHANGES = "changes";
/** The changes that undo the page, saved before they are made. */
const REVERSALS = "reversals";

/** Changes, deletes or restores links. */
export const bulkJob: JobKind = {
  lane: JOBS_LANE,
  permissionsOf: () => ["bulk", "links:write"],
  startsByItself: true,
  outlivesDeletion: false,
  pagesPerAlarm: JOB_PAGES_PER_ALARM,
  pauseMs: JOB_PAUSE_MS,
  kept: { ms: JOB_TTL_MS, from: "end" },
  read: readIds,
  run,
  undo,
};

interface ReadPosition {
  after: string;
  total: number;
}

/** Lists the links that match the filter now, a part at a time. */
async function readIds(context: JobContext): Promise<JobPage> {
  const { input, position, records, createdAt } = context;
  const { filter } = parseInput(input);
  if (filter === null) return { position: null, done: 0, total: countIds(context) };
  const { after, total } = (position ?? { after: null, total: 0 }) as ReadPosition | { after: null; total: number };
  // Links that are created later do not belong.
  const until = Math.min(filter.created.until ?? Infinity, createdAt + 1);
  const created = { ...filter.created, until };
  const ids = await listIds(context, { ...filter, created }, after, BULK_JOB_READ_LINKS);
  const read = total + ids.length;
  if (read > MAX_BULK_JOB_LINKS)
    return { position: null, done: 0, error: fault("", "too_many_matches", { max: MAX_BULK_JOB_LINKS }) };
  const last = ids.length < BULK_JOB_READ_LINKS ? undefined : ids.at(-1);
  const stored = toPages(ids).flatMap((page, index) => toRecords(LINK_IDS, records.endOf(LINK_IDS) + index, page));
  const next = last === undefined ? null : { after: last, total: read };
  return { position: next, done: ids.length, total: read, records: stored };
}

/** Splits the ids into the pages of a job. */
export function toPages(ids: readonly string[]): string[][] {
  const pages: string[][] = [];
  for (let start = 0; start < ids.length; start += BULK_JOB_PAGE_LINKS)
    pages.push(ids.slice(start, start + BULK_JOB_PAGE_LINKS));
  return pages;
}

function countIds({ records }: JobContext): number {
  let count = 0;
  for (let number = 0; number < records.endOf(LINK_IDS); number++) count += idsOf(records, number).length;
  return count;
}

function idsOf(records: JobContext["records"], number: number): string[] {
  return (records.readItems(LINK_IDS, number) ?? []) as string[];
}

async function run(context: JobContext): Promise<JobPage> {
  const { records } = context;
  const number = (context.position ?? 0) as number;
  const ids = idsOf(records, number);
  const operation = await operationOf(context);
  await context.slowDown(ids.length, CHANGED_LINKS_PER_SECOND);
  const { outcomes, entries } = await changeLinks(context, operation, ids, {
    saved: (records.readItems(CHANGES, number) ?? []) as Entry[],
    save: (changes) => records.save(toRecords(CHANGES, number, changes)),
  });
  const results = [...outcomes.values()];
  const failures = toFailures(outcomes);
  const counts = {
    changed: results.filter((result) => result === "changed").length,
    unchanged: results.filter((result) => result === "unchanged").length,
    failed: failures.length,
  };
  return {
    position: number + 1 < records.endOf(LINK_IDS) ? number + 1 : null,
    done: ids.length,
    counts,
    failures,
    // Without columns that can be undone, or links, nothing is kept.
    records: entries.length === 0 ? [] : toRecords(CHANGES, number, entries),
    forgotten: [{ list: CHANGES, number }],
  };
}

async function operationOf({ env, input, jobId, baseUrl, principal: { accountId } }: JobContext): Promise<Operation> {
  const { action, changes } = parseInput(input);
  if (action === "delete") return deletion(accountId);
  if (action === "restore" || changes === null) return restoration(accountId);
  const { addTags, removeTags, ...fields } = await openPassword(env.ENCRYPTION_KEYS, jobId, changes);
  return update(accountId, toUpdateRequest(fields, { baseUrl, env }), { addTags, removeTags });
}

/** Takes back one page. The last one comes first, so that slugs become free in the reverse order. */
async function undo(context: JobContext): Promise<JobPage> {
  const { records } = context;
  const number = (context.position ?? records.endOf(CHANGES) - 1) as number;
  const changes = (records.readItems(CHANGES, number) ?? []) as Entry[];
  const { action } = parseInput(context.input);
  const byId = new Map(changes.map((entry) => [entry.id, entry]));
  await context.slowDown(changes.length, CHANGED_LINKS_PER_SECOND);
  const { done, undone } = reversalOf(action, context.principal.accountId, byId);
  const { outcomes } = await changeLinks(context, undone, [...byId.keys()], {
    saved: (records.readItems(REVERSALS, number) ?? []) as Entry[],
    save: (entries) => records.save(toRecords(REVERSALS, number, entries)),
    admit: (id, found) => admitReversal(byId.get(id), found, done),
  });
  const failures = toFailures(outcomes);
  const results = [...outcomes.values()].filter((result) => result === "changed" || result === "unchanged");
  return {
    position: number > 0 ? number - 1 : null,
    done: changes.length,
    // A page that was lost has changed more than was counted.
    total: context.counts["changed"] ?? 0,
    counts: { undone: results.length, notUndone: failures.length },
    failures,
    forgotten: [CHANGES, REVERSALS].map((list) => ({ list, number })),
  };
}

/** What the job did, and what takes it back. */
function reversalOf(action: string, accountId: number, entries: ReadonlyMap<string, Entry>) {
  if (action === "delete") return { done: deletion(accountId), undone: restoration(accountId) };
  if (action === "restore") return { done: restoration(accountId), undone: deletion(accountId) };
  const before = new Map(Array.from(entries, ([id, entry]) => [id, entry.before] as const));
  const undone = reversion(accountId, before);
  return { done: undone, undone };
}

const CHANGED_SINCE = conflict("changed_since_job");

/** A link is only undone as the job left it. */
function admitReversal(entry: Entry | undefined, found: FoundLink, done: Operation): "change" | "skip" | Error {
  if (entry === undefined) return "skip";
  if (done.isDone(entry, found)) return "change";
  // The page was interrupted before it changed the link.
  const isUntouched = (found.present?.updated_at ?? found.deleted?.deleted_at) === (entry.deletedAt ?? entry.version);
  return isUntouched ? "skip" : CHANGED_SINCE;
}

function toFailures(outcomes: ReadonlyMap<string, unknown>): JobFailure[] {
  return Array.from(outcomes).flatMap(([subject, result]) =>
    result instanceof Error ? [{ subject, ...reasonOf(result) }] : [],
  );
}

function reasonOf(refusal: Error): Pick<JobFailure, "reason" | "code"> {
  const { error, code, details = [] } = toErrorBody(refusal);
  const isOfFields = code === "invalid_request" || code === "destination_blocked";
  const sentences = details.map(({ path, message }) => `${path} ${message}`);
  return { reason: isOfFields ? sentences.join("; ") : error, code: details[0]?.code ?? code };
}
