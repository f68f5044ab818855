import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { taggedAccount, type TagPage } from "./support.ts";
import { JOB_REPEAT_MS } from "../../../src/links/tags/limits.ts";

const { account, api, tagsOf, rename, remove, jobOf, tagsOfLink, slugs } = taggedAccount();

describe("the list of tags", () => {
  it("has the number of links of each, however they got or lost it", async () => {
    const one = await createLink(account.key, { tags: ["Sale", "print", "SALE"] });
    const two = await createLink(account.key, { tags: ["sale", 'a "b" \\u001f,'] });
    const three = await createLink(account.key, { tags: ["sale"], archived: true });
    await createLink((await createAccount()).key, { tags: ["sale", "theirs"] });
    expect(one.tags).toEqual(["Sale", "print"]);
    expect(await tagsOf()).toEqual(['a "b" \\u001f, 1', "print 1", "Sale 3"]);
    await api("PATCH", `/api/links/${one.id}`, { tags: ["print", "new"] });
    await api("PATCH", "/api/links/bulk", { ids: [two.id, three.id], changes: { tags: ["NEW"] } });
    expect(await tagsOf()).toEqual(["new 3", "print 1"]);
    await api("DELETE", `/api/links/${one.id}`);
    await api("PATCH", `/api/links/${two.id}`, { tags: null });
    expect(await tagsOf()).toEqual(["new 1"]);
    await api("POST", `/api/links/${one.id}/restore`);
    expect(await tagsOf()).toEqual(["new 2", "print 1"]);
    expect(await slugs("tag=PRINT")).toEqual([one.slug]);
  });

  it("has no tag that cannot be part of a URL", async () => {
    for (const tag of [".", "..", " .. "])
      expect(await api("POST", "/api/links", { url: "https://example.com/", tags: [tag] })).toMatchObject({
        status: 400,
        details: [{ path: "tags.0", code: "dots_only" }],
      });
    await createLink(account.key, { tags: ["...", ".a"] });
    expect(await tagsOf()).toEqual(["... 1", ".a 1"]);
  });

  it("is in the order of names without regard to case, in pages, and can be limited to a prefix", async () => {
    await createLink(account.key, { tags: ["b", "Ba", "BÄR", "ba\u0308ren", "a", "C", "b c", "日本", "Straße", "="] });
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
      await createLink(account.key, { tags: Array.from({ length: 20 }, (_, tag) => `${n}-${tag}`.padStart(5, "0")) });
    vi.useFakeTimers({ toFake: ["Date"] });
    const { nextCursor } = await api<TagPage>("GET", "/api/tags?limit=10");
    for (const [query, rows] of [
      ["", 11],
      [`&cursor=${nextCursor}`, 12],
      ["&prefix=05", 10],
    ] as const) {
      const cost = await measureD1(async () => expect(await tagsOf(`?limit=10${query}`)).toHaveLength(10));
      expect([cost.roundTrips, cost.rowsRead]).toEqual([2, 1 + rows]);
    }
    const written = async (tags: string[]) => (await measureD1(() => createLink(account.key, { tags }))).rowsWritten;
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
    const link = await createLink(account.key, { slug: "one", tags: ["Straße", "strasse", "ı"] });
    const other = await createLink(account.key, { slug: "two", tags: ["E\u0301TE\u0301", "i"] });
    const none = await createLink(account.key, { slug: "none", tags: ["straß", "ete"] });
    expect([link.tags, other.tags]).toEqual([
      ["Straße", "ı"],
      ["ÉTÉ", "i"],
    ]);
    for (const tag of ["STRASSE", "straẞe", "strasse"])
      expect(await slugs(`tag=${encodeURIComponent(tag)}`)).toEqual(["one"]);
    expect(await slugs("tag=I")).toEqual(["two"]);
    for (const { id } of [link, other, none]) await api("PATCH", `/api/links/${id}`, { title: "x" });
    const events = await env.DB.prepare(
      "SELECT body ->> '$.data.slug' AS slug FROM deliveries ORDER BY event_id",
    ).all();
    expect(events.results).toEqual([{ slug: "one" }, { slug: "two" }]);
  });
});

describe("renaming a tag", () => {
  it("changes every link that has it, with one event each, and nothing else", async () => {
    const body = { url: "https://example.com/hook", events: ["link.update"] };
    await api("POST", "/api/webhooks", { ...body, tags: ["sale", "other"] });
    const links = [
      await createLink(account.key, { slug: "a", tags: ["x", "Sale", "y"] }),
      await createLink(account.key, { slug: "b", tags: ["SALE", "Promotion"], archived: true }),
      await createLink(account.key, { slug: "c", tags: ["promotion"] }),
    ];
    const theirs = await createLink((await createAccount()).key, { tags: ["sale"] });
    const { status, job } = await rename("sAle", "PROMOTION");
    expect([status, job]).toMatchObject([202, { type: "tag.rename", status: "pending", done: 0, total: 2 }]);
    const done = { ...job, status: "done", done: 2, total: 2, finishedAt: expect.any(Number) };
    expect(await jobOf(job.id)).toEqual(done);
    const tags = [["x", "PROMOTION", "y"], ["PROMOTION"], ["promotion"]];
    expect(await Promise.all(links.map(({ id }) => tagsOfLink(id)))).toEqual(tags);
    expect(await tagsOf()).toEqual(["PROMOTION 3", "x 1", "y 1"]);
    expect(await slugs("tag=promotion&order=asc")).toEqual(["a", "c"]);
    expect(await slugs("tag=sale&archived=include")).toEqual([]);
    const events = await env.DB.prepare("SELECT body -> '$.data' AS link FROM deliveries ORDER BY event_id").all();
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

  it("returns the same job when it is repeated within ten minutes, and so does a deletion", async () => {
    const { id } = await createLink(account.key, { tags: ["sale"] });
    const first = await rename("sale", "promotion");
    expect(await rename("sale", "promotion")).toEqual({ status: 202, job: await jobOf(first.job.id) });
    expect((await rename("sale", "other")).status).toBe(404);
    expect((await remove("sale")).status).toBe(404);
    const deleted = await remove("promotion");
    expect(await remove("promotion")).toEqual({ status: 202, job: await jobOf(deleted.job.id) });
    // Work that is to be done is done.
    await api("PATCH", `/api/links/${id}`, { tags: ["sale"] });
    const again = await rename("sale", "promotion");
    expect([again.job.id === first.job.id, await tagsOfLink(id)]).toEqual([false, ["promotion"]]);
    const other = await createAccount();
    const path = "/api/tags/sale";
    expect((await call("PATCH", path, { key: other.key, body: { name: "promotion" } })).status).toBe(404);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + JOB_REPEAT_MS + 1 });
    expect((await rename("sale", "promotion")).status).toBe(404);
  });

  it("can change only the spelling", async () => {
    const { id } = await createLink(account.key, { tags: ["sale"] });
    await createLink(account.key, { tags: ["SALE"] });
    const { job } = await rename("sale", "SALE");
    expect(await jobOf(job.id)).toMatchObject({ status: "done", done: 1, total: 1 });
    expect([await tagsOfLink(id), await tagsOf()]).toEqual([["SALE"], ["SALE 2"]]);
  });

  it("finds names with any character, and refuses those that are no tag", async () => {
    const { id } = await createLink(account.key, { tags: ["a/b?c#d", "50%", 'x"y\\', "日本"] });
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
  const links = [
    await createLink(account.key, { tags: ["Sale"] }),
    await createLink(account.key, { tags: ["a", "sale", "b"] }),
  ];
  const { status, job } = await remove("SALE");
  expect([status, job]).toMatchObject([202, { type: "tag.delete", input: { tag: "SALE", name: null }, total: 2 }]);
  expect(await jobOf(job.id)).toMatchObject({ status: "done", done: 2, total: 2 });
  expect(await Promise.all(links.map(({ id }) => tagsOfLink(id)))).toEqual([[], ["a", "b"]]);
  expect(await tagsOf()).toEqual(["a 1", "b 1"]);
  const { webhooks } = await api<{ webhooks: { tags: string[] }[] }>("GET", "/api/webhooks");
  expect(webhooks.map(({ tags }) => tags)).toEqual([["sale"]]);
});
