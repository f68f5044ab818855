import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv } from "../../auth/principal.ts";
import { invalidRequest } from "../../http/errors.ts";
import { readPage, toPage } from "../../http/pagination.ts";
import { CSV_PAGE_RECORDS, RECENT_CLICKS } from "../../limits.ts";
import { getLinkRow } from "../../links/get-link.ts";
import { toClickRecord, toClicks, toFilters } from "./serialize.ts";
import type * as contract from "./contract.ts";
import { toCsv } from "./csv.ts";
import { queryClickLog } from "../click-log/client.ts";
import type { RecordQuestion, StoredRecord } from "../click-log/records.ts";
import { periodOf, type Period } from "./period.ts";

/** What is asked about: a link, or all links of the account. */
interface Subject {
  link: string | null;
  /** Before it there are no clicks. Unix milliseconds. */
  createdAt: number;
}

export const getLinkClicks: RouteHandler<typeof contract.getLinkClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await analyse(c, await oneLink(c, c.req.valid("param").id), c.req.valid("query")) }, 200);

export const getClicks: RouteHandler<typeof contract.getClicks, AuthEnv> = async (c) =>
  c.json({ clicks: await analyse(c, await allLinks(c), c.req.valid("query")) }, 200);

export const listLinkClicks: RouteHandler<typeof contract.listLinkClicks, AuthEnv> = async (c) =>
  answerRecords(c, await oneLink(c, c.req.valid("param").id), c.req.valid("query"));

export const listClicks: RouteHandler<typeof contract.listClicks, AuthEnv> = async (c) =>
  answerRecords(c, await allLinks(c), c.req.valid("query"));

async function oneLink(c: Context<AuthEnv>, id: string): Promise<Subject> {
  const row = await getLinkRow(c.get("context"), id);
  return { link: row.id, createdAt: row.created_at };
}

async function allLinks(c: Context<AuthEnv>): Promise<Subject> {
  const { accountId } = c.get("context").principal;
  return {
    link: null,
    createdAt: (await queryClickLog(c.env, accountId, (log) => log.beganAt())) ?? c.get("context").now,
  };
}

async function analyse(c: Context<AuthEnv>, subject: Subject, query: contract.ClicksQuery): Promise<contract.Clicks> {
  const { link } = subject;
  const period = readPeriod(query, subject, c.get("context").now);
  const { start, end, borders } = period;
  const filters = toFilters(query);
  const newest = { before: null, offset: 0, limit: RECENT_CLICKS };
  const { accountId } = c.get("context").principal;
  const [tallied, recent] = await Promise.all([
    queryClickLog(c.env, accountId, (log) => log.tally(link, { start, end, borders, filters })),
    readRecords(c, { link, start, end, filters, bots: "exclude", ...newest }),
  ]);
  return toClicks(period, tallied, recent);
}

async function answerRecords(c: Context<AuthEnv>, subject: Subject, query: contract.RecordsQuery) {
  const { link } = subject;
  const { start, end } = readPeriod(query, subject, c.get("context").now);
  const question = { link, start, end, filters: toFilters(query), bots: query.bots ?? "exclude" };
  if (query.format === "csv") return answerCsv(c, question, query);
  const order = `clicks.${link ?? "all"}`;
  const page = readPage(query, order);
  const asked = { ...question, before: page.after, offset: page.offset, limit: page.limit + 1 };
  const found = await readRecords(c, asked);
  const { items, nextCursor } = toPage(found, page, order, ({ id }) => id);
  return c.json({ records: items.map(toClickRecord), nextCursor }, 200);
}

type WholeQuestion = Omit<RecordQuestion, "before" | "offset" | "limit">;

function answerCsv(c: Context<AuthEnv>, question: WholeQuestion, query: contract.RecordsQuery) {
  for (const path of ["limit", "page", "cursor"] as const) {
    if (query[path] !== undefined)
      throw invalidRequest([{ path, message: "cannot be given with format=csv, which answers all" }]);
  }
  const pages = allPages((before) => readRecords(c, { ...question, before, offset: 0, limit: CSV_PAGE_RECORDS }));
  c.header("Content-Disposition", 'attachment; filename="clicks.csv"');
  return c.body(toCsv(pages), 200, { "Content-Type": "text/csv; charset=utf-8" });
}

function readRecords(c: Context<AuthEnv>, question: RecordQuestion): Promise<StoredRecord[]> {
  return queryClickLog(c.env, c.get("context").principal.accountId, (log) => log.records(question));
}

async function* allPages(read: (before: string | null) => Promise<StoredRecord[]>) {
  let before: string | null = null;
  do {
    const page = await read(before);
    yield page.map(toClickRecord);
    before = page.length < CSV_PAGE_RECORDS ? null : (page.at(-1)?.id ?? null);
  } while (before !== null);
}

function readPeriod(query: contract.ClicksQuery, { createdAt }: Subject, now: number): Period {
  const { interval, start, end, timezone = "UTC" } = query;
  const result = periodOf({ interval, start, end, timezone, now, createdAt });
  if (!result.ok) throw invalidRequest([{ path: result.path, message: result.message }]);
  return result.period;
}
