import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findRepeatedKey, mayRepeatKeys } from "../../../src/platform/http/json-keys.ts";
import { BASE_URL, buildRequest, call, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function refusal(key: string, method: string, path: string, body: string) {
  const request = buildRequest(method, path, { key, headers: { "Content-Type": "application/json" } });
  const response = await send(new Request(request, { method, body }));
  const { code, details } = await jsonOf<ErrorJson & { details?: { path: string }[] }>(response);
  return [response.status, code, details?.[0]?.path];
}

describe("a body with a key that is given twice", () => {
  it("is refused with the path of the key, also nested and also with an escape", async () => {
    const { key } = await createAccount();
    const url = '"https://example.com"';
    const cases: [method: string, path: string, body: string, at: string][] = [
      ["POST", "/api/links", `{"url": ${url}, "title": "a", "title": "b"}`, "title"],
      ["POST", "/api/links", `{"url": ${url}, "geo": {"DE": ${url}, "DE": ${url}}}`, "geo.DE"],
      ["POST", "/api/links", `{"url": ${url}, "\\u0075rl": ${url}}`, "url"],
      [
        "POST",
        "/api/links/bulk",
        `{"links": [{"url": ${url}}, {"slug": "a", "url": ${url}, "slug": "b"}]}`,
        "links.1.slug",
      ],
      ["POST", "/api/webhooks", '{"url": "https://h.example.dev", "events": [], "events": []}', "events"],
      ["PATCH", "/api/tags/x", '{"name": "a", "name": "b"}', "name"],
    ];
    for (const [method, path, body, at] of cases)
      expect(await refusal(key, method, path, body), body).toEqual([400, "invalid_request", at]);
    const { links } = await jsonOf<{ links: unknown[] }>(await call("GET", "/api/links", { key }));
    expect(links).toEqual([]);
  });

  it("is told from one that has the key in several objects, or as a value", async () => {
    const { key } = await createAccount();
    const link = { url: "https://example.com", title: "url", tags: ["url", "title"] };
    const body = { links: [link, link, { ...link, geo: { DE: "https://example.com/de" } }] };
    expect((await call("POST", "/api/links/bulk", { key, body })).status).toBe(200);
  });
});

it("finds a repeated key in any JSON, and none where there is none", () => {
  const character = fc.constantFrom('"', "\\", "{", ",", "]", ":", "ü", "a");
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: character }), fc.constantFrom(undefined, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      expect(findRepeatedKey(json)).toBeNull();
      const twice = `[0, {"b": ${json}, "a": {"x": ${json}, "y": 1, "x": 2}}]`;
      expect([mayRepeatKeys(bytesOf(twice)), findRepeatedKey(twice)]).toEqual([true, "1.a.x"]);
    }),
  );
});

it("ends for broken texts", () => {
  for (const text of ["", '"', '"\\', "[[", "]]]", "[}", "{,,}", '["a', '{"a', '{"a":1,"a', "}{"]) {
    mayRepeatKeys(bytesOf(text));
    findRepeatedKey(text);
  }
});

it("says of a body in UTF-16 that it must be in UTF-8", async () => {
  const { key } = await createAccount();
  for (const mark of ["", "\u{FEFF}"]) {
    const text = `${mark}{"url": "https://example.com"}`;
    const units = Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    for (const bytes of [
      new Uint8Array(units.buffer),
      new Uint8Array(units.buffer.slice(0)).map((_, n, all) => all[n ^ 1] ?? 0),
    ]) {
      const request = buildRequest("POST", "/api/links", { key, headers: { "Content-Type": "application/json" } });
      const response = await send(new Request(request, { method: "POST", body: bytes }));
      expect([response.status, (await jsonOf<ErrorJson>(response)).error]).toEqual([
        400,
        expect.stringContaining("UTF-8"),
      ]);
    }
  }
});

it("refuses a query with a broken percent-encoding", async () => {
  const { key } = await createAccount();
  for (const query of ["search=%", "search=%zz", "search=%E9", "search=a%2", "%=1", "tag=ok&search=%ff"]) {
    const response = await send(
      new Request(`${BASE_URL}/api/links?${query}`, { headers: { Authorization: `Bearer ${key}` } }),
    );
    expect([query, response.status, (await jsonOf<ErrorJson>(response)).code]).toEqual([query, 400, "invalid_request"]);
  }
  for (const query of ["search=abc%25", "search=100%25+a", "search=abc%C3%A9"])
    expect((await call("GET", `/api/links?${query}`, { key })).status).toBe(200);
});
