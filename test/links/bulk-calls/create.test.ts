import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../../src/limits.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { guess } from "../../support/password.ts";
import { bulk, createBulk, createMany, listAll, URL_OK } from "../support.ts";
import type { Link } from "../../../src/links/contract.ts";
import { MAX_BULK_LINKS } from "../../../src/links/limits.ts";

describe("creating links", () => {
  it("returns them in order, and lists return the last first", async () => {
    const { key } = await createAccount();
    const links = await createMany(key, 100);
    expect(links.map(({ slug }) => slug)).toEqual(Array.from({ length: 100 }, (_, n) => `many-${n}`));
    expect(await listAll(key)).toEqual(links.toReversed());
    for (const { slug, url } of [links[0], links[99]] as Link[]) {
      expect((await call("GET", `/${slug}`)).headers.get("Location")).toBe(url);
    }
  });

  it("accepts every field of a single link", async () => {
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
      passParameters: false,
      ios: "acme://spring",
      android: "https://example.com/android",
      geo: { de: "https://example.com/de" },
      rules: [{ devices: ["mobile"], url: "https://example.com/m" }],
      preview: { title: "Title" },
    };
    const single = await createLink(key, { ...fields, slug: "single", externalId: "other" });
    const { results } = await createBulk(key, [fields]);
    const link = results[0]?.link as Link;
    expect(link.passParameters).toBe(false);
    const own = { id: link.id, slug: "All", shortUrl: `${BASE_URL}/All`, externalId: "crm-17" };
    const at = { createdAt: link.createdAt, updatedAt: link.updatedAt };
    expect(link).toEqual({ ...single, ...own, ...at });
    expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toEqual({ link });
  });

  it("accepts a password for each link, which visitors must enter", async () => {
    const { key } = await createAccount();
    const links = Array.from({ length: MAX_BULK_LINKS - 1 }, (_, n) => ({
      url: URL_OK,
      slug: `locked-${n}`,
      password: `password ${n}`,
    }));
    const { results } = await createBulk(key, [...links, { url: URL_OK, slug: "open" }]);
    const open = results.pop();
    expect(results.map(({ link }) => link.hasPassword)).toEqual(results.map(() => true));
    expect(open?.link.hasPassword).toBe(false);
    expect((await call("GET", "/locked-7")).status).toBe(401);
    expect((await guess("/locked-7", "password 7")).status).toBe(303);
    expect((await guess("/locked-7", "password 8")).status).toBe(403);
  });

  it("returns the error of a single link for each invalid link, and creates the others", async () => {
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
    const { status, results } = await createBulk(key, items);
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
    expect(results[12]).toMatchObject({
      code: "payload_too_large",
      details: [{ path: "", code: "link_too_large", max: MAX_BODY_BYTES }],
    });
    expect((await listAll(key)).map(({ slug }) => slug)).toEqual(["last", "one", "taken"]);
  });

  it("gives a slug or externalId that is repeated in a request to the first link", async () => {
    const { key } = await createAccount();
    const { results } = await createBulk(key, [
      { url: URL_OK, slug: "twin" },
      { url: URL_OK, slug: "TWIN" },
      { url: URL_OK, externalId: "e" },
      { url: URL_OK, externalId: "e" },
    ]);
    expect(results.map(({ code, link }) => code ?? link.url)).toEqual([URL_OK, "conflict", URL_OK, "conflict"]);
    expect(results[1]?.details).toMatchObject([{ path: "slug", code: "taken", value: "TWIN" }]);
    expect(results[3]?.details).toMatchObject([{ path: "externalId", code: "taken", value: "e" }]);
    expect(await listAll(key)).toHaveLength(2);
  });

  it("gives it to the next link if the first is refused for another reason", async () => {
    const { key } = await createAccount();
    await createLink(key, { externalId: "taken" });
    const link = (slug: string, externalId: string) => ({ url: URL_OK, slug, externalId });
    // Each link repeats one before it, which may be refused.
    const chain = Array.from({ length: 10 }, (_, n) => link(`s${Math.ceil(n / 2)}`, `e${Math.floor(n / 2)}`));
    const { results } = await createBulk(key, [link("s0", "taken"), link("s0", "taken"), ...chain]);
    const codes = results.map(({ code, link: created }) => code ?? created.slug);
    const c = "conflict";
    expect(codes).toEqual([c, c, "s0", c, "s1", c, "s2", c, "s3", c, "s4", c]);
    expect(await listAll(key)).toHaveLength(6);
  });

  it("gives each slug to one of 40 parallel requests, with correct results for all of them", async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createAccount()));
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { key, accountId } = accounts[n % 4] as { key: string; accountId: number };
        const links = Array.from({ length: 20 }, (_, m) => ({
          url: `${URL_OK}${n}/${m}`,
          slug: `race-${(n + m) % 50}`,
        }));
        const { results } = await createBulk(key, links);
        return results.map(({ code, link }) => ({ code, link, accountId }));
      }),
    );
    const made = responses.flat().filter(({ link }) => link !== undefined);
    expect(made.map(({ link }) => link.slug).sort()).toEqual(Array.from({ length: 50 }, (_, n) => `race-${n}`).sort());
    for (const { code } of responses.flat().filter(({ link }) => link === undefined)) expect(code).toBe("conflict");
    const { results: stored } = await env.DB.prepare("SELECT id, url, account_id FROM links ORDER BY id").all();
    const claimed = made.map(({ link, accountId }) => ({ id: link.id, url: link.url, account_id: accountId }));
    expect(stored).toEqual(claimed.sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it("accepts 5 MiB of links, more than fits in one statement", async () => {
    const { key } = await createAccount();
    const rules = (n: number) =>
      Array.from({ length: 6 }, (_, m) => ({ countries: ["DE"], url: `${URL_OK}${n}/${m}/`.padEnd(8_000, "x") }));
    const links = Array.from({ length: 100 }, (_, n) => ({ url: URL_OK, slug: `big-${n}`, rules: rules(n) }));
    expect(JSON.stringify({ links }).length).toBeGreaterThan(4.5 * 1_024 * 1_024);
    const { results } = await createBulk(key, links);
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

  it("creates each link once if the database's response is lost", async () => {
    const { key } = await createAccount();
    const links = [{ url: URL_OK, slug: "a" }, { url: URL_OK, slug: "A" }, { url: URL_OK }];
    let results: Awaited<ReturnType<typeof createBulk>>["results"] = [];
    const sent = await loseFirstResponse("INSERT INTO links", async () => ({ results } = await createBulk(key, links)));
    expect(sent).toBe(2);
    expect(results.map(({ link }) => link !== undefined)).toEqual([true, false, true]);
    expect((await listAll(key)).map(({ id }) => id)).toEqual([results[2]?.link.id, results[0]?.link.id]);
  });
});
