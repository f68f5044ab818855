import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestVisitor } from "../../../src/redirect/targets/visitor.ts";

function visitor(headers: Record<string, string>, cf: Record<string, unknown> = {}) {
  return new RequestVisitor(new Request("https://tern.test/a", { headers, cf }));
}

describe("a visitor's language", () => {
  it.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de-at"],
    ["en;q=0.5, de", "de"],
    ["en;q=0.5,fr;q=0.9,de;q=0.8", "fr"],
    ["EN-us", "en-us"],
    ["fr;q=0.8,de;q=0.8", "fr"],
    ["  pt-BR ; q=1.0 , en", "pt-br"],
    ["*", ""],
    ["*,de;q=0.5", "de"],
    ["de;q=0", ""],
    ["de;q=0,en;q=0.001", "en"],
    ["iw", "he"],
    ["zh-hant-tw", "zh-hant-tw"],
    ["", ""],
    [",,,", ""],
    ["<script>,x", ""],
    ["de;q=2,en;q=0.1", "en"],
    ["de;q=nonsense", ""],
    [`${"x".repeat(300)},de`, ""],
    [`en;q=0.1,${"de-at;q=0.05,".repeat(18)}fr-fr-variant`, "en"],
  ])("in %s is %s", (accepted, language) => {
    expect(visitor({ "Accept-Language": accepted }).language).toBe(language);
  });

  it("is '' without the header", () => {
    expect(visitor({}).language).toBe("");
  });

  it("is well-formed whatever is sent", () => {
    const part = fc.constantFrom("de", "en-US", ";q=", "0.5", ",", " ", "*", "-", "1", "q", "\t", "x-private");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(visitor({ "Accept-Language": parts.join("") }).language).toMatch(/^[a-z0-9-]*$/);
      }),
    );
  });
});

describe("a visitor's referrer", () => {
  it.each([
    ["https://News.Example/a/page?with=query", "news.example"],
    ["https://news.example", "news.example"],
    ["http://news.example:8080/", "news.example"],
    ["https://user:secret@news.example/", "news.example"],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
    ["android-app://com.google.android.gm/", "com.google.android.gm"],
    ["http://[2001:db8::1]/", "[2001:db8::1]"],
    ["https://evil.example/https://news.example/", "evil.example"],
    ["https://evil.example\\@news.example/", "evil.example"],
    ["about:blank", ""],
    ["nonsense", ""],
    ["", ""],
  ])("%s is on %s", (referrer, host) => {
    expect(visitor({ Referer: referrer }).referrer).toBe(host);
  });
});

describe("a visitor's location", () => {
  it("is a country and a region by ISO 3166", () => {
    expect(visitor({}, { country: "US", regionCode: "CA" })).toMatchObject({ country: "US", region: "US-CA" });
    expect(visitor({}, { country: "US" })).toMatchObject({ country: "US", region: "" });
    expect(visitor({}, { regionCode: "CA" })).toMatchObject({ country: "", region: "" });
    expect(visitor({})).toMatchObject({ country: "", region: "" });
    expect(new RequestVisitor(new Request("https://tern.test/a"))).toMatchObject({ country: "", region: "" });
  });
});

describe("a visitor's fingerprint", () => {
  const fingerprintOf = (address: string, userAgent = "Mozilla/5.0 Firefox/140.0") =>
    visitor({ "CF-Connecting-IP": address, "User-Agent": userAgent }).fingerprint;

  it("stays the same after a browser update and within an IPv6 network", () => {
    expect(fingerprintOf("203.0.113.7")).toBe(fingerprintOf("203.0.113.7", "Mozilla/5.0 Firefox/141.0"));
    expect(fingerprintOf("2001:db8:1:2:3:4:5:6")).toBe(fingerprintOf("2001:db8:1:2::1"));
  });

  it("differs by address, network and program", () => {
    const fingerprints = [
      fingerprintOf("203.0.113.7"),
      fingerprintOf("203.0.113.8"),
      fingerprintOf("203.0.113.7", "curl/8"),
      fingerprintOf("2001:db8:1:2::1"),
      fingerprintOf("2001:db8:1:3::1"),
    ];
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });
});
