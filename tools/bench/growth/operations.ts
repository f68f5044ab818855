import type { Domain } from "../../../src/domains/contract.ts";
import type { Link } from "../../../src/links/contract.ts";
import type { Account } from "../account.ts";
import { call, visit, type Counters, type InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, NOW, YEAR_DAYS } from "../instrumented/year.ts";
import { domainOf } from "./fill.ts";

/** What each operation costs in D1 and in the storage of ClickLogs. */
export type Costs = Record<string, Cost>;

type Cost = Pick<
  Counters,
  "databaseRoundTrips" | "databaseRowsRead" | "databaseRowsWritten" | "logRowsRead" | "logRowsWritten"
>;

/** Leaves out rate limits and queues, whose costs do not grow. */
export function toCost(counters: Counters): Cost {
  const { databaseRoundTrips, databaseRowsRead, databaseRowsWritten, logRowsRead, logRowsWritten } = counters;
  return { databaseRoundTrips, databaseRowsRead, databaseRowsWritten, logRowsRead, logRowsWritten };
}

/** Reads up to 1,001 links, of a smaller account all. */
export const COUNTED = "counted";

/** Reads all links with the tag, by design: each pair of an order and a filter would need its own index. */
export const SORTED_AND_FILTERED = "in order of clicks, with a tag that most have";

export interface Subjects {
  server: InstrumentedServer;
  /** Has links and a domain, and no webhook. */
  owner: Account;
  /** Has a webhook and past deliveries. */
  subscriber: Account;
}

const BULK = 100;
/** Between passes. Cached entries expire in this time, and the limit of created links forgets those of the pass before. */
const PASS_MS = 180_000;
const URL = "https://example.com/";
/** Before all links. */
const SINCE = NOW - 2 * YEAR_DAYS * DAY_MS;

/** Runs all operations in a fixed order, each at its own millisecond, and deletes what they create. */
export async function measureOperations(subjects: Subjects, number: number): Promise<Costs> {
  const pass = new Pass(subjects, number);
  // The first use of a key in a minute and the first alarm of a ClickLog are written: not part of the costs.
  await pass.advance();
  for (const account of [subjects.owner, subjects.subscriber])
    await pass.call("GET", "/api/links?limit=1", undefined, account);
  await pass.deleteLink(await pass.call("POST", "/api/links", { url: URL }));
  await measureRedirects(pass);
  await measureOneLink(pass);
  await measureLists(pass);
  await measureTags(pass);
  await measureBulk(pass);
  await measureDomains(pass);
  await measureWebhooks(pass);
  await measureCron(pass);
  return pass.costs;
}

/** One run of all operations. */
class Pass {
  readonly costs: Costs = {};
  readonly subjects: Subjects;
  /** Different in each pass, for unique names. No pass is in the first minute of an hour, in which the cron does more. */
  readonly number: number;
  time: number;

  constructor(subjects: Subjects, number: number) {
    this.subjects = subjects;
    this.number = number;
    this.time = NOW + (number + 1) * PASS_MS;
  }

  async advance(ms = 1): Promise<void> {
    this.time += ms;
    await this.subjects.server.control({ stopAt: this.time });
  }

  async measure<T>(name: string, run: () => Promise<T>): Promise<T> {
    await this.advance();
    let result: T | undefined;
    const counters = await this.subjects.server.count(async () => {
      result = await run();
    });
    this.costs[name] = toCost(counters);
    return result as T;
  }

  async call<T>(method: string, path: string, body?: object, { key } = this.subjects.owner): Promise<T> {
    return (await call(this.subjects.server, key, method, path, body)).json() as T;
  }

  measureCall<T>(name: string, ...request: Parameters<typeof this.call>): Promise<T> {
    return this.measure(name, () => this.call<T>(...request));
  }

  async deleteLink({ link }: LinkResponse): Promise<void> {
    await this.call("DELETE", `/api/links/${link.id}`);
  }
}

type LinkResponse = { link: Link };

async function measureRedirects(pass: Pass): Promise<void> {
  const { server, owner } = pass.subjects;
  const customDomain = domainOf(owner.accountId);
  const slugAt = (domain: string) => {
    const sql = `SELECT slug FROM links WHERE account_id = ?1 AND domain = ?2 AND status = 'active' AND max_clicks IS NULL
        ORDER BY seq LIMIT 1 OFFSET ?3`;
    return server.db.prepare(sql).bind(owner.accountId, domain, pass.number).first<string>("slug");
  };
  const [slug, customSlug] = [await slugAt(""), await slugAt(customDomain)];
  const prefetch = { "Sec-Purpose": "prefetch" };
  await pass.measure("redirect, cold", () => visit(server, `/${slug}`, prefetch));
  await pass.measure("redirect, hot", () => visit(server, `/${slug}`, prefetch));
  await pass.measure("redirect at a custom domain, cold", () =>
    visit(server, `/${customSlug}`, { ...prefetch, Host: customDomain }),
  );
  await pass.measure("an unknown slug", () => visit(server, `/nowhere-${pass.number}`, prefetch, 404));
}

async function measureOneLink(pass: Pass): Promise<void> {
  const fields = { url: URL, tags: ["needle", "common"], title: "Thimble", externalId: `round-${pass.number}` };
  await pass.measureCall("authenticate, with the list of keys", "GET", "/api/keys");
  const { link } = await pass.measureCall<LinkResponse>("create a link", "POST", "/api/links", fields);
  const path = `/api/links/${link.id}`;
  await pass.measureCall("get it", "GET", path);
  await pass.measureCall("change its title", "PATCH", path, { title: "Pincushion" });
  const moved = { slug: `moved-${pass.number}`, tags: ["needle"] };
  await pass.measureCall("change its slug and tags", "PATCH", path, moved);
  await pass.measureCall("upsert it", "PUT", "/api/links/upsert", fields);
  await pass.measureCall("delete it", "DELETE", path);
  await pass.measureCall("restore it", "POST", `${path}/restore`);
  await pass.deleteLink({ link });
  await pass.deleteLink(await pass.measureCall("upsert one that is not there", "PUT", "/api/links/upsert", fields));
  await pass.deleteLink(await pass.measureCall("shorten", "POST", "/api/shorten", { url: URL }));
  const { server } = pass.subjects;
  await pass.measure("shorten without a key", () => server.request("POST", "/api/shorten", {}, { url: URL }));
}

async function measureLists(pass: Pass): Promise<void> {
  const { owner } = pass.subjects;
  const [slug, externalId] = [`thimble-${pass.number}`, `thimble-${pass.number}`];
  const fields = { url: `${URL}haystack`, slug, externalId, tags: ["needle", "common"] };
  const haystack = await pass.call<LinkResponse>("POST", "/api/links", fields);
  const domain = domainOf(owner.accountId);
  for (const [name, query] of [
    ["a page of 100 links", ""],
    ["the same, oldest first", "&order=asc"],
    ["with status=active", "&status=active"],
    ["with status=expired", "&status=expired"],
    ["with a domain", `&domain=${domain}`],
    ["with a tag that most have", "&tag=common"],
    ["with a tag that one has", "&tag=needle"],
    ["with words that most have", "&search=www.shop"],
    ["with words that one has", "&search=haystack"],
    ["with all of these", `&search=www.shop&tag=common&status=active&domain=${domain}`],
    ["with a slug", `&slug=${slug}`],
    ["with an externalId", `&externalId=${externalId}`],
    ["with a URL", `&url=${fields.url}`],
    ["with a URL and all other filters", `&url=${fields.url}&tag=common&status=active&search=thimble&createdAfter=1`],
    ["with any of two tags", "&tag=common&tag=needle"],
    ["with all of two tags", "&tag=common&tag=needle&tagMode=all"],
    ["created since a time", `&createdAfter=${SINCE}&createdBefore=${NOW * 2}`],
    ["created since a time, with status=active", `&createdAfter=${SINCE}&status=active`],
    ["created since a time, with a domain", `&createdAfter=${SINCE}&domain=${domain}`],
    ["created since a time, with a tag that most have", `&createdAfter=${SINCE}&tag=common`],
    ["created before a time, oldest first", `&createdBefore=${NOW * 2}&order=asc`],
    ["archived", "&archived=only"],
    ["with archived ones", "&archived=include"],
    ["with archived ones, with a tag that most have", "&archived=include&tag=common"],
    [COUNTED, "&count=true"],
    ["with a tag that one has, counted", "&tag=needle&count=true"],
    ["in order of clicks", "&sort=clicks"],
    ["in order of the last click", "&sort=lastClickedAt"],
    ["page 8 by its number", "&page=8"],
    ["in order of clicks, with a tag that one has", "&sort=clicks&tag=needle"],
    [SORTED_AND_FILTERED, "&sort=clicks&tag=common"],
  ] as const)
    await pass.measureCall(name, "GET", `/api/links?limit=100${query}`);
  const { nextCursor } = await pass.call<{ nextCursor: string }>("GET", "/api/links?limit=100");
  const sql =
    "SELECT id FROM links WHERE account_id = ?1 ORDER BY seq LIMIT 1 OFFSET (SELECT count(*) / 2 FROM links WHERE account_id = ?1)";
  const middle = await pass.subjects.server.db.prepare(sql).bind(owner.accountId).first<string>("id");
  const [order = ""] = atob(nextCursor).split(":");
  const cursor = btoa(`${order}:${middle}`).replaceAll("=", "");
  await pass.measureCall("a page in the middle, by cursor", "GET", `/api/links?limit=100&cursor=${cursor}`);
  await pass.deleteLink(haystack);
}

async function measureTags(pass: Pass): Promise<void> {
  const needle = `needle-${pass.number}`;
  const created = await pass.call<LinkResponse>("POST", "/api/links", { url: URL, tags: [needle, "common"] });
  await pass.measureCall("list tags", "GET", "/api/tags?limit=10");
  await pass.measureCall("list tags with a prefix", "GET", "/api/tags?limit=10&prefix=tag-1");
  await pass.measureCall("rename a tag that one link has", "PATCH", `/api/tags/${needle}`, {
    name: `pin-${pass.number}`,
  });
  await pass.measureCall("delete a tag that one link has", "DELETE", `/api/tags/pin-${pass.number}`);
  await pass.deleteLink(created);
}

async function measureBulk(pass: Pass): Promise<void> {
  const names = Array.from({ length: BULK }, (_, n) => `bulk-${pass.number}-${n}`);
  const links = names.map((slug, n) => ({ url: `https://host-${n}.example/`, slug, externalId: slug }));
  const create = ["create 100 links at once", "POST", "/api/links/bulk", { links }] as const;
  const { results } = await pass.measureCall<{ results: LinkResponse[] }>(...create);
  const ids = results.map(({ link }) => link.id);
  await pass.measureCall("change 100", "PATCH", "/api/links/bulk", { ids, changes: { title: "x" } });
  await pass.measureCall("delete 100", "DELETE", "/api/links/bulk", { ids });
}

async function measureDomains(pass: Pass): Promise<void> {
  await pass.measureCall("list domains", "GET", "/api/domains");
  const add = ["add a domain", "POST", "/api/domains/add", { domain: `round-${pass.number}.acme.com` }] as const;
  const { domain } = await pass.measureCall<{ domain: Domain }>(...add);
  const proof = domain.records.find(({ type }) => type === "TXT");
  if (proof?.type !== "TXT") throw new Error("the domain has no TXT record");
  await pass.subjects.server.publish({ [`TXT ${proof.name}`]: [`"${proof.value}"`] });
  await pass.measureCall("verify it", "POST", `/api/domains/${domain.id}/verify`);
  await pass.measureCall("delete it again", "DELETE", `/api/domains/${domain.id}`);
}

async function measureWebhooks(pass: Pass): Promise<void> {
  const { subscriber } = pass.subjects;
  const get = (path: string) => ["GET", path, undefined, subscriber] as const;
  const { webhooks } = await pass.call<{ webhooks: { id: string }[] }>(...get("/api/webhooks"));
  await pass.measureCall("list webhooks", ...get("/api/webhooks"));
  const path = `/api/webhooks/${webhooks[0]?.id}/deliveries`;
  const deliveries = `${path}?limit=100`;
  const failed = `event=link.create&status=failed&start=${SINCE}`;
  await pass.measureCall("a page of 100 deliveries", ...get(deliveries));
  await pass.measureCall("a page of 10 with an event type", ...get(`${path}?limit=10&event=link.create`));
  await pass.measureCall("with an event type, a status and a time", ...get(`${path}?limit=10&${failed}`));
  const deliver = () => pass.subjects.server.control({ deliver: true });
  // After a success the webhook may have a second attempt in flight, and its senders look for it.
  await pass.call("POST", "/api/links", { url: URL }, subscriber);
  await deliver();
  await pass.measure("create a link with one recipient, and deliver its event", async () => {
    await pass.call("POST", "/api/links", { url: URL }, subscriber);
    await deliver();
  });
  const createTwo = ["POST", "/api/links/bulk", { links: [{ url: URL }, { url: URL }] }, subscriber] as const;
  await pass.measureCall("create two links with one recipient", ...createTwo);
  await pass.measure("deliver their events", deliver);
}

async function measureCron(pass: Pass): Promise<void> {
  const cron = () => pass.subjects.server.control({ cron: true });
  // Cleans up after the deletions.
  await cron();
  await pass.measure("the cron, with nothing to do", cron);
  const links = Array.from({ length: 10 }, () => ({ url: URL, expiresAt: pass.time + 1_000 }));
  const { results } = await pass.call<{ results: LinkResponse[] }>("POST", "/api/links/bulk", { links });
  await pass.advance(2_000);
  await pass.measure("the cron, with 10 links to expire", cron);
  await pass.call("DELETE", "/api/links/bulk", { ids: results.map(({ link }) => link.id) });
  await cron();
}
