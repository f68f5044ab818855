import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { exceededBound } from "../../../src/platform/http/json-bounds.ts";
import { readLimited } from "../../../src/platform/lib/read-limited.ts";
import { MAX_BODY_DEPTH } from "../../../src/limits.ts";
import {
  MAX_BODY_VALUES,
  MAX_BULK_BODY_VALUES,
  MAX_ERROR_DETAILS,
  MAX_ERROR_MESSAGE_CHARS,
  MAX_ERROR_PATH_CHARS,
} from "../../../src/platform/http/limits.ts";
import { BASE_URL, buildRequest, call, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1 };
  const parts = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    values: 1 + parts.reduce((sum, { values }) => sum + values, 0),
  };
}

it("counts the levels and the values of any JSON", () => {
  const character = fc.constantFrom('"', "\\", "[", "{", ",", "]", "}", "ü", "a");
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: character }), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const json = bytesOf(JSON.stringify(value, null, indent));
      const { depth, values } = measure(value);
      expect(exceededBound(json, { maxDepth: depth, maxValues: values })).toBeNull();
      expect(exceededBound(json, { maxDepth: depth, maxValues: values - 1 })).toBe("maxValues");
      if (depth > 0) expect(exceededBound(json, { maxDepth: depth - 1, maxValues: values })).toBe("maxDepth");
    }),
  );
});

it.each(["", '"', '"\\', "[[", "]]]", "[}", "{,,}", '["a', "nul"])("ends for the broken text %j", (text) => {
  expect(exceededBound(bytesOf(text), { maxDepth: 9, maxValues: 9 })).toBeNull();
});

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const zeros = (count: number) => `[${"0,".repeat(count - 1)}0]`;

it.each([
  ["POST", "/api/links", MAX_BODY_VALUES],
  ["PATCH", "/api/links/bulk", MAX_BODY_VALUES],
  ["POST", "/api/links/bulk", MAX_BULK_BODY_VALUES],
  ["POST", "/api/shorten", MAX_BODY_VALUES],
])("bounds the levels and the values of %s %s", async (method, path, maxValues) => {
  const { key } = await createAccount();
  const errorOf = async (body: string) => {
    const response = await call(method, path, { key, body });
    return { status: response.status, ...(await jsonOf<ErrorJson>(response)) };
  };
  const tooDeep = { status: 400, details: [{ code: "body_too_deep", max: MAX_BODY_DEPTH }] };
  const tooMany = { status: 413, code: "payload_too_large", details: [{ code: "body_too_full", max: maxValues }] };
  expect(await errorOf(nested(MAX_BODY_DEPTH + 1))).toMatchObject(tooDeep);
  expect(await errorOf(`{"links":${"[".repeat(60_000)}`)).toMatchObject(tooDeep);
  expect(await errorOf(nested(MAX_BODY_DEPTH))).toMatchObject({
    details: [{ path: "", code: "wrong_type", expected: "object" }],
  });
  expect(await errorOf(zeros(maxValues))).toMatchObject(tooMany);
  expect(await errorOf(zeros(maxValues - 1))).toMatchObject({
    details: [{ path: "", code: "wrong_type", expected: "object" }],
  });
});

it("has the same bounds after decompression", async () => {
  const { key } = await createAccount();
  const { headers } = buildRequest("POST", "/", { key, body: {}, headers: { "Content-Encoding": "gzip" } });
  const body = gzipSync(nested(30_000));
  const response = await send(new Request(`${BASE_URL}/api/links`, { method: "POST", headers, body }));
  expect([response.status, await jsonOf(response)]).toMatchObject([400, { code: "invalid_request" }]);
});

it("accepts a link with as many rules and values as a link may have", async () => {
  const { key } = await createAccount();
  const countries = ["DE", "AT", "CH", "FR", "IT", "ES", "PT", "NL", "BE", "LU"];
  const values = Array.from({ length: 50 }, (_, index) => countries[index % 10]);
  const rules = Array.from({ length: 50 }, () => ({ countries: values, languages: values, url: "https://a.example/" }));
  const response = await call("POST", "/api/links", { key, body: { url: "https://a.example/", rules } });
  expect(response.status).toBe(201);
});

it("repeats little of a request in its errors", async () => {
  const { key } = await createAccount();
  const longKey = "k".repeat(20_000);
  const link = { url: "https://a.example/", geo: { [longKey]: { a: 1 } }, [longKey]: 1 };
  const manyKeys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 0]));
  const items = [link, { ...manyKeys }, { url: "https://a.example/", tags: Array.from({ length: 5_000 }, () => 0) }];
  const response = await call("POST", "/api/links/bulk", { key, body: { links: items } });
  const { results } = await jsonOf<{ results: Required<ErrorJson>[] }>(response);
  expect(results).toHaveLength(3);
  for (const { error, details } of results) {
    expect(error.length).toBeLessThan(MAX_ERROR_PATH_CHARS + MAX_ERROR_MESSAGE_CHARS + 10);
    expect(details.length).toBeLessThanOrEqual(MAX_ERROR_DETAILS);
    for (const { path } of details) expect(path.length).toBeLessThanOrEqual(MAX_ERROR_PATH_CHARS + 1);
  }
  expect(results[0]?.details.map(({ path }) => path)).toContain(`geo.${"k".repeat(MAX_ERROR_PATH_CHARS - 4)}…`);
});

it("reads the first bytes of a stream whatever the size of its chunks", async () => {
  const whole = Uint8Array.from({ length: 20_000 }, (_, index) => index % 251);
  const chunked = (size: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < whole.length; at += size) controller.enqueue(whole.slice(at, at + size));
        controller.close();
      },
    });
  for (const size of [1, 7, 16_384, 20_000])
    for (const limit of [0, 1, 16_384, 16_385, 19_999, 20_000, 40_000])
      expect(
        Buffer.compare(await readLimited(chunked(size), limit), whole.subarray(0, limit)),
        `${size} ${limit}`,
      ).toBe(0);
  expect((await readLimited(null, 10)).byteLength).toBe(0);
});
