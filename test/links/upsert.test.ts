import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { guess } from "../support/password.ts";
import { countRows } from "../webhooks/support.ts";
import { api, URL_OK } from "./support.ts";

const upsert = (key: string, body: unknown) => api(key, "PUT", "/api/links/upsert", body);

function countOf(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("upserting a link", () => {
  it("creates the link, and later updates only the given fields", async () => {
    const { key } = await createAccount();
    const created = await upsert(key, {
      url: URL_OK,
      externalId: "p-1",
      slug: "one",
      title: "Title",
      tags: ["a"],
      maxClicks: 5,
      passParameters: false,
    });
    expect(created).toMatchObject({ status: 201, link: { passParameters: false } });
    const updated = await upsert(key, { url: `${URL_OK}new`, externalId: "p-1", title: null });
    expect(updated).toEqual({
      status: 200,
      link: { ...created.link, url: `${URL_OK}new`, title: null, updatedAt: expect.any(Number) },
    });
    const renamed = await upsert(key, { url: URL_OK, externalId: "p-1", slug: "two" });
    expect(renamed).toMatchObject({ status: 200, link: { id: created.link.id, slug: "two", tags: ["a"] } });
    expect((await call("GET", "/two")).status).toBe(302);
    expect((await call("GET", "/one")).status).toBe(302);
    const byAlias = await upsert(key, { url: `${URL_OK}again`, slug: "One" });
    expect(byAlias).toMatchObject({ status: 200, link: { id: created.link.id, slug: "two", aliases: ["one"] } });
  });

  it("sets a password when it creates the link, and changes and removes it when it updates the link", async () => {
    const { key } = await createAccount();
    const named = { url: URL_OK, slug: "locked" };
    expect((await upsert(key, { ...named, password: "first word" })).link.hasPassword).toBe(true);
    expect((await guess("/locked", "first word")).status).toBe(303);
    await upsert(key, { ...named, password: "second word" });
    expect((await guess("/locked", "first word")).status).toBe(403);
    expect((await guess("/locked", "second word")).status).toBe(303);
    expect((await upsert(key, { ...named, password: null })).link.hasPassword).toBe(false);
    expect((await call("GET", "/locked")).status).toBe(302);
  });

  it("finds the link by its slug, in any case, without an externalId", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key, { slug: "Spring" });
    expect(await upsert(key, { url: `${URL_OK}new`, slug: "SPRING" })).toMatchObject({
      status: 200,
      link: { id, slug: "SPRING", url: `${URL_OK}new` },
    });
    expect((await call("GET", "/spring")).headers.get("Location")).toBe(`${URL_OK}new`);
    expect(await upsert(key, { url: URL_OK, slug: "SPRING", externalId: null, domain: "tern.test" })).toMatchObject({
      status: 200,
      link: { id },
    });
  });

  it("keeps the link at its custom domain, where no slug is reserved, if the domain is not repeated", async () => {
    const { key, accountId } = await createAccount();
    await insertDomain(accountId, "go.example");
    const fields = { url: URL_OK, externalId: "p-1", slug: "docs" };
    const created = await upsert(key, { ...fields, domain: "go.example" });
    expect(created.status).toBe(201);
    expect(await upsert(key, { ...fields, title: "new" })).toMatchObject({
      status: 200,
      link: { id: created.link.id, shortUrl: "https://go.example/docs", title: "new" },
    });
    expect(await upsert(key, { ...fields, externalId: "p-2" })).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("refuses the slug that is kept for another account's deleted link, at the first attempt", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const { id } = await createLink(theirs.key, { slug: "kept" });
    await call("DELETE", `/api/links/${id}`, { key: theirs.key });
    const { roundTrips } = await measureD1(async () => {
      const refused = await upsert(mine.key, { url: URL_OK, slug: "Kept" });
      expect(refused).toMatchObject({ status: 409, details: [{ path: "slug", code: "taken", value: "Kept" }] });
    });
    expect(roundTrips).toBeLessThan(6);
    expect((await upsert(theirs.key, { url: URL_OK, slug: "Kept" })).status).toBe(201);
  });

  it("refuses the slug of another link", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const other = await createLink(theirs.key, { slug: "theirs", externalId: "e" });
    await createLink(mine.key, { slug: "mine" });
    await upsert(mine.key, { url: URL_OK, externalId: "e", slug: "e" });
    for (const body of [
      { slug: "THEIRS" },
      { slug: "theirs", externalId: "new" },
      { slug: "theirs", externalId: "e" },
      { slug: "mine", externalId: "new" },
    ]) {
      expect(await upsert(mine.key, { url: URL_OK, ...body })).toMatchObject({ status: 409, code: "conflict" });
    }
    expect(await jsonOf(await call("GET", `/api/links/${other.id}`, { key: theirs.key }))).toEqual({ link: other });
    expect(await countRows("links")).toBe(3);
  });

  it.each([
    ["a request without slug and externalId", { url: URL_OK }, "externalId"],
    ["no URL", { slug: "a" }, "url"],
    ["a reserved slug", { url: URL_OK, slug: "api" }, "slug"],
    ["a misspelt field", { url: URL_OK, slug: "a", id: "x" }, "id"],
    ["a URL of the service", { url: "https://tern.test/x", slug: "a" }, "url"],
    ["nothing", "", "url"],
  ])("refuses %s", async (_, body, path) => {
    const { key } = await createAccount();
    expect(await upsert(key, body)).toMatchObject({ status: 400, details: [{ path }] });
    expect(await countRows("links")).toBe(0);
  });

  it.each([
    ["externalId", (n: number) => ({ url: `${URL_OK}${n}`, externalId: "race" })],
    ["externalId and slug", (n: number) => ({ url: `${URL_OK}${n}`, externalId: "race", slug: "race" })],
    ["slug", (n: number) => ({ url: `${URL_OK}${n}`, slug: n % 2 === 0 ? "race" : "RACE" })],
  ])("creates one link from 40 parallel requests by %s", async (_, body) => {
    const { key } = await createAccount();
    const webhook = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.update"] };
    await call("POST", "/api/webhooks", { key, body: webhook });
    const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => upsert(key, body(n))));
    expect(countOf(responses)).toEqual({ 200: 39, 201: 1 });
    expect(new Set(responses.map(({ link }) => link.id)).size).toBe(1);
    const newest = responses.toSorted((a, b) => b.link.updatedAt - a.link.updatedAt)[0]?.link;
    expect(await jsonOf(await call("GET", `/api/links/${newest?.id}`, { key }))).toEqual({ link: newest });
    const { results } = await env.DB.prepare(
      "SELECT type, count(*) AS n FROM deliveries GROUP BY type ORDER BY type",
    ).all();
    expect(results).toEqual([
      { type: "link.create", n: 1 },
      { type: "link.update", n: 39 },
    ]);
  });

  it("gives a slug to one of several accounts", async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createAccount()));
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        upsert(accounts[n % 4]?.key ?? "", { url: `${URL_OK}${n % 4}`, slug: "race" }),
      ),
    );
    expect(countOf(responses)).toEqual({ 200: 9, 201: 1, 409: 30 });
    expect(await countRows("links")).toBe(1);
  });
});
