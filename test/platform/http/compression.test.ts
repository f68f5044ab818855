import { deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { BASE_URL, buildRequest, createAccount, jsonOf, send } from "../../support/api.ts";

const LINK = { url: "https://example.com/" };

function sendCompressed(key: string, encoding: string, body: Uint8Array): Promise<Response> {
  const { headers } = buildRequest("POST", "/", { key, body: {}, headers: { "Content-Encoding": encoding } });
  return send(new Request(`${BASE_URL}/api/links`, { method: "POST", headers, body }));
}

// The body of a request

it.each([
  ["gzip", gzipSync],
  ["X-GZIP", gzipSync],
  ["deflate", deflateSync],
  ["identity", (bytes: Uint8Array) => bytes],
] as const)("is taken with the content encoding %s", async (encoding, compress) => {
  const { key } = await createAccount();
  const json = new TextEncoder().encode(JSON.stringify({ ...LINK, title: "x".repeat(300) }));
  const response = await sendCompressed(key, encoding, compress(json));
  expect(response.status).toBe(201);
  expect(await jsonOf(response)).toMatchObject({ link: { title: "x".repeat(300) } });
});

it("has the same bound after decompression, and a bomb is not expanded beyond it", async () => {
  const { key } = await createAccount();
  const padded = (bytes: number) => JSON.stringify(LINK).padEnd(bytes, " ");
  for (const bytes of [65_535, 65_536])
    expect((await sendCompressed(key, "gzip", gzipSync(padded(bytes)))).status).toBe(201);
  for (const bytes of [65_537, 60_000_000]) {
    const bomb = gzipSync(padded(bytes));
    expect(bomb.byteLength).toBeLessThan(65_536);
    const response = await sendCompressed(key, "gzip", bomb);
    expect([response.status, await jsonOf(response)]).toMatchObject([413, { code: "payload_too_large" }]);
  }
});

it("is refused with an encoding that is unknown, wrong or cut off", async () => {
  const { key } = await createAccount();
  const whole = gzipSync(JSON.stringify(LINK));
  for (const encoding of ["br", "zstd", "gzip, gzip", "aes128gcm"]) {
    const response = await sendCompressed(key, encoding, whole);
    expect(response.headers.get("Accept-Encoding")).toBe("gzip, deflate");
    expect([response.status, await jsonOf(response)]).toMatchObject([415, { code: "unsupported_media_type" }]);
  }
  for (const [encoding, body] of [
    ["gzip", whole.subarray(0, -9)],
    ["gzip", Buffer.from(JSON.stringify(LINK))],
    ["deflate", whole],
  ] as const) {
    const response = await sendCompressed(key, encoding, body);
    const error = expect.stringContaining("Content-Encoding");
    expect([response.status, await jsonOf(response)]).toMatchObject([400, { code: "invalid_request", error }]);
  }
});
