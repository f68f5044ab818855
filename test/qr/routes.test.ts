import { describe, expect, it, vi } from "vitest";
import { BASE_URL, call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { fakeImage } from "../support/fake-image.ts";
import { CONTENT, pngOf, postQr, svgOf } from "../support/qr.ts";
import { scan } from "../support/scanner.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

describe("the code of a link", () => {
  it("contains its short URL with ?qr=1, which redirects to its destination", async () => {
    const { key } = await createAccount();
    const link = await createLink(key, { slug: "Spring-26" });
    const svg = await svgOf(await call("GET", `/api/links/${link.id}/qr`, { key }));
    expect(scan(svg.modules, 4)).toBe(`${BASE_URL}/Spring-26?qr=1`);
    const png = await pngOf(await call("GET", `/api/links/${link.id}/qr?format=png`, { key }));
    expect(scan(png.pixels)).toBe(`${BASE_URL}/Spring-26?qr=1`);
    const followed = await call("GET", scan(png.pixels));
    expect([followed.status, followed.headers.get("Location")?.split("?")[0]]).toEqual([302, "https://example.com/"]);
  });

  it("is returned for the longest slug at every level, and for an expired link", async () => {
    const { key } = await createAccount();
    const { id, shortUrl } = await createLink(key, { slug: "x".repeat(64), expiresAt: Date.now() + 60_000 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    for (const level of ["L", "M", "Q", "H"]) {
      const svg = await svgOf(await call("GET", `/api/links/${id}/qr?level=${level}`, { key }));
      expect(scan(svg.modules, 4)).toBe(`${shortUrl}?qr=1`);
    }
  });

  it("takes the same options in its query as POST /api/qr in its body", async () => {
    const { key } = await createAccount();
    const { id, shortUrl } = await createLink(key);
    const fields = { level: "H", foreground: "#123", background: "#fed", logo: fakeImage("png") };
    const requests: [Record<string, string>, object][] = [
      [
        { ...fields, size: "700", margin: "2" },
        { ...fields, size: 700, margin: 2 },
      ],
      [
        { format: "png", size: "64", margin: "0" },
        { format: "png", size: 64, margin: 0 },
      ],
      [{}, {}],
    ];
    for (const [query, body] of requests) {
      const got = await call("GET", `/api/links/${id}/qr?${String(new URLSearchParams(query))}`, { key });
      const posted = await postQr(key, { ...body, content: `${shortUrl}?qr=1` });
      expect(got.status).toBe(200);
      expect(new Uint8Array(await got.arrayBuffer())).toEqual(new Uint8Array(await posted.arrayBuffer()));
      expect(got.headers.get("ETag")).toBe(posted.headers.get("ETag"));
    }
  });

  it.each([
    "size=",
    "size=1e3",
    "size=0x200",
    "size=+512",
    "size=512.5",
    "size=-512",
    "size=99999",
    "size=100&size=200",
    "margin= 4",
    "download=1",
    "download=",
    "download=TRUE",
    "format=SVG",
    "format=gif",
    "level=m",
    "foreground=#000",
    "foreground=",
    "logo=",
    "colour=%23000",
    "content=x",
  ])("is refused with ?%s", async (query) => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    const response = await call("GET", `/api/links/${id}/qr?${query}`, { key });
    const { code, details } = await jsonOf<ErrorJson>(response);
    expect({ status: response.status, code, path: details?.[0]?.path }).toEqual({
      status: 400,
      code: "invalid_request",
      path: query.split("=")[0],
    });
  });

  it("is refused by POST /api/qr if the body has an unknown field", async () => {
    const { key } = await createAccount();
    for (const field of ["colour", "text", "id", "slug", "errorCorrection"]) {
      const response = await postQr(key, { [field]: "x" });
      expect(response.status).toBe(400);
      expect((await jsonOf<ErrorJson>(response)).details?.[0]?.path).toBe(field);
    }
  });

  it("is returned to keys of the link's account that may read links", async () => {
    const [mine, theirs] = [await createAccount(["links:read"]), await createAccount()];
    const link = await createLink(theirs.key);
    expect((await call("GET", `/api/links/${link.id}/qr`, { key: mine.key })).status).toBe(403);
    expect((await call("GET", `/api/links/${SOME_ID}/qr`, { key: mine.key })).status).toBe(404);
    expect((await call("GET", "/api/links/1/qr", { key: mine.key })).status).toBe(404);
    await call("DELETE", `/api/links/${link.id}`, { key: theirs.key });
    const deleted = await call("GET", `/api/links/${link.id}/qr`, { key: theirs.key });
    expect(deleted.status).toBe(404);
    expect(await jsonOf<ErrorJson>(deleted)).toMatchObject({ code: "not_found" });
  });
});

describe("the format", () => {
  it.each([
    [undefined, "svg"],
    ["*/*", "svg"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8", "svg"],
    ["image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "svg"],
    ["image/png", "png"],
    ["IMAGE/PNG", "png"],
    ["image/png, */*;q=0.1", "png"],
    ["image/png,*/*", "png"],
    ["image/svg+xml", "svg"],
    ["image/png,image/svg+xml", "svg"],
    ["image/svg+xml;q=0.5,image/png;q=0.9", "png"],
    ["image/svg+xml;q=0.9,image/png;q=0.5", "svg"],
    ["image/png;q=0.5,*/*", "svg"],
    ["image/svg+xml;q=0,*/*", "png"],
    ["image/svg+xml;q=0,image/*;q=0.1", "png"],
    ["image/png;q=0", "svg"],
    ["image/*", "svg"],
    ["application/json", "svg"],
    ["image/gif", "svg"],
    ["", "svg"],
    [";;q=,,", "svg"],
  ])("for Accept: %s is %s", async (accept, format) => {
    const { key } = await createAccount();
    const response = await postQr(key, {}, { headers: accept === undefined ? {} : { Accept: accept } });
    expect(response.headers.get("Content-Type")).toBe(format === "svg" ? "image/svg+xml" : "image/png");
    expect(response.headers.get("Vary")).toBe("Accept");
  });

  it("is that of the request, with any Accept header", async () => {
    const { key } = await createAccount();
    const png = await postQr(key, { format: "png" }, { headers: { Accept: "image/svg+xml" } });
    const svg = await postQr(key, { format: "svg" }, { headers: { Accept: "image/png" } });
    expect([scan((await pngOf(png)).pixels), scan((await svgOf(svg)).modules, 4)]).toEqual([CONTENT, CONTENT]);
    expect([png.headers.has("Vary"), svg.headers.has("Vary")]).toEqual([false, false]);
  });
});

describe("the response", () => {
  it("cannot run or load anything if an SVG is opened on its own", async () => {
    const { key } = await createAccount();
    const policy =
      "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
    const { headers } = await postQr(key);
    expect(headers.get("Content-Security-Policy")).toBe(policy);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    // The headers of a 304 replace those of the copy.
    const { id } = await createLink(key);
    const first = await call("GET", `/api/links/${id}/qr`, { key });
    const known = { "If-None-Match": first.headers.get("ETag") ?? "" };
    const again = await call("GET", `/api/links/${id}/qr`, { key, headers: known });
    expect([again.status, again.headers.get("Content-Security-Policy")]).toEqual([304, policy]);
  });

  it("is a file with a name if download is true", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key, { slug: "Spring_26-a" });
    const link = `/api/links/${id}/qr`;
    const dispositionOf = async (response: Promise<Response>) => (await response).headers.get("Content-Disposition");
    expect(await dispositionOf(call("GET", `${link}?download=true`, { key }))).toBe(
      'attachment; filename="Spring_26-a.svg"',
    );
    expect(await dispositionOf(call("GET", `${link}?download=true&format=png`, { key }))).toBe(
      'attachment; filename="Spring_26-a.png"',
    );
    const hostile = 'a"\r\nSet-Cookie: b=c; filename="../../x.exe';
    const posted = await postQr(key, { download: true, content: hostile });
    expect([posted.status, posted.headers.get("Set-Cookie")]).toEqual([200, null]);
    expect(posted.headers.get("Content-Disposition")).toBe('attachment; filename="qr-code.svg"');
    for (const download of [false, undefined]) expect(await dispositionOf(postQr(key, { download }))).toBeNull();
    expect(await dispositionOf(call("GET", `${link}?download=false`, { key }))).toBeNull();
    for (const download of ["true", 1, null]) expect((await postQr(key, { download })).status).toBe(400);
  });

  it("has rate limit headers, on errors too, and allows 60 calls a minute", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    for (const [index, send] of [
      (address: string, good: boolean) => postQr(key, good ? {} : { size: 1 }, { address }),
      (address: string, good: boolean) => call("GET", `/api/links/${id}/qr${good ? "" : "?size=1"}`, { key, address }),
    ].entries()) {
      const address = `192.0.2.${index + 1}`;
      for (let call = 1; call <= 60; call++) {
        const response = await send(address, call % 2 === 0);
        expect(response.status).toBe(call % 2 === 0 ? 200 : 400);
        expect(response.headers.get("X-RateLimit-Limit")).toBe("60");
        expect(response.headers.get("X-RateLimit-Remaining")).toBe(String(60 - call));
      }
      const refused = await send(address, true);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await jsonOf<ErrorJson>(refused)).toMatchObject({ code: "rate_limited" });
    }
  });
});
