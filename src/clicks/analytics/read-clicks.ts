import type { RequestContext } from "../../context.ts";
import { invalidRequest, rateLimited } from "../../http/errors.ts";
import { readPage, toPage } from "../../http/pagination.ts";
import { SECOND_MS } from "../../lib/duration.ts";
import { EXPORT_POLL_MS, MAX_EXPORT_CLICKS, RECENT_CLICKS } from "../../limits.ts";
import { getLinkRow } from "../../links/get-link.ts";
import { queryClickLog } from "../click-log/client.ts";
import type { ExportCursor, ExportPage, ExportQuery, ExportStart } from "../click-log/exports.ts";
import type { RecordQuery } from "../click-log/records.ts";
import { toClickRecord, type ClickRecord, type StoredClick } from "../click-record.ts";
import type { Clicks, ClicksQuery, RecordsQuery } from "./contract.ts";
import { toCsv } from "./csv.ts";
import { periodOf, type Period } from "./period.ts";
import { toClicks, toFilters } from "./serialize.ts";

type Context = Pick<RequestContext, "env" | "principal" | "now">;

// `linkId` is null for all links of the account.

/** The totals of a period. */
export async function readClicks(context: Context, linkId: string | null, query: ClicksQuery): Promise<Clicks> {
  const { link, period } = await readSubject(context, linkId, query);
  const { start, end, boundaries } = period;
  const filters = toFilters(query);
  const [totals, recent] = await Promise.all([
    queryClickLog(context.env, context.principal.accountId, (log) =>
      log.aggregate(link, { start, end, boundaries, filters }),
    ),
    readRecords(context, { link, start, end, filters, bots: "exclude", before: null, offset: 0, limit: RECENT_CLICKS }),
  ]);
  return toClicks(period, totals, recent);
}

/** One page of single clicks, newest first. */
export async function listClickRecords(
  context: Context,
  linkId: string | null,
  query: RecordsQuery,
): Promise<{ records: ClickRecord[]; nextCursor: string | null }> {
  const recordQuery = await toRecordQuery(context, linkId, query);
  const order = `clicks.${recordQuery.link ?? "all"}`;
  const page = readPage(query, order);
  const { after: before, offset, limit } = page;
  const found = await readRecords(context, { ...recordQuery, before, offset, limit: limit + 1 });
  const { items, nextCursor } = toPage(found, page, order, ({ id }) => id);
  return { records: items.map(toClickRecord), nextCursor };
}

/** All single clicks of a period as CSV. */
export async function streamClickRecords(
  context: Context,
  linkId: string | null,
  query: RecordsQuery,
): Promise<ReadableStream<Uint8Array>> {
  const recordQuery = await toRecordQuery(context, linkId, query);
  for (const path of ["limit", "page", "cursor"] as const) {
    if (query[path] !== undefined)
      throw invalidRequest([{ path, message: "cannot be given for CSV, which returns all clicks; use format=json" }]);
  }
  const pages = exportRecords(context, recordQuery);
  // The empty page. The generator has then begun, so it ends the export even if the client never reads.
  await pages.next();
  return toCsv(pages);
}

/** Yields an empty page when the export has begun, and then those with clicks. Throws a 429 or 400 if it may not begin. */
async function* exportRecords({ env, principal }: Context, query: ExportQuery): AsyncGenerator<ClickRecord[]> {
  const id = crypto.randomUUID();
  const { accountId } = principal;
  requireStarted(await queryClickLog(env, accountId, (log) => log.beginExport(id, query)));
  try {
    yield [];
    let after: ExportCursor | null = null;
    do {
      const page: ExportPage = await readExport(env, accountId, id, query, after);
      yield page.clicks.map(toClickRecord);
      after = page.next;
    } while (after !== null);
  } finally {
    // If this fails, the export's turn ends by itself.
    await queryClickLog(env, accountId, (log) => log.endExport(id)).catch(() => null);
  }
}

function requireStarted({ waitMs, isTooLarge }: ExportStart): void {
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / SECOND_MS);
    throw rateLimited(
      `Another CSV file of this account is being written. Only one can be written at a time. Try again in ${seconds} seconds.`,
      seconds,
    );
  }
  if (isTooLarge) {
    const message = `must begin a shorter period: this one has more than ${MAX_EXPORT_CLICKS} clicks, the maximum of a CSV file`;
    throw invalidRequest([{ path: "start", message }]);
  }
}

/** The next page. Waits while another export has its turn. */
async function readExport(
  env: Env,
  accountId: number,
  id: string,
  query: ExportQuery,
  after: ExportCursor | null,
): Promise<ExportPage> {
  for (;;) {
    const page = await queryClickLog(env, accountId, (log) => log.readExport(id, query, after));
    if (page.waitMs === 0) return page;
    await scheduler.wait(Math.min(page.waitMs, EXPORT_POLL_MS));
  }
}

function readRecords({ env, principal }: Context, query: RecordQuery): Promise<StoredClick[]> {
  return queryClickLog(env, principal.accountId, (log) => log.listRecords(query));
}

async function toRecordQuery(
  context: Context,
  linkId: string | null,
  query: RecordsQuery,
): Promise<Omit<RecordQuery, "before" | "offset" | "limit">> {
  const { link, period } = await readSubject(context, linkId, query);
  return { link, start: period.start, end: period.end, filters: toFilters(query), bots: query.bots ?? "exclude" };
}

/** The account's link, and the period of the query. It throws if there is no such link or period. */
async function readSubject(
  context: Context,
  linkId: string | null,
  { interval, start, end, timezone = "UTC" }: ClicksQuery,
): Promise<{ link: string | null; period: Period }> {
  const { env, principal, now } = context;
  const row = linkId === null ? null : await getLinkRow(context, linkId);
  const createdAt =
    row?.created_at ?? (await queryClickLog(env, principal.accountId, (log) => log.firstClickAt())) ?? now;
  const result = periodOf({ interval, start, end, timezone, now, createdAt });
  if (!result.ok) throw invalidRequest([{ path: result.path, message: result.message }]);
  return { link: row?.id ?? null, period: result.period };
}
