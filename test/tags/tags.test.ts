import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Job } from "../../src/jobs/contract.ts";
import { runJobs } from "../../src/jobs/run.ts";
import { toJob } from "../../src/jobs/store.ts";
import { newId } from "../../src/lib/uuid.ts";
import type { Link } from "../../src/links/contract.ts";
import { toTagKey } from "../../src/tags/key.ts";
import { insertTagJob } from "../../src/tags/store/jobs.ts";
import { call, createAccount, createLink, jobContext, jsonOf, runCron, type ErrorJson } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";

interface TagPage {
  tags: { name: string; links: number }[];
  nextCursor: string | null;
}

let key: string;
let accountId: number;
beforeEach(async () => ({ key, accountId } = await createAccount()));

async function api<T>(method: string, path: string, body?: object): Promise<T & { status: number } & ErrorJson> {
  const response = await call(method, path, { key, body });
  return { status: response.status, ...(await jsonOf<T & ErrorJson>(response)) };
}

const tagsOf = async (query = "") =>
  (await api<TagPage>("GET", `/api/tags${query}`)).tags.map(({ name, links }) => `${name} ${links}`);
const path = (tag: string) => `/api/tags/${encodeURIComponent(tag)}`;
const rename = (tag: string, name: string) => api<{ job: Job }>("PATCH", path(tag), { name });
const remove = (tag: string) => api<{ job: Job }>("DELETE", path(tag));
const jobOf = async (id: string) => (await api<{ job: Job }>("GET", `/api/jobs/${id}`)).job;
const tagsOfLink = async (id: string) => (await api<{ link: Link }>("GET", `/api/links/${id}`)).link.tags;
const slugs = async (query: string) =>
  (await api<{ links: Link[] }>("GET", `/api/links?${query}`)).links.map(({ slug }) => slug);

describe("the list of tags", () => {
  it("has the number of links of each, however they got or lost it", async () => {
    const one = await createLink(key, { tags: ["Sale", "print", "SALE"] });
    const two = await createLink(key, { tags: ["sale", 'a "b" \\u001f,'] });
    const three = await createLink(key, { tags: ["sale"], archived: true });
    await createLink((await createAccount()).key, { tags: ["sale", "theirs"] });
    expect(one.tags).toEqual(["Sale", "print"]);
    expect(await tagsOf()).toEqual(['a "b" \\u001f, 1', "print 1", "Sale 3"]);
    await api("PATCH", `/api/links/${one.id}`, { tags: ["print", "new"] });
    await api("PATCH", "/api/links/bulk", { ids: [two.id, three.id], changes: { tags: ["NEW"] } });
    expect(await tagsOf()).toEqual(["new 3", "print 1"]);
    await api("DELETE", `/api/links/${one.id}`);
    await api("PATCH", `/api/links/${two.id}`, { tags: null });
    expect(await tagsOf()).toEqual(["new 1"]);
  });

  it("is in the order of names without regard to case, in pages, and can be limited to a prefix", async () => {
    await createLink(key, { tags: ["b", "Ba", "BÄR", "ba\u0308ren", "a", "C", "b c", "日本", "Straße", "="] });
    const all = ["= 1", "a 1", "b 1", "b c 1", "Ba 1", "BÄR 1", "bären 1", "C 1", "Straße 1", "日本 1"];
    expect(await tagsOf()).toEqual(all);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: TagPage = await api("GET", `/api/tags?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.tags.map(({ name, links }) => `${name} ${links}`));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(await tagsOf("?limit=3&page=2")).toEqual(all.slice(3, 6));
    expect(await tagsOf("?prefix=B")).toEqual(["b 1", "b c 1", "Ba 1", "BÄR 1", "bären 1"]);
    expect(await tagsOf(`?prefix=${encodeURIComponent("bA\u0308")}`)).toEqual(["BÄR 1", "bären 1"]);
    expect(await tagsOf("?prefix=STRASS")).toEqual(["Straße 1"]);
    const { nextCursor } = await api<TagPage>("GET", "/api/tags?prefix=b&limit=2");
    expect(await tagsOf(`?prefix=b&limit=2&cursor=${nextCursor}`)).toEqual(["Ba 1", "BÄR 1"]);
    for (const query of ["cursor=x", "prefix=", "search=a", `cursor=${nextCursor}&page=2`])
      expect((await api("GET", `/api/tags?${query}`)).status).toBe(400);
  });

  it("reads only its page, and links without tags write nothing for it", async () => {
    for (let n = 0; n < 6; n++)
      await createLink(key, { tags: Array.from({ length: 20 }, (_, tag) => `${n}-${tag}`.padStart(5, "0")) });
    vi.useFakeTimers({ toFake: ["Date"] });
    const { nextCursor } = await api<TagPage>("GET", "/api/tags?limit=10");
    for (const [query, rows] of [
      ["", 11],
      [`&cursor=${nextCursor}`, 12],
      ["&prefix=05", 11],
    ] as const) {
      const cost = await measureD1(async () => expect(await tagsOf(`?limit=10${query}`)).toHaveLength(10));
      expect([cost.roundTrips, cost.rowsRead]).toEqual([2, 1 + rows]);
    }
    const written = async (tags: string[]) => (await measureD1(() => createLink(key, { tags }))).rowsWritten;
    const withoutTags = await written([]);
    expect(await written(["00-01"])).toBe(withoutTags + 1);
    expect(await written(["new", "00-02"])).toBe(withoutTags + 2);
  });
});

describe("tags that are equal under case folding", () => {
  it("are one tag in links, lists and filters of webhooks", async () => {
    const body = { url: "https://example.com/hook", events: ["link.update"], tags: ["STRASSE", "Straße", "été"] };
    const { webhook } = await api<{ webhook: { id: string; tags: string[] } }>("POST", "/api/webhooks", body);
    expect(webhook.tags).toEqual(["STRASSE", "été"]);
    const link = await createLink(key, { slug: "one", tags: ["Straße", "strasse", "ı"] });
    const other = await createLink(key, { slug: "two", tags: ["E\u0301TE\u0301", "i"] });
    const none = await createLink(key, { slug: "none", tags: ["straß", "ete"] });
    expect([link.tags, other.tags]).toEqual([
      ["Straße", "ı"],
      ["ÉTÉ", "i"],
    ]);
    for (const tag of ["STRASSE", "straẞe", "strasse"])
      expect(await slugs(`tag=${encodeURIComponent(tag)}`)).toEqual(["one"]);
    expect(await slugs("tag=I")).toEqual(["two"]);
    for (const { id } of [link, other, none]) await api("PATCH", `/api/links/${id}`, { title: "x" });
    const events = await env.DB.prepare("SELECT body ->> '$.data.slug' AS slug FROM events ORDER BY id").all();
    expect(events.results).toEqual([{ slug: "one" }, { slug: "two" }]);
  });
});

describe("renaming a tag", () => {
  it("changes every link that has it, with one event each, and nothing else", async () => {
    const body = { url: "https://example.com/hook", events: ["link.update"] };
    await api("POST", "/api/webhooks", { ...body, tags: ["sale", "other"] });
    const links = [
      await createLink(key, { slug: "a", tags: ["x", "Sale", "y"] }),
      await createLink(key, { slug: "b", tags: ["SALE", "Promotion"], archived: true }),
      await createLink(key, { slug: "c", tags: ["promotion"] }),
    ];
    const theirs = await createLink((await createAccount()).key, { tags: ["sale"] });
    const { status, job } = await rename("sAle", "PROMOTION");
    expect([status, job]).toMatchObject([202, { type: "tag.rename", status: "pending", done: 0, total: 2 }]);
    const done = { ...job, status: "completed", done: 2, total: 2, finishedAt: expect.any(Number) };
    expect(await jobOf(job.id)).toEqual(done);
    const tags = [["x", "PROMOTION", "y"], ["PROMOTION"], ["promotion"]];
    expect(await Promise.all(links.map(({ id }) => tagsOfLink(id)))).toEqual(tags);
    expect(await tagsOf()).toEqual(["PROMOTION 3", "x 1", "y 1"]);
    expect(await slugs("tag=promotion&order=asc")).toEqual(["a", "c"]);
    expect(await slugs("tag=sale&archived=include")).toEqual([]);
    const events = await env.DB.prepare("SELECT body -> '$.data' AS link FROM events ORDER BY id").all();
    const after = await Promise.all(
      links.slice(0, 2).map(async ({ id }) => (await api<{ link: Link }>("GET", `/api/links/${id}`)).link),
    );
    expect(events.results.map(({ link }) => JSON.parse(link as string) as Link)).toEqual(after);
    expect(after.every(({ updatedAt }, n) => updatedAt > (links[n]?.updatedAt ?? 0))).toBe(true);
    const { webhooks } = await api<{ webhooks: { tags: string[] }[] }>("GET", "/api/webhooks");
    expect(webhooks.map((webhook) => webhook.tags)).toEqual([["other", "PROMOTION"]]);
    const untouched = await env.DB.prepare("SELECT tags FROM links WHERE id = ?1").bind(theirs.id).first("tags");
    expect(untouched).toBe('["sale"]');
    await env.DB.prepare("INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)").run();
  });

  it("can change only the spelling", async () => {
    const { id } = await createLink(key, { tags: ["sale"] });
    await createLink(key, { tags: ["SALE"] });
    const { job } = await rename("sale", "SALE");
    expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 1, total: 1 });
    expect([await tagsOfLink(id), await tagsOf()]).toEqual([["SALE"], ["SALE 2"]]);
  });

  it("finds names with any character, and refuses those that are no tag", async () => {
    const { id } = await createLink(key, { tags: ["a/b?c#d", "50%", 'x"y\\', "日本"] });
    for (const tag of ["a/b?c#d", "50%", 'x"y\\', "日本"]) expect((await rename(tag, `${tag}!`)).status).toBe(202);
    expect(await tagsOfLink(id)).toEqual(["a/b?c#d!", "50%!", 'x"y\\!', "日本!"]);
    expect(await rename("none", "x")).toMatchObject({ status: 404, code: "not_found" });
    expect((await remove("none")).status).toBe(404);
    expect((await rename("日本!", "x".repeat(51))).details).toMatchObject([{ path: "name" }]);
    expect((await rename("x".repeat(51), "x")).status).toBe(400);
  });
});

it("removes a deleted tag from all links, and keeps the links and the filters of webhooks", async () => {
  const body = { url: "https://example.com/hook", events: ["link.update"], tags: ["sale"] };
  await api("POST", "/api/webhooks", body);
  const links = [await createLink(key, { tags: ["Sale"] }), await createLink(key, { tags: ["a", "sale", "b"] })];
  const { status, job } = await remove("SALE");
  expect([status, job]).toMatchObject([202, { type: "tag.delete", input: { tag: "SALE", name: null }, total: 2 }]);
  expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 2, total: 2 });
  expect(await Promise.all(links.map(({ id }) => tagsOfLink(id)))).toEqual([[], ["a", "b"]]);
  expect(await tagsOf()).toEqual(["a 1", "b 1"]);
  const { webhooks } = await api<{ webhooks: { tags: string[] }[] }>("GET", "/api/webhooks");
  expect(webhooks.map(({ tags }) => tags)).toEqual([["sale"]]);
});

describe("a job on many links", () => {
  const countTag = (tag: string) => env.DB.prepare("SELECT links FROM tags WHERE key = ?1").bind(tag).first("links");

  it("is continued by the cron after a crash, and changes each link once", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await insertManyLinks(env.DB, accountId, 1_300);
    await api("POST", "/api/webhooks", { url: "https://example.com/hook", events: ["link.update"] });
    const { job } = await startWithoutRunning("common", "rare");
    const failing = { ...env.DB, prepare: env.DB.prepare.bind(env.DB), batch: failAfter(1) } as unknown as D1Database;
    await runJobs(jobContext(Date.now(), { DB: failing }), accountId);
    expect(await jobOf(job.id)).toMatchObject({ status: "running", done: 500, total: 1_300, finishedAt: null });
    expect([await countTag("common"), await countTag("rare")]).toEqual([800, 500]);
    await createLink(key, { tags: ["Common"] });
    // An old link that the job has passed gets the tag again.
    const first = await env.DB.prepare("SELECT id FROM links ORDER BY seq LIMIT 1").first<string>("id");
    await api("PATCH", `/api/links/${first}`, { tags: ["common", "rare"] });
    await runCron(Date.now());
    expect((await jobOf(job.id)).done).toBe(500);
    await runCron(Date.now() + 61_000);
    expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 1_302, total: 1_302 });
    expect([await countTag("common"), await countTag("rare")]).toEqual([null, 1_301]);
    const events = await env.DB.prepare("SELECT count(*) AS n FROM events").first("n");
    expect(events).toBe(1_302 + 1);
  });

  it("changes each link once if it is run several times at once", async () => {
    await insertManyLinks(env.DB, accountId, 700);
    await api("POST", "/api/webhooks", { url: "https://example.com/hook", events: ["link.update"] });
    const { job } = await startWithoutRunning("common", null);
    await Promise.all([1, 2, 3].map(() => runJobs(jobContext(Date.now()), accountId)));
    expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 700, total: 700 });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM events").first("n")).toBe(700);
    expect(await tagsOf()).toEqual([]);
  });

  it("waits for earlier jobs of the account", async () => {
    const { id } = await createLink(key, { tags: ["a", "b"] });
    const first = await startWithoutRunning("a", "b");
    const second = await startWithoutRunning("b", "a");
    await runJobs(jobContext(Date.now()), accountId);
    const [one, two] = [await jobOf(first.job.id), await jobOf(second.job.id)];
    expect([one, two]).toMatchObject([
      { status: "completed", done: 1 },
      { status: "completed", done: 1 },
    ]);
    expect(await tagsOfLink(id)).toEqual(["a"]);
  });

  it("costs as many rows in a small account as in a large one", async () => {
    const costs = [];
    for (const links of [100, 3_000]) {
      await insertManyLinks(env.DB, accountId, links);
      for (const slug of ["n1", "n2"]) await createLink(key, { slug, tags: ["needle", "x"] });
      const { job } = await startWithoutRunning("needle", "pin");
      costs.push(await measureD1(() => runJobs(jobContext(Date.now()), accountId)));
      expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 2 });
      await api("PATCH", "/api/links/bulk", {
        ids: (await api<{ links: Link[] }>("GET", "/api/links?tag=pin")).links.map((link) => link.id),
        changes: { tags: null, slug: undefined },
      });
      await env.DB.prepare("DELETE FROM links WHERE slug IN ('n1', 'n2')").run();
    }
    const [small, large] = costs.map(({ roundTrips, rowsRead, rowsWritten }) => [roundTrips, rowsRead, rowsWritten]);
    expect(large).toEqual(small);
  });

  it("is shown to its account only, and deleted after 30 days", async () => {
    await createLink(key, { tags: ["a"] });
    const { job } = await rename("a", "b");
    expect((await call("GET", `/api/jobs/${job.id}`, { key: (await createAccount()).key })).status).toBe(403);
    expect((await api("GET", "/api/jobs/none")).status).toBe(404);
    await runCron(Date.now() + 29 * 86_400_000);
    expect((await jobOf(job.id)).status).toBe("completed");
    await runCron(Date.now() + 31 * 86_400_000);
    expect((await api("GET", `/api/jobs/${job.id}`)).status).toBe(404);
  });

  /** As if the Worker had been stopped right after its response. */
  async function startWithoutRunning(tag: string, name: string | null): Promise<{ job: Job }> {
    const now = Date.now();
    const row = await insertTagJob(
      env.DB,
      { id: newId(now), accountId, key: toTagKey(tag), input: { tag, name } },
      now,
    );
    if (row === null) throw new Error("there is no such tag");
    return { job: toJob(row) };
  }

  function failAfter(calls: number): D1Database["batch"] {
    let left = calls;
    return (statements) => {
      if (left-- <= 0) throw new Error("down");
      return env.DB.batch(statements);
    };
  }
});
