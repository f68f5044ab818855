import { describe, expect, it } from "vitest";
import { EndTimeInput, LastTimeInput, StartTimeInput } from "../../../src/platform/http/validation.ts";
import { DAY_MS, HOUR_MS, MAX_TIMESTAMP_MS } from "../../../src/limits.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";

it("texts for people are stored without characters that turn the text after them", async () => {
  const { key } = await createAccount();
  const link = await createLink(key, {
    title: "\u202Egpj.exe\u202C",
    tags: ["\u2066sale\u2069", "sale", "العربية\u200f"],
  });
  expect(link).toMatchObject({ title: "gpj.exe", tags: ["sale", "العربية\u200f"] });
  const empty = await call("POST", "/api/links", { key, body: { url: "https://example.com/", title: "\u202e" } });
  expect((await jsonOf<ErrorJson>(empty)).details).toMatchObject([{ path: "title", code: "empty" }]);
});

describe("validation errors", () => {
  it.each([
    [{}, { path: "url", code: "required" }],
    [{ url: 1 }, { path: "url", code: "wrong_type", expected: "string" }],
    [
      { url: "https://example.com/", title: 5 },
      { path: "title", code: "wrong_type", expected: "string" },
    ],
    [
      { url: "https://example.com/", tags: "x" },
      { path: "tags", code: "wrong_type", expected: "array" },
    ],
    [
      { url: "https://example.com/", tags: "a text that is longer than 20" },
      { path: "tags", code: "wrong_type", expected: "array" },
    ],
    [
      { url: "https://example.com/", tags: [1] },
      { path: "tags.0", code: "wrong_type", expected: "string" },
    ],
    [
      { url: "https://example.com/", maxClicks: "5" },
      { path: "maxClicks", code: "wrong_type", expected: "number" },
    ],
    [
      { url: "https://example.com/", maxClicks: 2e9 },
      { path: "maxClicks", code: "too_large", max: 1_000_000_000 },
    ],
    [
      { url: "https://example.com/", maxClicks: 1.5 },
      { path: "maxClicks", code: "not_whole" },
    ],
    [
      { url: "https://example.com/", slug: null },
      { path: "slug", code: "wrong_type", expected: "string" },
    ],
    [
      { url: "https://example.com/", expiresAt: "2030-02-30" },
      { path: "expiresAt", code: "not_a_time" },
    ],
    [
      { url: "https://example.com/", expiresAt: true },
      { path: "expiresAt", code: "not_a_time" },
    ],
    [
      { url: "https://example.com/", domain: "" },
      { path: "domain", code: "empty" },
    ],
    [[], { path: "", code: "wrong_type", expected: "object" }],
  ])("explain what is wrong with %j", async (body, fault) => {
    const { key } = await createAccount();
    const { error, details } = await jsonOf<ErrorJson>(await call("POST", "/api/links", { key, body }));
    expect(details).toEqual([{ ...fault, message: expect.any(String) }]);
    expect(error).toBe(`${fault.path || "body"}: ${details?.[0]?.message}`);
  });

  it.each([
    ["expires_at", "expiresAt"],
    ["EXPIRESAT", "expiresAt"],
    ["key", "slug"],
    ["titel", "title"],
    ["tags[]", "tags"],
    ["expirydate", "expiresAt"],
    ["maxClick", "maxClicks"],
  ])("suggest the field that %s probably means", async (field, meant) => {
    const { key } = await createAccount();
    const body = { url: "https://example.com/", [field]: "x" };
    const { error, details } = await jsonOf<ErrorJson>(await call("POST", "/api/links", { key, body }));
    expect(details).toMatchObject([{ path: field, code: "unknown_field", suggestion: meant }]);
    expect(error).toBe(`${field}: ${details?.[0]?.message}`);
  });

  it("suggest a required field first, and not one that is there", async () => {
    const { key } = await createAccount();
    const post = async (body: object) => jsonOf<ErrorJson>(await call("POST", "/api/links", { key, body }));
    const { error, details } = await post({ long_url: "https://example.com/", x: 1 });
    expect(error).toMatch(/^long_url: /);
    expect(details?.map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ["long_url", "url"],
      ["url", undefined],
      ["x", undefined],
    ]);
    const both = await post({ url: "https://example.com/", long_url: "https://example.com/" });
    expect(both.details).toEqual([{ path: "long_url", code: "unknown_field", message: expect.any(String) }]);
  });

  it("suggest parameters of a query and fields of parts and of bulk requests", async () => {
    const { key } = await createAccount();
    const query = await jsonOf<ErrorJson>(await call("GET", "/api/links?per_page=10&q=spring", { key }));
    expect(query.details).toMatchObject([
      { path: "per_page", code: "unknown_field", suggestion: "limit" },
      { path: "q", code: "unknown_field", suggestion: "search" },
    ]);
    const utm = { url: "https://example.com/", utm: { sorce: "x" } };
    const { details } = await jsonOf<ErrorJson>(await call("POST", "/api/links", { key, body: utm }));
    expect(details?.[0]).toMatchObject({ path: "utm.sorce", code: "unknown_field", suggestion: "source" });
    const response = await call("POST", "/api/links/bulk", {
      key,
      body: { links: [{ longUrl: "https://example.com/" }] },
    });
    const { results } = await jsonOf<{ results: ErrorJson[] }>(response);
    expect(results[0]?.details?.[0]).toMatchObject({ path: "longUrl", code: "unknown_field", suggestion: "url" });
  });

  it.each([
    ["POST", "/api/links/bulk", '{"links": […]}'],
    ["DELETE", "/api/links/bulk", '{"ids": […]}'],
  ])("show the object around a bare list: %s %s", async (method, path, form) => {
    const { key } = await createAccount();
    const response = await call(method, path, { key, body: [{ url: "https://example.com/" }] });
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([
      { path: "", code: "wrong_type", expected: "object", example: form },
    ]);
  });

  it.each([
    [[], { code: "empty" }],
    [Array.from({ length: 101 }, () => ({})), { code: "too_many", max: 100 }],
  ])("explain what is wrong with a list's length: %#", async (links, fault) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/links/bulk", { key, body: { links } });
    expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([{ path: "links", ...fault }]);
  });

  it("explain what is wrong with a query", async () => {
    const { key } = await createAccount();
    const repeated = await jsonOf<ErrorJson>(await call("GET", "/api/links?slug=a&slug=b", { key }));
    expect(repeated.details).toMatchObject([{ path: "slug", code: "given_twice" }]);
    const unknown = await jsonOf<ErrorJson>(await call("GET", "/api/links?status=gone", { key }));
    const allowed = "active scheduled expired disabled !active !scheduled !expired !disabled".split(" ");
    expect(unknown.details).toMatchObject([{ path: "status", code: "not_one_of", allowed }]);
  });

  it("are limited to twenty", async () => {
    const { key } = await createAccount();
    const unknown = Array.from({ length: 1_000 }, (_, index) => [`unknown${index}`, 1]);
    const body = { name: "x", ...(Object.fromEntries(unknown) as object) };
    expect((await jsonOf<ErrorJson>(await call("POST", "/api/keys", { key, body }))).details).toHaveLength(20);
  });
});

describe("a time in a request", () => {
  const DAY = Date.UTC(2030, 0, 31);
  it.each([
    ["2030-01-31T12:00Z", DAY + 12 * HOUR_MS],
    ["2030-01-31T12:00+02:00", DAY + 10 * HOUR_MS],
    ["2030-01-31T12:00:00.5-01:00", DAY + 13 * HOUR_MS + 500],
    [String(DAY), DAY],
  ])("may be %s", (text, time) => {
    const given = text === String(DAY) ? DAY : text;
    for (const form of [StartTimeInput, LastTimeInput, EndTimeInput]) expect(form.parse(given)).toBe(time);
  });

  it("may be a day, which includes the whole day in UTC", () => {
    const forms = [StartTimeInput, LastTimeInput, EndTimeInput];
    expect(forms.map((form) => form.parse("2030-01-31"))).toEqual([DAY, DAY + DAY_MS - 1, DAY + DAY_MS]);
    expect(StartTimeInput.parse("2028-02-29")).toBe(Date.UTC(2028, 1, 29));
    for (const form of [LastTimeInput, EndTimeInput]) expect(form.parse("9999-12-31")).toBe(MAX_TIMESTAMP_MS);
  });

  it.each(
    "2030-02-30 2030-02-30T12:00Z 2029-02-29 2030-13-01 2030-1-31 2030-01-31T12:00 2030-01-31T24:00Z 2030-01-31T12Z 2030-01 20300131 1969-12-31 10000-01-01 +2030-01-31".split(
      " ",
    ),
  )("cannot be %s", (text) => {
    for (const form of [StartTimeInput, LastTimeInput, EndTimeInput]) expect(form.safeParse(text).success).toBe(false);
  });

  it("is a bound of the right side in every operation", async () => {
    const { key } = await createAccount();
    const rule = { startsAt: "2030-01-31", endsAt: "2030-01-31", url: "https://example.com/" };
    const link = await createLink(key, { expiresAt: "2030-01-31", rules: [rule] });
    expect(link.expiresAt).toBe(DAY + DAY_MS - 1);
    expect(link.rules[0]).toMatchObject({ startsAt: DAY, endsAt: DAY + DAY_MS });
    const made = await call("POST", "/api/keys", { key, body: { name: "x", expiresAt: "2030-01-31" } });
    expect((await jsonOf<{ key: object }>(made)).key).toMatchObject({ expiresAt: DAY + DAY_MS - 1 });
    const period = await call("GET", "/api/clicks?start=2026-01-31&end=2026-01-31", { key });
    const { clicks } = await jsonOf<{ clicks: { start: number; end: number; timeseries: object[] } }>(period);
    const start = Date.UTC(2026, 0, 31);
    expect([clicks.start, clicks.end, clicks.timeseries.length]).toEqual([start, start + DAY_MS, 24]);
    expect((await call("GET", "/api/clicks?start=2026-02-30", { key })).status).toBe(400);
  });
});
