import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { interceptD1, statementsOf } from "../../support/d1-client.ts";
import { insertDomain } from "../../support/domains.ts";
import { guess } from "../../support/password.ts";
import { bulk, createMany, deleteBulk, listAll, updateBulk, DOMAIN, SOME_ID, URL_OK } from "../support.ts";

describe("updating links", () => {
  it("changes the given fields of each link, for visitors at once", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 3);
    for (const { slug } of links) await call("GET", `/${slug}`);
    const ids = links.map(({ id }) => id).toReversed();
    const { results } = await updateBulk(key, ids, { url: `${URL_OK}new`, tags: ["sale"] });
    for (const [index, link] of links.toReversed().entries()) {
      const changed = { url: `${URL_OK}new`, tags: ["sale"], updatedAt: expect.any(Number) };
      expect(results[index]).toEqual({ link: { ...link, ...changed } });
    }
    expect((await listAll(key)).toReversed()).toEqual(results.map(({ link }) => link).toReversed());
    for (const { slug } of links) expect((await call("GET", `/${slug}`)).headers.get("Location")).toBe(`${URL_OK}new`);
  });

  it("keeps visitors' parameters off all destinations, and hands them on again", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 2);
    const ids = links.map(({ id }) => id);
    const locations = () =>
      Promise.all(links.map(async ({ slug }) => (await call("GET", `/${slug}?a=b`)).headers.get("Location")));
    const { results } = await updateBulk(key, ids, { passParameters: false });
    expect(results.map(({ link }) => link.passParameters)).toEqual([false, false]);
    expect(await locations()).toEqual([`${URL_OK}0`, `${URL_OK}1`]);
    await updateBulk(key, ids, { passParameters: true });
    expect(await locations()).toEqual([`${URL_OK}0?a=b`, `${URL_OK}1?a=b`]);
  });

  it("sets and removes one password for all links", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 3);
    const ids = links.map(({ id }) => id);
    const { results } = await updateBulk(key, ids, { password: "one for all" });
    expect(results.map(({ link }) => link.hasPassword)).toEqual([true, true, true]);
    for (const { slug } of links) {
      expect((await call("GET", `/${slug}`)).status).toBe(401);
      expect((await guess(`/${slug}`, "one for all")).status).toBe(303);
    }
    await updateBulk(key, ids, { password: null });
    for (const { slug } of links) expect((await call("GET", `/${slug}`)).status).toBe(302);
  });

  it("adds and removes tags, and keeps the others of each link", async () => {
    const { key } = await createAccount();
    const tags = [["Old", "spring"], ["old"], [], Array.from({ length: 20 }, (_, n) => `t${n}`)];
    const links = [];
    for (const own of tags) links.push(await createLink(key, { tags: own }));
    const ids = links.map(({ id }) => id);
    const changes = { addTags: ["Sale", "SPRING"], removeTags: ["OLD"], title: "New" };
    const { results } = await updateBulk(key, ids, changes);
    expect(results.slice(0, 3).map(({ link }) => link.tags)).toEqual([
      ["spring", "Sale"],
      ["Sale", "SPRING"],
      ["Sale", "SPRING"],
    ]);
    expect(results[3]).toMatchObject({
      code: "invalid_request",
      details: [{ path: "addTags", code: "too_many_tags", max: 20 }],
    });
    const found = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?tag=spring", { key }));
    expect(found.links.map(({ title }) => title)).toEqual(["New", "New", "New"]);
    // A repetition changes nothing.
    const again = await updateBulk(key, ids.slice(0, 3), changes);
    expect(again.results).toEqual(results.slice(0, 3));
  });

  it("keeps a tag that another request adds at the same time", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    await Promise.all([updateBulk(key, [id], { addTags: ["a"] }), updateBulk(key, [id], { addTags: ["b"] })]);
    const [link] = await listAll(key);
    expect(link?.tags.toSorted()).toEqual(["a", "b"]);
  });

  it("refuses a destination at a verified domain even if the link is changed and then deleted meanwhile", async () => {
    const { accountId, key } = await createAccount();
    await insertDomain(accountId, DOMAIN);
    const { id } = await createLink(key);
    const run = (sql: string) => env.DB.prepare(sql).bind(id).run();
    let response: unknown;
    await interceptD1(
      async (sql, send) => {
        if (!statementsOf(sql).some((statement) => statement.includes("'link.update'"))) return send();
        await run("UPDATE links SET updated_at = updated_at + 1 WHERE id = ?1");
        const output = await send();
        await run("DELETE FROM links WHERE id = ?1");
        return output;
      },
      async () => void (response = await updateBulk(key, [id], { url: `https://${DOMAIN}/x`, addTags: ["a"] })),
    );
    expect(response).toMatchObject({ status: 400, details: [{ path: "changes.url" }] });
  });

  it("refuses tags of links of other accounts", async () => {
    const { key } = await createAccount();
    const other = await createAccount();
    const link = await createLink(other.key, { tags: ["theirs"] });
    const { results } = await updateBulk(key, [link.id, SOME_ID, "x"], { addTags: ["mine"] });
    expect(results.map(({ code }) => code)).toEqual(["forbidden", "not_found", "not_found"]);
    expect(await listAll(other.key)).toEqual([link]);
  });

  it("returns an error for each link that was not updated", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const link = await createLink(mine.key);
    const other = await createLink(theirs.key);
    const { results } = await updateBulk(mine.key, [other.id, link.id, SOME_ID, "x", link.id], { title: "New" });
    expect(results.map(({ code, link: changed }) => code ?? changed.title)).toEqual([
      "forbidden",
      "New",
      "not_found",
      "not_found",
      "New",
    ]);
    expect(results[4]).toEqual(results[1]);
    expect(await listAll(theirs.key)).toEqual([other]);
  });

  it.each([
    [{}, "changes"],
    [{ slug: "x" }, "changes.slug"],
    [{ externalId: "x" }, "changes.externalId"],
    [{ domain: "tern.test" }, "changes.domain"],
    [{ url: "ftp://example.com/" }, "changes.url"],
    [{ url: `${BASE_URL}/x` }, "changes.url"],
    [{ expiresAt: 1_600_000_000 }, "changes.expiresAt"],
    [{ aliases: [] }, "changes.aliases"],
    [{ tags: ["a"], addTags: ["b"] }, "changes.tags"],
    [{ addTags: ["a"], removeTags: ["A"] }, "changes.removeTags"],
  ])("refuses %j as a whole", async (changes, path) => {
    const { key } = await createAccount();
    const link = await createLink(key);
    const { status, details } = await updateBulk(key, [link.id], changes);
    expect({ status, path: details?.[0]?.path }).toEqual({ status: 400, path });
    expect(await listAll(key)).toEqual([link]);
  });

  it("makes expired links active again, and clears fields with null", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"] });
    const links = [await createLink(key, { expiresAt: Date.now() + 1_000 }), await createLink(key, { title: "x" })];
    vi.setSystemTime(Date.now() + 1_000);
    await call("GET", "/api/links?status=expired", { key });
    const ids = links.map(({ id }) => id);
    const { results } = await updateBulk(key, ids, { expiresAt: null, title: null });
    for (const { link } of results) expect(link).toMatchObject({ status: "active", expiresAt: null, title: null });
  });
});

describe("deleting links", () => {
  it("takes effect at once and frees their slugs for the account", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 3);
    for (const { slug } of links) await call("GET", `/${slug}`);
    const kept = await createLink(key);
    expect(
      await deleteBulk(
        key,
        links.map(({ id }) => id),
      ),
    ).toEqual({ status: 200, results: links.map(() => ({ success: true })) });
    for (const { slug } of links) expect((await call("GET", `/${slug}`)).status).toBe(404);
    expect(await listAll(key)).toEqual([kept]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deleted_links").first("n")).toBe(3);
    await createLink(key, { slug: "MANY-0" });
  });

  it("returns an error for each link that was not deleted", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const link = await createLink(mine.key);
    const other = await createLink(theirs.key);
    const { results } = await deleteBulk(mine.key, [other.id, SOME_ID, link.id, "", link.id]);
    expect(results.map(({ code, success }) => code ?? success)).toEqual([
      "forbidden",
      "not_found",
      true,
      "not_found",
      true,
    ]);
    expect(await listAll(theirs.key)).toEqual([other]);
  });

  it.each([
    "",
    { ids: [] },
    { ids: "x" },
    { ids: [1] },
    { ids: Array.from({ length: 101 }, () => SOME_ID) },
    { linkIds: [SOME_ID] },
  ])("refuses the body %j", async (body) => {
    const { key } = await createAccount();
    expect(await bulk(key, "DELETE", body)).toMatchObject({ status: 400, code: "invalid_request" });
  });
});
