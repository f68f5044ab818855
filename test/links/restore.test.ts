import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import type { Links } from "../../src/links/list-contract.ts";
import { call, runCron } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { handOver } from "../support/domains.ts";
import { newService } from "../webhooks/support.ts";
import { api, bulk, DOMAIN, SOME_ID, twoAccounts, update, URL_OK } from "./support.ts";

const { mine, theirs, create, api: callApi } = twoAccounts();

const DAY_MS = 86_400_000;
const remove = (id: string) => callApi("DELETE", `/api/links/${id}`);
const restore = (id: string, account = mine) => callApi("POST", `/api/links/${id}/restore`, undefined, account);

describe("restoring a deleted link", () => {
  it("brings it back with all settings and aliases, and reports its creation once", async () => {
    const service = await newService();
    const fields = { title: "Title", tags: ["a", "b"], maxClicks: 9, externalId: "x", password: "open sesame" };
    const { link } = await create({ slug: "first", geo: { DE: URL_OK }, expiresAt: Date.now() + DAY_MS, ...fields });
    const { link: before } = await update(mine.key, link.id, {
      slug: "second",
      redirectStatus: 307,
      passParameters: false,
      archived: true,
    });
    expect(before.passParameters).toBe(false);
    await service.createWebhook(mine.key, { events: ["link.create"] });
    expect((await remove(link.id)).status).toBe(200);
    for (const path of ["/first", "/second"]) expect((await call("GET", path)).status).toBe(404);
    expect((await callApi("GET", `/api/links/${link.id}`)).status).toBe(404);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const options = { key: mine.key };
        return (await service.call("POST", `/api/links/${link.id}/restore`, options)).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { link: after } = await callApi("GET", `/api/links/${link.id}`);
    expect(after).toEqual({ ...before, updatedAt: expect.any(Number) });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
    expect(await service.receivedEvents()).toMatchObject([{ event: "link.create", data: after }]);
    for (const path of ["/first", "/second"]) expect((await call("GET", path)).status).toBe(401);
  });

  it("finds the link at every moment of a deletion", async () => {
    const { link } = await create({ slug: "moment" });
    const answers = await Promise.all([remove(link.id), ...Array.from({ length: 39 }, () => restore(link.id))]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("keeps the order of the aliases and the known counters, and reads few rows", async () => {
    const { link } = await create({ slug: "zz" });
    for (const slug of ["mm", "aa", "YY", "bb"]) await update(mine.key, link.id, { slug });
    await env.DB.prepare("UPDATE links SET clicks = 7, last_clicked_at = 1700000000000").run();
    await remove(link.id);
    let restored = await restore(link.id);
    expect(restored.link).toMatchObject({ clicks: 7, lastClickedAt: 1_700_000_000_000 });
    expect(restored.link.aliases).toEqual(["zz", "mm", "aa", "YY"]);
    await remove(link.id);
    const { rowsRead } = await measureD1(async () => (restored = await restore(link.id)));
    expect(restored.status).toBe(200);
    expect(rowsRead).toBeLessThan(110);
  });

  it("is found by lists and search again", async () => {
    const { link } = await create({ title: "Needle", tags: ["hay"] });
    await remove(link.id);
    expect((await callApi("GET", "/api/links?search=needle&tag=hay")).links).toEqual([]);
    await restore(link.id);
    expect((await callApi("GET", "/api/links?search=needle&tag=hay")).links).toMatchObject([{ id: link.id }]);
  });

  it("is possible for the links of a list of their own, the last deleted first", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const made = [];
    for (const slug of ["a", "b", "c", "kept"]) {
      made.push((await create({ slug, tags: ["t"], maxClicks: 3 })).link);
      vi.setSystemTime(Date.now() + 1);
    }
    const [a, b, c] = made as [Link, Link, Link];
    await create({ slug: "others" }, theirs);
    await remove(b.id);
    vi.setSystemTime(Date.now() + 1);
    await bulk(mine.key, "DELETE", { ids: [c.id, a.id] });
    const deletesAt = Date.now() + 7 * DAY_MS;
    const listDeleted = async (query = "", account = mine) =>
      (await callApi("GET", `/api/links?deleted=only${query}`, undefined, account)) as unknown as Links;
    const expected = [
      { ...c, deletesAt },
      { ...a, deletesAt },
      { ...b, deletesAt: deletesAt - 1 },
    ];
    expect(await listDeleted("&count=true")).toEqual({
      status: 200,
      links: expected,
      nextCursor: null,
      count: { value: 3, isExact: true },
    });
    const paged = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Links = await listDeleted(`&limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.links);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(expected);
    expect((await listDeleted("&limit=2&page=2")).links).toEqual(expected.slice(2));
    expect((await listDeleted("", theirs)).links).toEqual([]);
    expect((await callApi("GET", "/api/links")).links).toMatchObject([{ slug: "kept" }]);
    for (const name of ["search=abc", "tag=t", "status=active", "archived=include", "sort=clicks", "order=asc"]) {
      const refused = await callApi("GET", `/api/links?deleted=only&${name}`);
      expect(refused).toMatchObject({
        status: 400,
        details: [{ path: name.split("=")[0], code: "not_together", field: "deleted" }],
      });
    }
    await restore(a.id);
    expect((await listDeleted()).links.map(({ slug }) => slug)).toEqual(["c", "b"]);
    vi.setSystemTime(deletesAt - 1);
    expect((await listDeleted()).links.map(({ slug }) => slug)).toEqual(["c"]);
    vi.setSystemTime(deletesAt);
    expect((await listDeleted()).links).toEqual([]);
  });

  it("is possible for a week", async () => {
    const { link } = await create({ slug: "kept" });
    vi.useFakeTimers({ toFake: ["Date"] });
    await remove(link.id);
    vi.setSystemTime(Date.now() + 7 * DAY_MS - 1);
    await runCron(Date.now());
    expect((await create({ slug: "KEPT" }, theirs)).status).toBe(409);
    expect((await restore(link.id)).status).toBe(200);
    await remove(link.id);
    vi.setSystemTime(Date.now() + 7 * DAY_MS);
    expect((await restore(link.id)).status).toBe(404);
    await runCron(Date.now() + 3_600_000);
    expect((await create({ slug: "kept" }, theirs)).status).toBe(201);
    for (const table of ["deleted_links", "aliases"])
      expect(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first("n")).toBe(0);
  });

  it("ends when its account uses the slug again, and other accounts cannot", async () => {
    const { link } = await create({ slug: "again" });
    const { link: other } = await create({ slug: "other" }, theirs);
    await remove(link.id);
    expect((await create({ slug: "again" }, theirs)).status).toBe(409);
    expect((await update(theirs.key, other.id, { slug: "again" })).status).toBe(409);
    expect((await create({ slug: "Again" })).status).toBe(201);
    expect(await restore(link.id)).toMatchObject({
      status: 409,
      details: [{ code: "slug_used_again", value: "again" }],
    });
    const renamed = await create({ slug: "renamed" });
    const { link: second } = await create({ slug: "second" });
    await remove(second.id);
    expect((await update(mine.key, renamed.link.id, { slug: "second" })).status).toBe(200);
    expect((await restore(second.id)).status).toBe(409);
  });

  it("is refused while something else has its externalId, and leaves the link deleted", async () => {
    const { link } = await create({ slug: "one", externalId: "x" });
    await remove(link.id);
    const { link: other } = await create({ slug: "two", externalId: "x" });
    expect(await restore(link.id)).toMatchObject({
      status: 409,
      details: [{ path: "externalId", code: "taken", value: "x" }],
    });
    await remove(other.id);
    expect((await restore(link.id)).status).toBe(200);
  });

  it("is refused for links of other accounts, and does nothing for links that exist", async () => {
    const { link } = await create({ slug: "mine" });
    expect(await restore(link.id)).toMatchObject({ status: 200, link: { updatedAt: link.updatedAt } });
    expect((await restore(link.id, theirs)).status).toBe(403);
    await remove(link.id);
    expect((await restore(link.id, theirs)).status).toBe(403);
    for (const id of [SOME_ID, "x"]) expect((await restore(id)).status).toBe(404);
  });

  it("needs the link's domain, which may have a new owner", async () => {
    const { link } = await create({ slug: "shop", domain: DOMAIN });
    await remove(link.id);
    await handOver(DOMAIN, theirs.accountId);
    expect((await restore(link.id)).status).toBe(403);
    const other = await create({ slug: "shop", domain: DOMAIN }, theirs);
    expect(other.status).toBe(201);
    await handOver(DOMAIN, mine.accountId);
    expect((await restore(link.id)).status).toBe(409);
    expect((await callApi("GET", `/api/links/${other.link.id}`, undefined, theirs)).status).toBe(200);
  });

  it("brings back links that were deleted together", async () => {
    const made = await bulk(mine.key, "POST", {
      links: [
        { url: URL_OK, slug: "a" },
        { url: URL_OK, slug: "b" },
      ],
    });
    const ids = made.results.map(({ link }) => link.id);
    await bulk(mine.key, "DELETE", { ids });
    for (const id of ids) expect((await restore(id)).status).toBe(200);
    for (const path of ["/a", "/b"]) expect((await call("GET", path)).headers.get("Location")).toBe(URL_OK);
  });

  it("needs the permission to change links", async () => {
    const { link } = await create({});
    const reader = await callApi("POST", "/api/keys", { name: "reader", permissions: ["links:read"] });
    const { key } = reader as unknown as { key: { value: string } };
    expect((await api(key.value, "POST", `/api/links/${link.id}/restore`)).status).toBe(403);
  });
});
