import type { AccountContext } from "../../platform/context.ts";
import { invalidField, invalidRequest, rateLimited } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import { EXPORT_POLL_MS, MAX_EXPORT_CLICKS, MAX_VALUES_PER_DIMENSION, SECOND_MS } from "../../limits.ts";
import { getLinkRow } from "../../links/get-link.ts";
import { findShortUrls } from "../../links/store/selected-links.ts";
import { queryClickLog } from "../../click-log/log/stub.ts";
import type { ExportCursor, ExportPage, ExportQuery, ExportStart } from "../../click-log/log/exports.ts";
import type { DetailFrom } from "../../click-log/log/detail.ts";
import type { Totals } from "../../click-log/log/aggregate.ts";
import type { RecordQuery } from "../../click-log/log/records.ts";
import type { LinkSelection } from "../../click-log/log/selected-rows.ts";
import { toClickRecord, type ClickRecord } from "../../click-log/click-record.ts";
import type { Clicks } from "./contract.ts";
import { toCsv } from "./csv.ts";
import { ShortUrls, type FileClick } from "./file-click.ts";
import { toFilters } from "./filters.ts";
import { comparedWith, periodOf, type Period, type PeriodQuery, type PeriodResult } from "./period.ts";
import type { ClicksQuery, FileQuery, RecordsQuery } from "./query-contract.ts";
import { selectLinks } from "./selection.ts";
import { toClicks, toLinkCounts, toSums } from "./serialize.ts";
import { clockOffsets, timeZoneOf, type ClockOffset } from "./time-zone.ts";
import { RECENT_CLICKS } from "./limits.ts";

type Context = Pick<AccountContext, "env" | "db" | "principal" | "now" | "baseUrl">;

// `linkId` is null for the links of the account that the query selects.

/** The totals of a period. */
export async function readClicks(context: Context, linkId: string | null, query: ClicksQuery): Promise<Clicks> {
  const subject = await readSubject(context, linkId, query);
  const { links, period, importedClicks } = subject;
  const { start, end } = period;
  const page = { before: null, offset: 0, limit: RECENT_CLICKS };
  const [sums, recent] = await Promise.all([
    sumClicks(context, linkId, query, subject),
    queryClickLog(context, (log) =>
      log.listRecords({ links, start, end, filters: toFilters(query), bots: "exclude", ...page }),
    ),
  ]);
  return { ...sums, ...(importedClicks > 0 && { importedClicks }), recent: recent.map(toClickRecord) };
}

/** As {@link readClicks}, without single clicks. */
export async function readClickSums(
  context: Context,
  linkId: string | null,
  query: ClicksQuery,
): Promise<Omit<Clicks, "recent">> {
  return sumClicks(context, linkId, query, await readSubject(context, linkId, query));
}

async function sumClicks(
  context: Context,
  linkId: string | null,
  query: ClicksQuery,
  { links, period, periodQuery }: Subject,
): Promise<Omit<Clicks, "recent">> {
  const { compare } = query;
  const before = compare === undefined ? null : requirePeriod(comparedWith(compare, periodQuery, period));
  const filters = toFilters(query);
  const offset = ((query.page ?? 1) - 1) * MAX_VALUES_PER_DIMENSION;
  const aggregate = ({ start, end, boundaries }: Period, clocks?: ClockOffset[]): Promise<Totals> =>
    queryClickLog(context, (log) => log.aggregate(links, { start, end, boundaries, filters, clocks, offset }));
  const detail = queryClickLog(context, (log) => log.detailFrom());
  const clocks = query.weekHours === undefined ? undefined : clocksOf(period, query, await detail);
  const [totals, previous, detailFrom] = await Promise.all([
    aggregate(period, clocks),
    before && aggregate(before),
    detail,
  ]);
  const clicks = { ...toClicks(period, totals), detailFrom };
  return {
    ...clicks,
    ...(linkId === null && (await countLinks(context, totals, clicks))),
    ...(before !== null && previous !== null && { previous: toSums(before, previous) }),
  };
}

/** The clocks of the period, as far as the hours of clicks are stored. */
function clocksOf(
  { start, end }: Period,
  { timezone = "UTC" }: ClicksQuery,
  { quarterHours }: DetailFrom,
): ClockOffset[] {
  const from = Math.max(start, quarterHours ?? start);
  return from < end ? clockOffsets(from, end, timeZoneOf(timezone)) : [];
}

async function countLinks(
  { db, baseUrl }: Context,
  totals: Totals,
  { others }: Pick<Clicks, "others">,
): Promise<Pick<Clicks, "links" | "others">> {
  const ids = totals.counts.link.map(({ value }) => value);
  const counts = toLinkCounts(totals, await findShortUrls(db, ids, new URL(baseUrl).origin));
  return { links: counts.links, others: { ...others, links: counts.others } };
}

/** One page of single clicks, newest first. */
export async function listClickRecords(
  context: Context,
  linkId: string | null,
  query: RecordsQuery,
): Promise<{ records: ClickRecord[]; nextCursor: string | null; detailFrom: DetailFrom }> {
  const recordQuery = await toRecordQuery(context, linkId, query);
  const order = `clicks.${linkId ?? "all"}`;
  const page = readPage(query, order);
  const { after: before, offset, limit } = page;
  const [found, detailFrom] = await Promise.all([
    queryClickLog(context, (log) => log.listRecords({ ...recordQuery, before, offset, limit: limit + 1 })),
    queryClickLog(context, (log) => log.detailFrom()),
  ]);
  const { items, nextCursor } = toPage(found, page, order, ({ id }) => id);
  return { records: items.map(toClickRecord), nextCursor, detailFrom };
}

/** All single clicks of a period as CSV. */
export async function streamClickRecords(
  context: Context,
  linkId: string | null,
  query: RecordsQuery,
): Promise<ReadableStream<Uint8Array>> {
  const recordQuery = await toRecordQuery(context, linkId, query);
  for (const path of ["limit", "page", "cursor"] as const) {
    if (query[path] !== undefined) throw invalidField(path, "no_pages_in_csv");
  }
  const pages = exportRecords(context, recordQuery);
  // The empty page. The generator has then begun, so it ends the export even if the client never reads.
  await pages.next();
  return toCsv(pages, query.timezone);
}

/** Yields an empty page when the export has begun, and then those with clicks. Throws a 429 or 400 if it may not begin. */
async function* exportRecords(context: Context, query: ExportQuery): AsyncGenerator<FileClick[]> {
  const shortUrls = new ShortUrls(context);
  const id = crypto.randomUUID();
  requireStarted(await queryClickLog(context, (log) => log.beginExport(id, query)));
  try {
    yield [];
    let after: ExportCursor | null = null;
    do {
      const page: ExportPage = await readNext(context, id, query, after);
      yield await shortUrls.addTo(page.clicks.map(toClickRecord));
      after = page.next;
    } while (after !== null);
  } finally {
    // If this fails, the export's turn ends by itself.
    await queryClickLog(context, (log) => log.endExport(id)).catch(() => null);
  }
}

function requireStarted({ waitMs, isTooLarge }: ExportStart): void {
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / SECOND_MS);
    throw rateLimited(fault("", "csv_is_being_written"), seconds);
  }
  if (isTooLarge) throw tooManyClicks();
}

function tooManyClicks(): Error {
  return invalidField("start", "period_too_full", { max: MAX_EXPORT_CLICKS, resource: "click" });
}

/** The clicks of a CSV file, and their number before filters. Throws a 400 if there are too many. */
export async function selectClicks(
  context: Context,
  query: FileQuery,
): Promise<{ clicks: ExportQuery; total: number }> {
  const clicks = await toRecordQuery(context, null, query);
  const total = await queryClickLog(context, (log) => log.countExport(clicks, MAX_EXPORT_CLICKS));
  if (total > MAX_EXPORT_CLICKS) throw tooManyClicks();
  return { clicks, total };
}

/** The next page. Waits while another export has its turn. */
async function readNext(
  context: Context,
  id: string,
  query: ExportQuery,
  after: ExportCursor | null,
): Promise<ExportPage> {
  for (;;) {
    const page = await queryClickLog(context, (log) => log.readExport(id, query, after));
    if (page.waitMs === 0) return page;
    await scheduler.wait(Math.min(page.waitMs, EXPORT_POLL_MS));
  }
}

async function toRecordQuery(
  context: Context,
  linkId: string | null,
  query: FileQuery,
): Promise<Omit<RecordQuery, "before" | "offset" | "limit">> {
  const { links, period } = await readSubject(context, linkId, query);
  return { links, start: period.start, end: period.end, filters: toFilters(query), bots: query.bots ?? "exclude" };
}

interface Subject {
  links: LinkSelection;
  period: Period;
  periodQuery: PeriodQuery;
  /** Of one link; 0 for the account's. Nothing adds those up, because each link would be read. */
  importedClicks: number;
}

/** The account's links, and the period of the query. It throws if there is no such link or period. */
async function readSubject(
  context: Context,
  linkId: string | null,
  query: Partial<Omit<ClicksQuery, "page">>,
): Promise<Subject> {
  const { now } = context;
  const { interval, start, end, bucket, timezone = "UTC" } = query;
  const row = linkId === null ? null : await getLinkRow(context, linkId);
  const createdAt = row?.created_at ?? (await queryClickLog(context, async (log) => log.firstClickAt())) ?? now;
  const periodQuery = { interval, start, end, bucket, timezone, now, createdAt };
  const period = requirePeriod(periodOf(periodQuery));
  const links = row === null ? await selectLinks(context, query) : [row.id];
  return { links, period, periodQuery, importedClicks: row?.imported_clicks ?? 0 };
}

function requirePeriod(result: PeriodResult): Period {
  if (!result.ok) throw invalidRequest([result.fault]);
  return result.period;
}
