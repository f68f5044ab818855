import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";

type Result = { link: Link; success?: true } & ErrorJson;

const URL_OK = "https://example.com/";

async function bulk(
  key: string,
  method: string,
  body: unknown,
): Promise<{ status: number; results: Result[] } & ErrorJson> {
  const response = await call(method, "/api/links/bulk", { key, body });
  return { status: response.status, ...(await jsonOf<{ results: Result[] } & ErrorJson>(response)) };
}

const create = (key: string, links: unknown[]) => bulk(key, "POST", { links });
const change = (key: string, ids: unknown, changes: unknown) => bulk(key, "PATCH", { ids, changes });
const remove = (key: string, ids: unknown) => bulk(key, "DELETE", { ids });

async function listAll(key: string): Promise<Link[]> {
  return (await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?limit=100", { key }))).links;
}

async function createMany(key: string, count: number): Promise<Link[]> {
  const links = Array.from({ length: count }, (_, n) => ({
    url: `${URL_OK}${n}`,
    slug: `many-${n}`,
    title: `Page ${n}`,
  }));
  return (await create(key, links)).results.map(({ link }) => link);
}

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

describe("creating links", () => {
  it("answers them in order, and lists show the last first", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 100);
    expect(links.map(({ slug }) => slug)).toEqual(Array.from({ length: 100 }, (_, n) => `many-${n}`));
    expect(await listAll(key)).toEqual(links.toReversed());
    for (const { slug, url } of [links[0], links[99]] as Link[]) {
      expect((await call("GET", `/${slug}`)).headers.get("Location")).toBe(url);
    }
  });

  it("takes every field that a single link has", async () => {
    const { key } = await createAccount();
    const fields = {
      url: "https://bücher.example/ü?q=日本#é",
      slug: "All",
      title: 'Quotes " and \\ and 🌷',
      tags: ["a", 'b"c'],
      expiresAt: Date.now() + 60_000,
      expiredUrl: `${URL_OK}over`,
      maxClicks: 3,
      externalId: "crm-17",
      redirectStatus: 308,
      ios: "acme://spring",
      android: "https://example.com/android",
      geo: { de: "https://example.com/de" },
      rules: [{ devices: ["mobile"], url: "https://example.com/m" }],
      preview: { title: "Title" },
    };
    const single = await createLink(key, { ...fields, slug: "single", externalId: "other" });
    const { results } = await create(key, [fields]);
    const link = results[0]?.link as Link;
    const own = { id: link.id, slug: "All", shortUrl: `${BASE_URL}/All`, externalId: "crm-17" };
    const at = { createdAt: link.createdAt, updatedAt: link.updatedAt };
    expect(link).toEqual({ ...single, ...own, ...at });
    expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toEqual({ link });
  });

  it("says of each bad link what is wrong, as for a single one, and makes the others", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "taken", externalId: "taken" });
    const items = [
      { url: URL_OK, slug: "one" },
      { url: "ftp://example.com" },
      { url: URL_OK, sulg: "x" },
      null,
      "https://example.com/",
      [],
      { url: URL_OK, slug: "TAKEN" },
      { url: URL_OK, externalId: "taken" },
      { url: URL_OK, slug: "api" },
      { url: URL_OK, expiresAt: 5 },
      { url: `${BASE_URL}/x` },
      { url: URL_OK, domain: "go.example" },
      { url: URL_OK, title: "x".repeat(65_536) },
      { url: URL_OK, slug: "last" },
    ];
    const { status, results } = await create(key, items);
    expect(status).toBe(200);
    for (const [index, item] of items.entries()) {
      const result = results[index];
      if (index === 0 || index === items.length - 1)
        expect(result).toEqual({ link: expect.objectContaining(item as object) });
      else if (index !== 12) {
        const alone = await call("POST", "/api/links", { key, body: JSON.stringify(item) });
        expect(result).toEqual(await jsonOf(alone));
      }
    }
    expect(results[12]).toMatchObject({ code: "payload_too_large" });
    expect((await listAll(key)).map(({ slug }) => slug)).toEqual(["last", "one", "taken"]);
  });

  it("gives what comes twice in a request to the first", async () => {
    const { key } = await createAccount();
    const { results } = await create(key, [
      { url: URL_OK, slug: "twin" },
      { url: URL_OK, slug: "TWIN" },
      { url: URL_OK, externalId: "e" },
      { url: URL_OK, externalId: "e" },
    ]);
    expect(results.map(({ code, link }) => code ?? link.url)).toEqual([URL_OK, "conflict", URL_OK, "conflict"]);
    expect(results[1]?.error).toContain("slug");
    expect(results[3]?.error).toContain("externalId");
    expect(await listAll(key)).toHaveLength(2);
  });

  it("gives each slug to one of 40 parallel requests, and every answer is true", async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createAccount()));
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { key, accountId } = accounts[n % 4] as { key: string; accountId: number };
        const links = Array.from({ length: 20 }, (_, m) => ({
          url: `${URL_OK}${n}/${m}`,
          slug: `race-${(n + m) % 50}`,
        }));
        const { results } = await create(key, links);
        return results.map((result) => ({ ...result, accountId }));
      }),
    );
    const made = answers.flat().filter(({ link }) => link !== undefined);
    expect(made.map(({ link }) => link.slug).sort()).toEqual(Array.from({ length: 50 }, (_, n) => `race-${n}`).sort());
    for (const { code } of answers.flat().filter(({ link }) => link === undefined)) expect(code).toBe("conflict");
    const { results: stored } = await env.DB.prepare("SELECT id, url, account_id FROM links ORDER BY id").all();
    const claimed = made.map(({ link, accountId }) => ({ id: link.id, url: link.url, account_id: accountId }));
    expect(stored).toEqual(claimed.sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it("takes 5 MiB of links, more than one statement can", async () => {
    const { key } = await createAccount();
    const rules = (n: number) =>
      Array.from({ length: 6 }, (_, m) => ({ countries: ["DE"], url: `${URL_OK}${n}/${m}/`.padEnd(8_000, "x") }));
    const links = Array.from({ length: 100 }, (_, n) => ({ url: URL_OK, slug: `big-${n}`, rules: rules(n) }));
    expect(JSON.stringify({ links }).length).toBeGreaterThan(4.5 * 1_024 * 1_024);
    const { results } = await create(key, links);
    expect(results.map(({ link }) => link?.rules.length)).toEqual(Array.from({ length: 100 }, () => 6));
    expect(await listAll(key)).toEqual(results.map(({ link }) => link).toReversed());
    const tooMuch = JSON.stringify({ links }).padEnd(5 * 1_024 * 1_024 + 1);
    expect(await bulk(key, "POST", tooMuch)).toMatchObject({ status: 413, code: "payload_too_large" });
  });

  it.each([
    ["nothing", "", "links"],
    ["an empty list", { links: [] }, "links"],
    ["101 links", { links: Array.from({ length: 101 }, () => ({ url: URL_OK })) }, "links"],
    ["no list", { links: { url: URL_OK } }, "links"],
    ["a list alone", [{ url: URL_OK }], ""],
    ["a misspelt field", { links: [{ url: URL_OK }], dryRun: true }, "dryRun"],
  ])("refuses %s as a whole", async (_, body, path) => {
    const { key } = await createAccount();
    expect(await bulk(key, "POST", body)).toMatchObject({ status: 400, details: [{ path }] });
    expect(await listAll(key)).toEqual([]);
  });

  it("makes each link once where the database's answer is lost", async () => {
    const { key } = await createAccount();
    let object: object = env.DB.withSession("first-primary");
    while (!Object.hasOwn(object, "_send")) object = Object.getPrototypeOf(object) as object;
    const client = object as { _send: (...input: unknown[]) => Promise<unknown> };
    const original = client._send;
    let lost = 0;
    client._send = async function send(...input) {
      const output = await original.apply(this, input);
      if (String(input[1]).includes("INSERT INTO links") && lost++ === 0)
        throw new Error("D1_ERROR: Network connection lost.");
      return output;
    };
    try {
      const { results } = await create(key, [{ url: URL_OK, slug: "a" }, { url: URL_OK, slug: "A" }, { url: URL_OK }]);
      expect(lost).toBe(2);
      expect(results.map(({ link }) => link !== undefined)).toEqual([true, false, true]);
      expect((await listAll(key)).map(({ id }) => id)).toEqual([results[2]?.link.id, results[0]?.link.id]);
    } finally {
      client._send = original;
    }
  });
});

describe("changing links", () => {
  it("changes the fields given of each, and visitors get it at once", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 3);
    for (const { slug } of links) await call("GET", `/${slug}`);
    const ids = links.map(({ id }) => id).toReversed();
    const { results } = await change(key, ids, { url: `${URL_OK}new`, tags: ["sale"] });
    expect(results.map(({ link }) => link)).toEqual(
      links
        .toReversed()
        .map((link) => ({ ...link, url: `${URL_OK}new`, tags: ["sale"], updatedAt: expect.any(Number) })),
    );
    expect((await listAll(key)).toReversed()).toEqual(results.map(({ link }) => link).toReversed());
    for (const { slug } of links) expect((await call("GET", `/${slug}`)).headers.get("Location")).toBe(`${URL_OK}new`);
  });

  it("says of each id why it was not changed", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const link = await createLink(mine.key);
    const other = await createLink(theirs.key);
    const { results } = await change(mine.key, [other.id, link.id, SOME_ID, "x", link.id], { title: "New" });
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
    [{ expiresAt: 1_600_000_000_000 }, "changes.expiresAt"],
  ])("refuses %j as a whole", async (changes, path) => {
    const { key } = await createAccount();
    const link = await createLink(key);
    const { status, details } = await change(key, [link.id], changes);
    expect({ status, path: details?.[0]?.path }).toEqual({ status: 400, path });
    expect(await listAll(key)).toEqual([link]);
  });

  it("brings expired links back, and clears with null", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"] });
    const links = [await createLink(key, { expiresAt: Date.now() + 1_000 }), await createLink(key, { title: "x" })];
    vi.setSystemTime(Date.now() + 1_000);
    await call("GET", "/api/links?status=expired", { key });
    const ids = links.map(({ id }) => id);
    const { results } = await change(key, ids, { expiresAt: null, title: null });
    for (const { link } of results) expect(link).toMatchObject({ status: "active", expiresAt: null, title: null });
  });
});

describe("deleting links", () => {
  it("ends them at once, frees their slugs and forgets their clicks", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 3);
    for (const { slug } of links) await call("GET", `/${slug}`);
    const kept = await createLink(key);
    expect(
      await remove(
        key,
        links.map(({ id }) => id),
      ),
    ).toEqual({ status: 200, results: links.map(() => ({ success: true })) });
    for (const { slug } of links) expect((await call("GET", `/${slug}`)).status).toBe(404);
    expect(await listAll(key)).toEqual([kept]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deleted_links").first("n")).toBe(0);
    await createLink(key, { slug: "MANY-0" });
  });

  it("says of each id why it was not deleted", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    const link = await createLink(mine.key);
    const other = await createLink(theirs.key);
    const { results } = await remove(mine.key, [other.id, SOME_ID, link.id, "", link.id]);
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
