import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { because, readBecause, type Because } from "../../src/platform/http/faults.ts";
import { appTargetError, destinationError, withScheme, withSchemeOrApp } from "../../src/links/destination-url.ts";
import { MAX_URL_CHARS } from "../../src/limits.ts";
import { createAccount } from "../support/api.ts";
import { insertDomain } from "../support/domains.ts";
import { api, URL_OK } from "./support.ts";

const codeOf = (reason: Because | null) => reason && readBecause("", reason).code;

describe("a destination", () => {
  it.each([
    ["https://1", "unreachable_host"],
    ["https://256.1.1.1", "wrong_host_end"],
    ["https://1.2.3.4.5/", "wrong_host_end"],
    ["https://foo.1/", "wrong_host_end"],
    ["https://foo.0x/", "wrong_host_end"],
    ["https://0x7f.1/", "unusual_ip_address"],
    ["https://2130706433/", "unusual_ip_address"],
    ["https://239.1.2.3/", "unreachable_host"],
    ["https:///x", "no_host"],
    ["https://", "no_host"],
    ["https://?x", "no_host"],
    ["https://:80/", "no_host"],
    ["https:\\\\example.com", "not_http"],
    ["https://a..b/", "empty_host_label"],
    ["https://.a.com/", "empty_host_label"],
    ["https://a.com../", "empty_host_label"],
    ["https://-a.com", "hyphen_at_label_end"],
    ["https://a-.com", "hyphen_at_label_end"],
    ["https://a.-b.com", "hyphen_at_label_end"],
    [`https://${"a".repeat(64)}.com/`, "host_label_too_long"],
    [`https://${"ü".repeat(60)}.com/`, "host_label_too_long"],
    [`https://${`${"a".repeat(63)}.`.repeat(4)}com/`, "host_too_long"],
    ["https://a*b.com/", "wrong_host_characters"],
    ["https://a,b.com/", "wrong_host_characters"],
    ["https://a b.com/", "has_spaces"],
    ["https://a%20b.com/", "wrong_host"],
    ["https://xn--/", "hyphen_at_label_end"],
    ["https://xn--a.example/", "wrong_punycode"],
    ["https://a.com:0/", "refused_port"],
    ["https://a.com:25/", "refused_port"],
    ["https://a.com:99999/", "wrong_port"],
    ["https://a.com:8x/", "wrong_port"],
    ["https://user:secret@a.com/", "has_credentials"],
    ["https://user@a.com/", "has_credentials"],
    ["https://@a.com/", "has_credentials"],
    ["https://[::1/", "wrong_host"],
    ["https:example.com", "not_http"],
    ["//example.com", "not_http"],
    ["/path", "not_http"],
    ["localhost:3000", "not_http"],
    ["word", "not_http"],
    ["mailto:x@example.com", "not_http"],
    ["javascript:alert(1)", "not_http"],
    ["acme:foo", "not_http"],
    ["acme://foo.bar", "not_http"],
    ["example.com:foo", "not_http"],
    ["example.com:123456/x", "not_http"],
    ["someone@example.com", "not_http"],
    ["user:secret@example.com/", "not_http"],
  ])("is refused: %s", (text, code) => {
    expect(codeOf(destinationError(withScheme(text)))).toBe(code);
  });

  it("is refused with what makes the sentence of its host", () => {
    const faultOf = (url: string) => readBecause("url", destinationError(url) ?? because("invalid"));
    expect(faultOf("https://1")).toMatchObject({ value: "1", address: "0.0.0.1" });
    expect(faultOf("https://0x7f.1/")).toMatchObject({ suggestion: "127.0.0.1" });
    expect(faultOf("https://a%20b.com/")).toMatchObject({ value: "a%20b.com" });
    expect(faultOf("https://a.com:025/")).toMatchObject({ value: "25" });
    expect(faultOf(`https://${"a".repeat(64)}.com/`)).toMatchObject({ max: 63 });
    expect(faultOf(`https://${`${"a".repeat(63)}.`.repeat(4)}com/`)).toMatchObject({ max: 253 });
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
    expect(destinationError(withScheme(`${longest}a`))).toBe(because("too_long_encoded", { max: MAX_URL_CHARS }));
  });

  it("of an app keeps its address, and gets https only without a colon", () => {
    for (const address of ["acme://x", "com.acme.app:123", "acme:x.y"])
      expect([withSchemeOrApp(address), appTargetError(address)]).toEqual([address, null]);
    expect(withSchemeOrApp("apps.example/x")).toBe("https://apps.example/x");
    const refused = ["acme", "https://a..b/", "https://u@a.com/"];
    expect(refused.map((address) => codeOf(appTargetError(withSchemeOrApp(address))))).toEqual([
      "refused_scheme",
      "empty_host_label",
      "has_credentials",
    ]);
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
