import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { update, URL_OK } from "./support.ts";

describe("creating a link", () => {
  it("returns it with every field and stores it", async () => {
    const { key } = await createAccount();
    const expiresAt = Date.now() + 3_600_000;
    const fields = {
      url: "https://example.com/spring?ref=poster#top",
      slug: "Spring-26",
      title: "Frühling 🌷",
      tags: ["sale", "print"],
      expiresAt,
      expiredUrl: "https://example.com/over",
      maxClicks: 3,
      externalId: "crm-17",
      redirectStatus: 307,
    };
    const link = await createLink(key, fields);
    expect(link).toEqual({
      ...fields,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      hasPassword: false,
      passwordAttackedAt: null,
      ios: null,
      android: null,
      geo: {},
      rules: [],
      preview: null,
      passParameters: true,
      domain: "tern.test",
      shortUrl: `${BASE_URL}/Spring-26`,
      status: "active",
      disabled: false,
      archived: false,
      aliases: [],
      startsAt: null,
      clicks: 0,
      importedClicks: 0,
      lastClickedAt: null,
      createdBy: { type: "key", id: expect.any(String) },
      createdAt: expect.any(Number),
      updatedAt: link.createdAt,
      verdict: { state: "allowed", reason: null, since: null },
      visitors: "redirect",
      destination: null,
    });
    expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toEqual({ link });
  });

  it("makes a slug of seven characters that do not look alike", async () => {
    const { key } = await createAccount();
    const slugs = await Promise.all(Array.from({ length: 30 }, async () => (await createLink(key)).slug));
    for (const slug of slugs) expect(slug).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{7}$/);
    expect(new Set(slugs).size).toBe(30);
  });

  it("gives a slug to one of 40 parallel requests, in any case", async () => {
    const { key } = await createAccount();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call("POST", "/api/links", { key, body: { url: URL_OK, slug: index % 2 === 0 ? "Launch" : "lAUNCH" } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(39);
    expect(await env.DB.prepare("SELECT count(*) AS links FROM links").first("links")).toBe(1);
  });

  it("keeps externalId unique in the account", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    await createLink(mine.key, { externalId: "crm-1" });
    await createLink(theirs.key, { externalId: "crm-1" });
    const response = await call("POST", "/api/links", { key: mine.key, body: { url: URL_OK, externalId: "crm-1" } });
    expect(response.status).toBe(409);
    expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([
      { path: "externalId", code: "taken", field: "externalId", value: "crm-1" },
    ]);
  });

  it.each([
    ["no URL", {}, "url"],
    ["a URL that is a number", { url: 1 }, "url"],
    ["a relative URL", { url: "/path" }, "url"],
    ["a script", { url: "javascript:alert(1)" }, "url"],
    ["a data URL", { url: "data:text/html,x" }, "url"],
    ["ftp", { url: "ftp://example.com/" }, "url"],
    ["a URL without a host", { url: "https://" }, "url"],
    ["a URL with a line break", { url: "https://example.com/\r\nSet-Cookie: a=b" }, "url"],
    ["broken Unicode", { url: "https://example.com/\ud800" }, "url"],
    ["a URL of 8,193 characters", { url: `${URL_OK}${"a".repeat(8_193 - URL_OK.length)}` }, "url"],
    ["a URL that is too long once it is percent-encoded", { url: `${URL_OK}${"é".repeat(2_000)}` }, "url"],
    ["a URL of the service", { url: `${BASE_URL}/abc` }, "url"],
    ["a URL of the service in another spelling", { url: "HTTPS://TERN.TEST:443/abc" }, "url"],
    ["an expiredUrl of the service", { url: URL_OK, expiredUrl: `${BASE_URL}/` }, "expiredUrl"],
    ["an empty slug", { url: URL_OK, slug: "" }, "slug"],
    ["a slug of 65 characters", { url: URL_OK, slug: "s".repeat(65) }, "slug"],
    ["a slug with a slash", { url: URL_OK, slug: "a/b" }, "slug"],
    ["a slug with an umlaut", { url: URL_OK, slug: "für" }, "slug"],
    ["a reserved slug", { url: URL_OK, slug: "API" }, "slug"],
    ["a null slug", { url: URL_OK, slug: null }, "slug"],
    ["an empty title", { url: URL_OK, title: "" }, "title"],
    ["a title with a NUL", { url: URL_OK, title: "a\u0000b" }, "title"],
    ["a title of 301 characters", { url: URL_OK, title: "x".repeat(301) }, "title"],
    ["tags that are no list", { url: URL_OK, tags: "sale" }, "tags"],
    ["21 tags", { url: URL_OK, tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "tags"],
    ["an empty tag", { url: URL_OK, tags: ["a", " "] }, "tags.1"],
    ["an expiry in seconds", { url: URL_OK, expiresAt: 4_000_000_000 }, "expiresAt"],
    ["aliases of a new link", { url: URL_OK, aliases: ["old"] }, "aliases"],
    ["an expiry without an offset", { url: URL_OK, expiresAt: "2030-01-01T00:00:00" }, "expiresAt"],
    ["an expiry past the year 9999", { url: URL_OK, expiresAt: 9e15 }, "expiresAt"],
    ["no clicks at all", { url: URL_OK, maxClicks: 0 }, "maxClicks"],
    ["half a click", { url: URL_OK, maxClicks: 1.5 }, "maxClicks"],
    ["status 303", { url: URL_OK, redirectStatus: 303 }, "redirectStatus"],
    ["passParameters that is a word", { url: URL_OK, passParameters: "no" }, "passParameters"],
    ["a misspelt field", { url: URL_OK, sulg: "a" }, "sulg"],
    ["a field that only the service sets", { url: URL_OK, id: "x" }, "id"],
    ["a prototype", '{"url":"https://example.com/","__proto__":{"slug":"x"}}', "__proto__"],
    ["a list", [{ url: URL_OK }], ""],
    ["null", "null", ""],
  ])("refuses %s and names the field", async (_, body, path) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/links", { key, body });
    const json = await jsonOf<ErrorJson>(response);
    expect({ status: response.status, code: json.code, path: json.details?.[0]?.path }).toEqual({
      status: 400,
      code: "invalid_request",
      path,
    });
    expect(json.details?.[0]?.code).toMatch(/^[a-z_]{4,}$/);
    expect(await env.DB.prepare("SELECT count(*) AS links FROM links").first("links")).toBe(0);
  });

  it("allows private destinations, any Unicode, and the longest URL", async () => {
    const { key } = await createAccount();
    for (const url of [
      "http://192.168.1.1:8080/",
      "http://localhost:3000/",
      "https://bücher.example/ü?q=日本#é",
      `${URL_OK}${"a".repeat(8_192 - URL_OK.length)}`,
    ]) {
      expect((await createLink(key, { url })).url).toBe(url);
    }
  });

  it("refuses a domain that is not the account's", async () => {
    const { key } = await createAccount();
    expect((await call("POST", "/api/links", { key, body: { url: URL_OK, domain: "go.example" } })).status).toBe(403);
    expect((await createLink(key, { domain: "TERN.test" })).domain).toBe("tern.test");
  });
});

describe("updating a link", () => {
  it("changes only the given fields", async () => {
    const { key } = await createAccount();
    const link = await createLink(key, { slug: "one", title: "Title", tags: ["a"], maxClicks: 5 });
    const { link: updated } = await update(key, link.id, { url: "https://example.com/new", slug: "Two" });
    expect(updated).toEqual({
      ...link,
      url: "https://example.com/new",
      slug: "Two",
      aliases: ["one"],
      shortUrl: `${BASE_URL}/Two`,
      updatedAt: expect.any(Number),
    });
    expect(updated.updatedAt).toBeGreaterThan(link.updatedAt);
    expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toEqual({ link: updated });
  });

  it("clears optional fields with null", async () => {
    const { key } = await createAccount();
    const full = {
      title: "Title",
      tags: ["a"],
      expiresAt: Date.now() + 60_000,
      expiredUrl: URL_OK,
      maxClicks: 5,
      externalId: "x",
    };
    const link = await createLink(key, full);
    const empty = { title: null, tags: null, expiresAt: null, expiredUrl: null, maxClicks: null, externalId: null };
    expect((await update(key, link.id, empty)).link).toMatchObject({ ...empty, tags: [] });
    const others = { redirectStatus: 301, passParameters: false, disabled: true, archived: true };
    expect((await update(key, link.id, others)).link).toMatchObject(others);
    const nulls = { redirectStatus: null, passParameters: null, disabled: null, archived: null };
    const defaults = { redirectStatus: 302, passParameters: true, disabled: false, archived: false };
    expect((await update(key, link.id, nulls)).link).toMatchObject(defaults);
    for (const body of [{ url: null }, { slug: null }, { aliases: null }])
      expect((await update(key, link.id, body)).status).toBe(400);
  });

  it("keeps concurrent updates of different fields", async () => {
    const { key } = await createAccount();
    const link = await createLink(key);
    const changes = { title: "T", externalId: "E", expiredUrl: URL_OK, maxClicks: 9, tags: ["t"], redirectStatus: 308 };
    await Promise.all(Object.entries(changes).map(([field, value]) => update(key, link.id, { [field]: value })));
    expect((await jsonOf<{ link: Link }>(await call("GET", `/api/links/${link.id}`, { key }))).link).toMatchObject(
      changes,
    );
  });

  it("refuses a taken slug or externalId and changes nothing", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "taken", externalId: "taken" });
    const link = await createLink(key, { slug: "mine" });
    expect(await update(key, link.id, { slug: "TAKEN", title: "x" })).toMatchObject({
      code: "conflict",
      details: [{ path: "slug", code: "taken", value: "TAKEN" }],
    });
    expect((await update(key, link.id, { externalId: "taken", title: "x" })).details).toMatchObject([
      { path: "externalId", code: "taken", value: "taken" },
    ]);
    expect((await update(key, link.id, { slug: "MINE" })).link.slug).toBe("MINE");
    expect((await update(key, link.id, {})).status).toBe(400);
    expect((await update(key, link.id, { status: "expired" })).status).toBe(400);
    expect((await jsonOf<{ link: Link }>(await call("GET", `/api/links/${link.id}`, { key }))).link.title).toBeNull();
  });

  it("makes an expired link active again when its expiresAt moves to the future", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"] });
    const link = await createLink(key, { expiresAt: Date.now() + 1_000 });
    vi.setSystemTime(Date.now() + 1_000);
    const get = async () =>
      (await jsonOf<{ link: Link }>(await call("GET", `/api/links/${link.id}`, { key }))).link.status;
    expect(await get()).toBe("expired");
    expect((await update(key, link.id, { title: "still over" })).link.status).toBe("expired");
    expect((await update(key, link.id, { expiresAt: Date.now() + 1 })).link.status).toBe("active");
    vi.setSystemTime(Date.now() + 1);
    expect((await update(key, link.id, { expiresAt: null })).link.status).toBe("active");
    expect((await call("GET", `/${link.slug}`)).status).toBe(302);
  });
});

describe("deleting a link", () => {
  it("takes effect at once and frees its slug", async () => {
    const { key } = await createAccount();
    const link = await createLink(key, { slug: "gone", url: "https://example.com/old" });
    expect((await call("GET", "/gone")).status).toBe(302);
    expect(await jsonOf(await call("DELETE", `/api/links/${link.id}`, { key }))).toEqual({ success: true });
    expect((await call("GET", "/gone")).status).toBe(404);
    expect((await call("GET", `/api/links/${link.id}`, { key })).status).toBe(404);
    expect((await call("DELETE", `/api/links/${link.id}`, { key })).status).toBe(404);
    await createLink(key, { slug: "GONE", url: "https://example.com/new" });
    expect((await call("GET", "/gone")).headers.get("Location")).toBe("https://example.com/new");
  });
});
