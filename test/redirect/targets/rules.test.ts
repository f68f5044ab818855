import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTargets } from "../../../src/redirect/targets/compile.ts";
import { DEVICES, SYSTEMS } from "../../../src/platform/visitor/kinds.ts";
import { matchTarget, type CompiledTargets, type Visitor } from "../../../src/redirect/targets/rules.ts";

const NOW = 1_900_000_000_000;
const ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

interface Settings {
  rules?: object[];
  geo?: Record<string, string>;
  ios?: string;
  android?: string;
}

/** After a round trip through JSON, as from the edge cache. */
function targetsOf({ rules, geo, ios, android }: Settings): CompiledTargets {
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  const withIds = rules?.map((rule, index) => ({ id: `rule-${index}`, ...rule }));
  const stored = { id: ID, ios: ios ?? null, android: android ?? null, geo: json(geo), rules: json(withIds) };
  const targets = compileTargets(stored);
  if (targets === null) throw new Error("no targets");
  return JSON.parse(JSON.stringify(targets)) as CompiledTargets;
}

const NOBODY: Visitor = {
  country: "",
  region: "",
  language: "",
  device: "other",
  os: "other",
  referrer: "",
  fingerprint: 0,
};

function choose(settings: Settings, visitor: Partial<Visitor>, now = NOW): string | null {
  return matchTarget(targetsOf(settings), { ...NOBODY, ...visitor }, now, true)?.location ?? null;
}

describe("a rule with one condition", () => {
  const cases: [string, object, Partial<Visitor>, boolean][] = [
    ["its country", { countries: ["DE", "AT"] }, { country: "AT" }, true],
    ["another country", { countries: ["DE", "AT"] }, { country: "FR" }, false],
    ["no known country", { countries: ["DE"] }, {}, false],
    ["its region", { regions: ["US-CA", "DE-BE"] }, { country: "DE", region: "DE-BE" }, true],
    ["another region", { regions: ["US-CA"] }, { country: "US", region: "US-NY" }, false],
    ["no known region", { regions: ["US-CA"] }, { country: "US" }, false],
    ["its language", { languages: ["de"] }, { language: "de" }, true],
    ["a variant of its language", { languages: ["de"] }, { language: "de-at" }, true],
    ["its language in another case", { languages: ["pt-BR"] }, { language: "pt-br" }, true],
    ["another variant of its language", { languages: ["pt-BR"] }, { language: "pt-pt" }, false],
    ["the language without its variant", { languages: ["pt-BR"] }, { language: "pt" }, false],
    ["a language with the same prefix", { languages: ["de"] }, { language: "den" }, false],
    ["no known language", { languages: ["de"] }, {}, false],
    ["its device", { devices: ["mobile", "tablet"] }, { device: "tablet" }, true],
    ["another device", { devices: ["mobile", "tablet"] }, { device: "desktop" }, false],
    ["its system", { os: ["macOS", "Windows"] }, { os: "Windows" }, true],
    ["another system", { os: ["macOS"] }, { os: "iOS" }, false],
    ["its referrer", { referrers: ["example.com"] }, { referrer: "example.com" }, true],
    ["a subdomain of its referrer", { referrers: ["a.test", "example.com"] }, { referrer: "m.news.example.com" }, true],
    ["a host with the same ending", { referrers: ["example.com"] }, { referrer: "badexample.com" }, false],
    ["the parent domain of its referrer", { referrers: ["news.example.com"] }, { referrer: "example.com" }, false],
    ["no referrer", { referrers: ["example.com"] }, {}, false],
    ["the time at which it starts", { startsAt: NOW }, {}, true],
    ["the time before it starts", { startsAt: NOW + 1 }, {}, false],
    ["the time before it ends", { endsAt: NOW + 1 }, {}, true],
    ["the time at which it ends", { endsAt: NOW }, {}, false],
  ];

  it.each(cases)("with %s", (_, condition, visitor, fits) => {
    expect(choose({ rules: [{ ...condition, url: "https://a.test/" }] }, visitor)).toBe(
      fits ? "https://a.test/" : null,
    );
  });
});

describe("the order", () => {
  const all: Settings = {
    rules: [
      { countries: ["DE"], url: "https://a.test/1" },
      { countries: ["DE", "AT"], url: "https://a.test/2" },
    ],
    ios: "https://a.test/ios",
    android: "acme://android",
    geo: { AT: "https://a.test/at", FR: "https://a.test/fr" },
  };

  it.each([
    [{ country: "DE", os: "iOS" }, "https://a.test/1"],
    [{ country: "AT", os: "iOS" }, "https://a.test/2"],
    [{ country: "AT" }, "https://a.test/2"],
    [{ country: "FR", os: "iOS" }, "https://a.test/ios"],
    [{ country: "FR", os: "Android" }, "acme://android"],
    [{ country: "FR", os: "macOS" }, "https://a.test/fr"],
    [{ country: "US" }, null],
    [{ os: "Android" }, "acme://android"],
    [{}, null],
  ] as const)("is rules, ios, android, geo, and then the link's own: %o", (visitor, location) => {
    expect(choose(all, visitor)).toBe(location);
  });

  it("skips apps' URLs for a browser without the app", () => {
    const web = (visitor: Partial<Visitor>) =>
      matchTarget(targetsOf(all), { ...NOBODY, ...visitor }, NOW, false)?.location ?? null;
    expect(web({ country: "FR", os: "Android" })).toBe("https://a.test/fr");
    expect(web({ country: "US", os: "Android" })).toBeNull();
    expect(web({ country: "DE", os: "Android" })).toBe("https://a.test/1");
    expect(web({ country: "US", os: "iOS" })).toBe("https://a.test/ios");
  });

  it.each(["constructor", "__proto__", "toString", "XX", "T1", ""])("finds nothing for the country %o", (country) => {
    expect(choose(all, { country })).toBeNull();
  });
});

describe("any rules", () => {
  const COUNTRIES = ["DE", "AT", "US"];
  const REGIONS = ["US-CA", "DE-BE", "DE-BY"];
  const LANGUAGES = ["de", "de-AT", "en", "pt-BR"];
  const HOSTS = ["example.com", "news.example.com", "m.news.example.com", "badexample.com", "test"];
  const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const time = fc.integer({ min: NOW - 2, max: NOW + 2 });
  const rule = fc.record(
    {
      countries: some(COUNTRIES),
      regions: some(REGIONS),
      languages: some(LANGUAGES),
      devices: some(DEVICES),
      os: some(SYSTEMS),
      referrers: some(HOSTS),
      startsAt: time,
      endsAt: time,
    },
    { requiredKeys: [] },
  );
  type Rule = typeof rule extends fc.Arbitrary<infer T> ? T : never;
  const visitors = fc.record({
    country: fc.constantFrom("", ...COUNTRIES, "FR"),
    region: fc.constantFrom("", ...REGIONS),
    language: fc.constantFrom("", "de", "de-at", "de-at-1996", "den", "en-us", "pt", "pt-br"),
    device: fc.constantFrom(...DEVICES),
    os: fc.constantFrom(...SYSTEMS),
    referrer: fc.constantFrom("", ...HOSTS),
    fingerprint: fc.constant(0),
  });

  /** The meaning of a rule, written independently. */
  function means(rule: Rule, visitor: Visitor, now: number): boolean {
    const among = (values: readonly string[] | undefined, candidates: string[]) =>
      values === undefined ||
      candidates.some((candidate) => values.map((value) => value.toLowerCase()).includes(candidate));
    const parts = visitor.language.split("-");
    const labels = visitor.referrer.split(".");
    return [
      among(rule.countries, [visitor.country.toLowerCase()]),
      among(rule.regions, [visitor.region.toLowerCase()]),
      among(rule.devices, [visitor.device.toLowerCase()]),
      among(rule.os, [visitor.os.toLowerCase()]),
      among(
        rule.languages,
        parts.map((_, count) => parts.slice(0, count + 1).join("-")),
      ),
      among(
        rule.referrers,
        labels.map((_, first) => labels.slice(first).join(".")),
      ),
      !(now < (rule.startsAt ?? now)) && !((rule.endsAt ?? now + 1) <= now),
    ].every(Boolean);
  }

  it("are won by the first whose conditions all hold", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), visitors, (rules, visitor) => {
        const numbered = rules.map((conditions, place) => ({ ...conditions, url: `https://a.test/${place}` }));
        const expected = rules.findIndex((conditions) => means(conditions, visitor, NOW));
        expect(choose({ rules: numbered }, visitor)).toBe(expected === -1 ? null : `https://a.test/${expected}`);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a percentage", () => {
  /** Fingerprints like those of neighbouring addresses. */
  const FINGERPRINTS = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 3));
  /** Five standard deviations. The inputs are fixed, so the result never varies. */
  const tolerance = (share: number) => 5 * Math.sqrt((share * (1 - share)) / FINGERPRINTS.length);
  const percentage = (value: number, name: string) => ({ percentage: value, url: `https://a.test/${name}` });

  function countBy(settings: Settings): Map<string | null, number> {
    const targets = targetsOf(settings);
    const counts = new Map<string | null, number>();
    for (const fingerprint of FINGERPRINTS) {
      const location = matchTarget(targets, { ...NOBODY, fingerprint }, NOW, true)?.location.slice(15) ?? null;
      counts.set(location, (counts.get(location) ?? 0) + 1 / FINGERPRINTS.length);
    }
    return counts;
  }

  it.each([0.5, 1, 10, 33.3, 50, 90, 99.5])("of %d is that share of the visitors", (value) => {
    const share = countBy({ rules: [percentage(value, "a")] }).get("a") ?? 0;
    expect(Math.abs(share - value / 100)).toBeLessThan(tolerance(value / 100));
  });

  it("applies to the visitors that reach the rule, whatever rules came before", () => {
    const counts = countBy({ rules: [percentage(25, "a"), percentage(50, "b"), percentage(50, "c")] });
    for (const [name, share] of [
      ["a", 0.25],
      ["b", 0.375],
      ["c", 0.1875],
      [null, 0.1875],
    ] as const)
      expect(Math.abs((counts.get(name) ?? 0) - share)).toBeLessThan(tolerance(share));
  });

  it("selects the same visitors each time, and a larger one adds visitors", () => {
    const chosen = (value: number) => {
      const targets = targetsOf({ rules: [percentage(value, "a")] });
      return FINGERPRINTS.filter((fingerprint) => matchTarget(targets, { ...NOBODY, fingerprint }, NOW, true) !== null);
    };
    const few = chosen(20);
    expect(chosen(20)).toEqual(few);
    const more = new Set(chosen(40));
    expect(few.every((fingerprint) => more.has(fingerprint))).toBe(true);
  });

  it("selects other visitors for another link", () => {
    const rules = JSON.stringify([{ id: "rule", ...percentage(50, "a") }]);
    const [one, other] = [ID, ID.replace("8f", "90")].map((id) => {
      const targets = compileTargets({ id, ios: null, android: null, geo: null, rules });
      return FINGERPRINTS.map(
        (fingerprint) => targets !== null && matchTarget(targets, { ...NOBODY, fingerprint }, NOW, true) !== null,
      );
    });
    const alike = FINGERPRINTS.filter((_, index) => one?.[index] === other?.[index]).length / FINGERPRINTS.length;
    expect(Math.abs(alike - 0.5)).toBeLessThan(tolerance(0.5));
  });

  it("combines with other conditions", () => {
    const rules = [{ countries: ["DE"], percentage: 99.999_999, url: "https://a.test/a" }];
    expect(choose({ rules }, { country: "DE", fingerprint: 1 })).toBe("https://a.test/a");
    expect(choose({ rules }, { country: "FR", fingerprint: 1 })).toBeNull();
  });
});

describe("compiled targets", () => {
  it("are null for a link without targets", () => {
    expect(compileTargets({ id: ID, ios: null, android: null, geo: null, rules: null })).toBeNull();
  });

  it("are percent-encoded, with names in Punycode", () => {
    const rules = [{ countries: ["DE"], url: "https://Grün.test/ä?b=ü#ö" }];
    expect(choose({ rules }, { country: "DE" })).toBe("https://xn--grn-ioa.test/%C3%A4?b=%C3%BC#%C3%B6");
    expect(choose({ ios: "acme://grün/ä" }, { os: "iOS" })).toBe("acme://gr%C3%BCn/%C3%A4");
  });

  it("know their approximate size", () => {
    const url = `https://a.test/${"x".repeat(1_000)}`;
    const { chars } = targetsOf({
      rules: [{ countries: ["DE"], url }],
      geo: { DE: url, FR: url },
      ios: url,
      android: url,
    });
    expect(chars).toBeGreaterThan(5_000);
    expect(chars).toBeLessThan(6_000);
  });
});
