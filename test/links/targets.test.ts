import { beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../src/platform/http/faults.ts";
import { isCountry } from "../../src/links/normalize.ts";
import { MAX_URL_CHARS } from "../../src/limits.ts";
import { call, createLink, type ErrorJson, jsonOf, key, startAccount } from "../support/api.ts";
import { MAX_RULE_VALUES, MAX_RULES_PER_LINK } from "../../src/links/limits.ts";

beforeEach(startAccount);

const URL_B = "https://example.com/b";
const RULE_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

async function errorsOf(body: object): Promise<Fault[]> {
  const response = await call("POST", "/api/links", { key, body: { url: "https://example.com/", ...body } });
  expect(response.status).toBe(400);
  return (await jsonOf<ErrorJson>(response)).details ?? [];
}

const pathsOf = async (body: object) => (await errorsOf(body)).map(({ path }) => path);

describe("rules", () => {
  it("are returned in their canonical form", async () => {
    const rule = {
      countries: ["de", "AT", "DE"],
      regions: ["us-ca"],
      languages: ["PT-br", "iw"],
      referrers: ["News.Example", "bücher.example", "news.example."],
      devices: ["mobile"],
      os: ["iOS", "iOS"],
      startsAt: "2030-01-01T00:00:00Z",
      percentage: 12.5,
      url: URL_B,
    };
    expect((await createLink(key, { rules: [rule] })).rules).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
        countries: ["DE", "AT"],
        regions: ["US-CA"],
        languages: ["pt-BR", "he"],
        referrers: ["news.example", "xn--bcher-kva.example"],
        devices: ["mobile"],
        os: ["iOS"],
        startsAt: Date.UTC(2030, 0, 1),
        percentage: 12.5,
        url: URL_B,
      },
    ]);
  });

  it.each([
    ["a country that there is not", { countries: ["DE", "ZZ"] }, "rules.0.countries.1"],
    ["the United Kingdom under another name", { countries: ["UK"] }, "rules.0.countries.0"],
    ["a country by its name", { countries: ["Germany"] }, "rules.0.countries.0"],
    ["one country that is no list", { countries: "DE" }, "rules.0.countries"],
    ["no country", { countries: [] }, "rules.0.countries"],
    ["a region of no country", { regions: ["ZZ-CA"] }, "rules.0.regions.0"],
    ["a region without its country", { regions: ["CA"] }, "rules.0.regions.0"],
    ["a region that is too long", { regions: ["US-CALI"] }, "rules.0.regions.0"],
    ["a language by its name", { languages: ["german"] }, "rules.0.languages.0"],
    ["a language with the parts of a header", { languages: ["de;q=0.5"] }, "rules.0.languages.0"],
    ["a language that repeats itself", { languages: ["de-1996-1996"] }, "rules.0.languages.0"],
    ["a device that there is not", { devices: ["phone"] }, "rules.0.devices.0"],
    ["a system that there is not", { os: ["ios"] }, "rules.0.os.0"],
    ["a referrer with its scheme", { referrers: ["https://news.example"] }, "rules.0.referrers.0"],
    ["a referrer with a star", { referrers: ["*.news.example"] }, "rules.0.referrers.0"],
    ["a referrer with a path", { referrers: ["news.example/a"] }, "rules.0.referrers.0"],
    ["a referrer that is no host", { referrers: ["a..b c"] }, "rules.0.referrers.0"],
    ["an empty referrer", { referrers: [""] }, "rules.0.referrers.0"],
    ["a referrer that is too long", { referrers: [`${"a.".repeat(127)}test`] }, "rules.0.referrers.0"],
    ["nobody", { percentage: 0 }, "rules.0.percentage"],
    ["everybody", { percentage: 100 }, "rules.0.percentage"],
    ["a part as a text", { percentage: "50" }, "rules.0.percentage"],
    ["a time that ends before it begins", { startsAt: 2, endsAt: 2 }, "rules.0.endsAt"],
    ["a condition that is not known", { country: ["DE"], os: ["iOS"] }, "rules.0.country"],
    ["no condition", {}, "rules.0"],
    ["only an id", { id: RULE_ID }, "rules.0"],
    ["an id that is none", { id: "first", countries: ["DE"] }, "rules.0.id"],
    ["too many values", { countries: Array.from({ length: MAX_RULE_VALUES + 1 }, () => "DE") }, "rules.0.countries"],
    ["an address of an app", { countries: ["DE"], url: "acme://spring" }, "rules.0.url"],
    ["a way back to the service", { countries: ["DE"], url: "https://tern.test/other" }, "rules.0.url"],
  ])("are refused with %s", async (_, rule, path) => {
    expect(await pathsOf({ rules: [{ url: URL_B, ...rule }] })).toEqual([path]);
  });

  it.each([
    ["an object", {}],
    ["a text", "DE"],
    ["numbers", [7]],
    ["null", [null]],
  ])("are refused as %s", async (_, rules) => {
    expect((await pathsOf({ rules }))[0]).toMatch(/^rules/);
  });

  it("are limited in number", async () => {
    const rules = Array.from({ length: MAX_RULES_PER_LINK + 1 }, () => ({ countries: ["DE"], url: URL_B }));
    expect(await pathsOf({ rules })).toEqual(["rules"]);
    expect((await createLink(key, { rules: rules.slice(1) })).rules).toHaveLength(MAX_RULES_PER_LINK);
  });
});

describe("geo", () => {
  it("is returned with upper-case countries", async () => {
    expect((await createLink(key, { geo: { de: URL_B } })).geo).toEqual({ DE: URL_B });
  });

  it.each([
    [{ ZZ: URL_B }, "geo.ZZ", "not_a_country"],
    [{ Germany: URL_B }, "geo.Germany", "not_a_country"],
    [JSON.parse(`{"DE": "${URL_B}", "__proto__": "${URL_B}"}`), "geo.__proto__", "not_a_country"],
    [{ DE: "nonsense" }, "geo.DE", "not_http"],
    [{ DE: "acme://spring" }, "geo.DE", "not_http"],
    [{ DE: "https://tern.test/x" }, "geo.DE", "leads_back"],
    [{ DE: null }, "geo.DE", "wrong_type"],
    [{ DE: URL_B, de: URL_B }, "geo", "repeated_country"],
    [["DE"], "geo", "wrong_type"],
    ["DE", "geo", "wrong_type"],
  ])("is refused as %o", async (geo, path, code) => {
    expect((await errorsOf({ geo }))[0]).toMatchObject({ path, code });
  });
});

describe("a country", () => {
  it("is a code that has a name, without the codes of other things", () => {
    const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
    // Codes with a name that are not countries: groups, dependencies without a code of their own, test codes.
    const others = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const canonical = (code: string) => new Intl.Locale(`und-${code}`).region === code;
    const expected = codes.filter((code) => names.of(code) !== undefined && canonical(code) && !others.has(code));
    expect(codes.filter(isCountry)).toEqual(expected);
    expect(expected).toHaveLength(250);
  });
});

describe("an app's address", () => {
  it.each([
    "https://example.com/app",
    "acme://spring",
    "ACME://Spring",
    "acme:",
    "acme+beta.2://x",
    "com.acme.app:/oauth?x=1#y",
    "upishop://x",
    "operahouse://x",
    "chromecast://x",
    "teltonika://x",
    "itms-apps://apps.apple.com/app/id1",
    "itms-appss://apps.apple.com/app/id1",
    "market://details?id=com.acme",
    "spotify:track:1",
    "acme://tern.test/spring",
    "acme://grün/☃",
  ])("can be %s, and is stored as it is written", async (address) => {
    const { ios, android } = await createLink(key, { ios: address, android: address });
    expect([ios, android]).toEqual([address, address]);
  });

  const refused = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "javascript://example.com/%0Aalert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "DATA:text/html;base64,AAAA",
    "blob:https://example.com/1",
    "filesystem:https://example.com/1",
    "file:///etc/passwd",
    "vbscript:x",
    "view-source:https://example.com/",
    "about:blank",
    "chrome://settings",
    "intent://x#Intent;scheme=acme;end",
    "INTENT:#Intent;end",
    "android-app://com.acme/https/example.com",
    "content://x",
    "itms-services://?action=download-manifest&url=https://example.com/a.plist",
    "tel:1",
    "sms:1",
    "mailto:a@example.com",
    "facetime:a@example.com",
    "ms-msdt:/id",
    "shortcuts://run",
    "x-safari-https://evil.example",
    "X-Safari-Http://evil.example",
    "googlechrome://evil.example",
    "googlechromes://evil.example",
    "googlechrome-x-callback://x-callback-url/open/?url=https%3A%2F%2Fevil.example",
    "microsoft-edge:https://evil.example",
    "microsoft-edge-https://evil.example",
    "firefox-focus://open-url?url=https://evil.example",
    "opera-https://evil.example",
    "touch-http://evil.example",
    "onionhttps://evil.example",
    "ms-word:ofe|u|https://evil.example/a.docx",
    "ms-excel:ofv|u|https://evil.example/a.xlsx",
    "ms-search:query",
    "upi://pay?pa=evil@bank&am=100",
    "tez://upi/pay?pa=evil@bank",
    "phonepe://pay?pa=evil@bank",
    "paytmmp://pay?pa=evil@bank",
    "payto://iban/DE75512108001245126199",
    "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "ethereum:0x00",
    "web+stellar:pay",
    "alipays://platformapi",
    "sip:someone@evil.example",
    "smb://evil.example/share",
    "magnet:?xt=urn:btih:0",
    "otpauth://totp/x",
    "fido:/0123",
    "ws://example.com",
    "ftp://example.com",
    "http:/example.com",
    "https:example.com",
    "https://",
    "https://tern.test/other",
    "acme://a b",
    "acme://a\u0000",
    "acme://a\u00A0b",
    "acme://\uD800",
    "acme",
    "//example.com",
    "/path",
    "C:\\app",
    "://x",
    "1acme://x",
    "ac_me://x",
    "",
    `acme://${"x".repeat(MAX_URL_CHARS)}`,
    `acme://x/${"ü".repeat(MAX_URL_CHARS / 4)}`,
  ];

  it("cannot have a scheme that the browser or the system handles itself, or no scheme", async () => {
    for (const address of refused) {
      const errors = await errorsOf({ ios: address, android: address });
      expect([address, new Set(errors.map(({ path }) => path))]).toEqual([address, new Set(["ios", "android"])]);
      for (const { message } of errors) expect(message).toMatch(/^must /);
    }
  });
});
