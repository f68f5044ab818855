import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appTargetError, destinationError, withScheme, withSchemeOrApp } from "../../src/links/destination.ts";
import { MAX_URL_CHARS } from "../../src/limits.ts";
import { createAccount } from "../support/api.ts";
import { insertDomain } from "../support/domains.ts";
import { api, URL_OK } from "./support.ts";

describe("a destination", () => {
  it.each([
    ["https://1", "0.0.0.1"],
    ["https://256.1.1.1", "IPv4"],
    ["https://1.2.3.4.5/", "IPv4"],
    ["https://foo.1/", "IPv4"],
    ["https://foo.0x/", "IPv4"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https://2130706433/", "127.0.0.1"],
    ["https://239.1.2.3/", "browser"],
    ["https:///x", "host"],
    ["https://", "host"],
    ["https://?x", "host"],
    ["https://:80/", "host"],
    ["https:\\\\example.com", "begin"],
    ["https://a..b/", "dots"],
    ["https://.a.com/", "dots"],
    ["https://a.com../", "dots"],
    ["https://-a.com", "hyphen"],
    ["https://a-.com", "hyphen"],
    ["https://a.-b.com", "hyphen"],
    [`https://${"a".repeat(64)}.com/`, "63"],
    [`https://${"ü".repeat(60)}.com/`, "63"],
    [`https://${`${"a".repeat(63)}.`.repeat(4)}com/`, "253"],
    ["https://a*b.com/", "letters"],
    ["https://a,b.com/", "letters"],
    ["https://a b.com/", "spaces"],
    ["https://a%20b.com/", "host"],
    ["https://xn--/", "host"],
    ["https://xn--a.example/", "host"],
    ["https://a.com:0/", "port"],
    ["https://a.com:25/", "port"],
    ["https://a.com:99999/", "port"],
    ["https://a.com:8x/", "port"],
    ["https://user:secret@a.com/", "user name"],
    ["https://user@a.com/", "user name"],
    ["https://@a.com/", "user name"],
    ["https://[::1/", "host"],
    ["https:example.com", "begin"],
    ["//example.com", "begin"],
    ["/path", "begin"],
    ["localhost:3000", "begin"],
    ["word", "begin"],
    ["mailto:x@example.com", "begin"],
    ["javascript:alert(1)", "begin"],
    ["acme:foo", "begin"],
    ["acme://foo.bar", "begin"],
    ["example.com:foo", "begin"],
    ["example.com:123456/x", "begin"],
    ["someone@example.com", "begin"],
    ["user:secret@example.com/", "begin"],
  ])("is refused: %s", (text, reason) => {
    const message = destinationError(withScheme(text));
    expect(message).toMatch(/^must /);
    expect(message).toContain(reason);
  });

  it.each([
    ["example.com", "https://example.com"],
    ["example.com/x?y=http://z#a:b", "https://example.com/x?y=http://z#a:b"],
    ["EXAMPLE.com:8443/x", "https://EXAMPLE.com:8443/x"],
    ["bücher.example", "https://bücher.example"],
    ["192.168.1.1:8080", "https://192.168.1.1:8080"],
    ["http://localhost:3000/", "http://localhost:3000/"],
    ["http://intranet/", "http://intranet/"],
    ["http://0.0.0.0:8000/", "http://0.0.0.0:8000/"],
    ["http://[::1]:8787/", "http://[::1]:8787/"],
    ["https://example.com./", "https://example.com./"],
    ["https://example.com:/", "https://example.com:/"],
    ["https://_dmarc.example.com/", "https://_dmarc.example.com/"],
    ["https://r3---sn-4g5e6nsz.example.com/", "https://r3---sn-4g5e6nsz.example.com/"],
    ["https://xn--bcher-kva.example/@user", "https://xn--bcher-kva.example/@user"],
    ["https://💩.la/", "https://💩.la/"],
    ["https://straße.example/", "https://straße.example/"],
    ["HTTPS://Example.COM/?a=b@c", "HTTPS://Example.COM/?a=b@c"],
  ])("is accepted: %s", (text, url) => {
    expect([withScheme(text), destinationError(withScheme(text))]).toEqual([url, null]);
  });

  it("has at most 8,192 characters with the scheme", () => {
    const longest = `example.com/${"a".repeat(MAX_URL_CHARS - "https://example.com/".length)}`;
    expect(destinationError(withScheme(longest))).toBeNull();
    expect(destinationError(withScheme(`${longest}a`))).toContain("8192");
  });

  it("of an app keeps its address, and gets https only without a colon", () => {
    for (const address of ["acme://x", "com.acme.app:123", "acme:x.y"])
      expect([withSchemeOrApp(address), appTargetError(address)]).toEqual([address, null]);
    expect(withSchemeOrApp("apps.example/x")).toBe("https://apps.example/x");
    for (const address of ["acme", "https://a..b/", "https://u@a.com/"])
      expect(appTargetError(withSchemeOrApp(address))).toMatch(/^must /);
  });

  it("that is accepted is an absolute web address that the URL parser reads back unchanged", () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9._:@[\]\\/?#%üß-]{0,12}$/);
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .tuple(fc.constantFrom("", "https://", "http://", "HTTPS://"), fc.domain(), part)
        .map((parts) => parts.join("")),
      fc
        .tuple(fc.constantFrom("", "https://", "//", "acme:"), part, fc.constantFrom("", ".example", "/x"))
        .map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(text, (given) => {
        const url = withScheme(given);
        expect(withScheme(url)).toBe(url);
        if (destinationError(url) !== null) return;
        accepted++;
        const parsed = new URL(url);
        expect(parsed.protocol).toMatch(/^https?:$/);
        expect(parsed.username + parsed.password).toBe("");
        expect(new URL(parsed.href).href).toBe(parsed.href);
        expect(destinationError(parsed.href)).toBeNull();
        expect(url.endsWith(given)).toBe(true);
      }),
      { seed: 14, numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });
});

it("gets its scheme in every field, and an error names the field", async () => {
  const { key, accountId } = await createAccount();
  const id = await insertDomain(accountId, "go.example");
  const fieldsOf = (url: string) => ({
    url,
    expiredUrl: url,
    ios: url,
    android: url,
    geo: { DE: url },
    rules: [{ devices: ["mobile"], url }],
    preview: { image: url },
  });
  const created = await api(key, "POST", "/api/links", fieldsOf("example.com/x"));
  expect(created.link).toMatchObject(fieldsOf("https://example.com/x"));
  expect((await api(key, "PATCH", `/api/links/${created.link.id}`, fieldsOf("a.example"))).link).toMatchObject(
    fieldsOf("https://a.example"),
  );
  const refused = await api(key, "POST", "/api/links", fieldsOf("https://u@a.example/"));
  const paths = ["url", "expiredUrl", "rules.0.url", "ios", "android", "geo.DE", "preview.image"];
  expect(new Set(refused.details?.map(({ path }) => path))).toEqual(new Set(paths));
  expect((await api(key, "POST", "/api/shorten", { url: "example.com" })).link.url).toBe("https://example.com");
  expect(await api(key, "POST", "/api/links", { url: "tern.test/x" })).toMatchObject({
    status: 400,
    code: "invalid_request",
  });
  expect(await api(key, "POST", "/api/links", { url: "go.example:443" })).toMatchObject({ status: 400 });
  const bulk = await api(key, "POST", "/api/links/bulk", { links: [{ url: "example.com" }, { url: "https://1" }] });
  expect(bulk.results).toMatchObject([{ link: { url: "https://example.com" } }, { code: "invalid_request" }]);
  const urls = (url: string) => ({ rootUrl: url, notFoundUrl: url });
  const changed = await api(key, "PATCH", `/api/domains/${id}`, urls("example.com/x"));
  expect(changed).toMatchObject({ domain: urls("https://example.com/x") });
  expect((await api(key, "PATCH", `/api/domains/${id}`, urls("https://a..b"))).details).toHaveLength(2);
  const upserted = await api(key, "PUT", "/api/links/upsert", {
    url: URL_OK.slice(8),
    slug: "up",
    utm: { source: "x" },
  });
  expect(upserted.link.url).toBe("https://example.com/?utm_source=x");
});
