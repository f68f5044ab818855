import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/platform/lib/hash.ts";
import { call, createAccount, createLink } from "../support/api.ts";
import { fakeImage } from "../support/fake-image.ts";
import { pngOf, postQr } from "../support/qr.ts";

const OTHER_OPTIONS = {
  format: "png",
  size: "600",
  level: "Q",
  margin: "5",
  foreground: "#111111",
  background: "#eeeeee",
  download: "true",
  logo: fakeImage("png"),
};

describe("an image in a client's cache", () => {
  it("is revalidated by its ETag in every form of the header, without a body", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    for (const query of ["", "?format=png"]) {
      const path = `/api/links/${id}/qr${query}`;
      const first = await call("GET", path, { key });
      const etag = first.headers.get("ETag") ?? "";
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "third"`, "*"]) {
        const response = await call("GET", path, { key, headers: { "If-None-Match": known } });
        expect({ known, status: response.status, body: await response.text() }).toEqual({
          known,
          status: 304,
          body: "",
        });
        expect(response.headers.get("ETag")).toBe(etag);
        expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
        expect(response.headers.get("X-RateLimit-Limit")).toBe("60");
      }
      for (const other of ['"other"', etag.replaceAll('"', ""), etag.slice(0, -2), "", `"${etag}"`])
        expect((await call("GET", path, { key, headers: { "If-None-Match": other } })).status).toBe(200);
      expect((await call("HEAD", path, { key, headers: { "If-None-Match": etag } })).status).toBe(304);
    }
  });

  it("has another ETag for each option and after a change of the slug", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key, { slug: "one" });
    const etagOf = async (query: Record<string, string>) => {
      const response = await call("GET", `/api/links/${id}/qr?${String(new URLSearchParams(query))}`, { key });
      expect(response.status).toBe(200);
      return response.headers.get("ETag");
    };
    const tags = [await etagOf({})];
    for (const [name, value] of Object.entries(OTHER_OPTIONS)) tags.push(await etagOf({ [name]: value }));
    await call("PATCH", `/api/links/${id}`, { key, body: { slug: "two" } });
    tags.push(await etagOf({}));
    expect(new Set(tags).size).toBe(Object.keys(OTHER_OPTIONS).length + 2);
    const asWritten = {
      size: "512",
      level: "M",
      margin: "4",
      foreground: "#000",
      background: "#FFF",
      download: "false",
    };
    expect(await etagOf(asWritten)).toBe(tags.at(-1));
  });

  it("is not revalidated for an invalid request or a caller without permission, and a POST refuses the header", async () => {
    const [{ key }, other] = [await createAccount(), await createAccount()];
    const { id } = await createLink(key);
    const headers = { "If-None-Match": "*" };
    expect((await postQr(key, {}, { headers })).status).toBe(400);
    expect((await call("GET", `/api/links/${id}/qr?foreground=%23fff`, { key, headers })).status).toBe(400);
    expect((await call("GET", `/api/links/${id}/qr`, { key: other.key, headers })).status).toBe(403);
  });

  it("has the ETag of this drawing version: if images change, increase DRAWING_VERSION and change this test", async () => {
    const { key } = await createAccount();
    const fields = { logo: OTHER_OPTIONS.logo, foreground: "#123456", size: 300 };
    const svg = await (await postQr(key, fields)).text();
    const { pixels } = await pngOf(await postQr(key, { format: "png" }));
    expect({ svg: await sha256Hex(svg), png: await sha256Hex(JSON.stringify(pixels)) }).toEqual({
      svg: "5f27e04a9675a83683b2fc861ffe1207b9a2311c65fd2c9d5cf580b07ac8e3c1",
      png: "a2fa8a549e44180124820c0fa7676aa781512c0636b2c647237dfb42538b517b",
    });
  });
});
