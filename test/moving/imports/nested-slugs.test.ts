import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { accountId, call, key, startAccount } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { configure, csvOf, failuresOf, finish, prepare, problemsOf, storedLinks } from "./support.ts";

const HOST = "go.acme.test";

beforeEach(async () => {
  await startAccount();
  await insertDomain(accountId, HOST, { nested_slugs: 1 });
  await insertDomain(accountId, "plain.acme.test");
});

/** As Shlink exports links whose short codes have several segments. */
const shlinkOf = (...links: [host: string, code: string][]) =>
  csvOf(
    ["createdAt", "domain", "shortCode", "shortUrl", "longUrl", "title", "tags", "visits"],
    ...links.map(([host, code]) => [
      "2026-05-06T07:08:09+02:00",
      host,
      code,
      `https://${host}/${code}`,
      `https://example.com/${code}`,
      "",
      "",
      "3",
    ]),
  );

const slugsOf = async () =>
  (await storedLinks(accountId)).map(({ domain, slug }) => `${String(domain)}/${String(slug)}`);

describe("an import of slugs with slashes", () => {
  it("keeps them at a domain with the option, and refuses those rows elsewhere", async () => {
    const file = shlinkOf(
      [HOST, "docs/Setup"],
      [HOST, "docs"],
      [HOST, "visits/own"],
      ["plain.acme.test", "docs/setup"],
      ["plain.acme.test", "docs"],
    );
    const ready = await prepare(key, file);
    expect(ready.source).toBe("shlink");
    expect(problemsOf(ready)).toEqual({ invalid_slug: 2 });
    expect(await finish(key, ready.id)).toMatchObject({ created: 3, failed: 2 });
    expect((await slugsOf()).toSorted()).toEqual(
      [`plain.acme.test/docs`, `${HOST}/docs`, `${HOST}/docs/Setup`].toSorted(),
    );
    const reasons = (await failuresOf(key, ready.id)).slice(1).join("\n");
    expect(reasons).toContain(",reserved,");
    expect(reasons).toContain(",nested_slugs_off,");
    const visit = await call("GET", `https://${HOST}/docs/setup`);
    expect(visit.headers.get("Location")).toBe("https://example.com/docs/Setup");
  });

  it("finds a free one, and keeps aliases where links can have them", async () => {
    const short = (host: string, code: string) => `https://${host}/${code}`;
    const rows = [
      ["https://example.com/1", short(HOST, "a/b"), short(HOST, "a/c")],
      ["https://example.com/2", short(HOST, "A/B"), ""],
      ["https://example.com/3", short("plain.acme.test", "d"), short("plain.acme.test", "d/e")],
    ];
    const file = csvOf(["url", "short url", "other"], ...rows);
    const ready = await prepare(key, file);
    await configure(key, ready.id, { mapping: { other: "aliasUrl" }, taken: "rename" });
    expect(await finish(key, ready.id)).toMatchObject({ created: 3 });
    const links = (await storedLinks(accountId)).map(({ slug, aliases }) => [slug, aliases]);
    expect(links).toEqual(
      expect.arrayContaining([
        ["a/b", '["a/c"]'],
        ["A/B-2", null],
        ["d", null],
      ]),
    );
  });

  it("refuses them if the option is turned off before the links are created", async () => {
    const ready = await prepare(key, shlinkOf([HOST, "docs/setup"], [HOST, "docs"]));
    expect(problemsOf(ready)).toEqual({});
    await env.DB.prepare("UPDATE domains SET nested_slugs = 0").run();
    expect(await finish(key, ready.id)).toMatchObject({ created: 1, failed: 1 });
    expect(await slugsOf()).toEqual([`${HOST}/docs`]);
  });
});
