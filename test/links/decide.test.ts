import { describe, expect, it } from "vitest";
import { because, type Fault } from "../../src/platform/http/faults.ts";
import { MAX_ALIASES_PER_LINK, MAX_TAGS_PER_LINK, MAX_URL_CHARS } from "../../src/limits.ts";
import { ANONYMOUS, namesOf, run, VERIFIED, type Given } from "./decide-support.ts";
import { DOMAIN, SOME_ID, URL_OK } from "./support.ts";

const BLOCKED = "https://blocked.example/";

/** Both at once. Where they differ, the first one holds. */
function both(first: Given, second: Given): Given {
  return {
    row: first.row === null ? null : { ...second.row, ...first.row },
    facts: { ...second.facts, ...first.facts },
    fields: { ...second.fields, ...first.fields },
    change: { ...second.change, ...first.change },
  };
}

const TOO_LONG = `${URL_OK}${"a".repeat(MAX_URL_CHARS - URL_OK.length)}`;

interface Refusal extends Given {
  reason: string;
  /** The code and the path of each fault. */
  faults: string[];
}

/** In the order in which they are found. */
const REFUSALS: Refusal[] = [
  { reason: "not_found", faults: ["not_found "], row: null },
  { reason: "forbidden", faults: ["of_another_account "], facts: { accountId: 2 } },
  { reason: "precondition_failed", faults: ["changed_since_read "], change: { versions: [6] } },
  {
    reason: "invalid",
    faults: ["too_long_with_utm utm"],
    row: { url: TOO_LONG },
    fields: { utm: { source: "mail" } },
  },
  {
    reason: "invalid",
    faults: ["too_many_tags addTags"],
    row: { tags: JSON.stringify(namesOf("tag", MAX_TAGS_PER_LINK)) },
    change: { tags: { addTags: ["one more"] } },
  },
  {
    reason: "destination_blocked",
    faults: ["blocked expiredUrl"],
    facts: { blocked: new Map([[BLOCKED, because("blocked", { reason: "phishing" })]]) },
    fields: { expiredUrl: BLOCKED },
  },
  { reason: "keeps_short_url", faults: ["keeps_short_url "], row: { domain: ANONYMOUS }, fields: { slug: "other" } },
  {
    reason: "domain_refused",
    faults: ["domain_refused "],
    facts: { domain: null },
    fields: { domain: DOMAIN },
    change: { domain: DOMAIN },
  },
  {
    reason: "invalid",
    faults: ["nested_slugs_off slug"],
    facts: { domain: VERIFIED },
    fields: { slug: "a/b" },
    change: { domain: DOMAIN },
  },
  {
    reason: "invalid",
    faults: ["leads_to_domain expiredUrl"],
    facts: { verifiedHosts: new Set([DOMAIN]) },
    fields: { expiredUrl: `https://${DOMAIN}/x` },
  },
  { reason: "invalid", faults: ["reserved slug"], fields: { slug: "API" } },
  { reason: "slug_taken", faults: ["taken slug"], facts: { holder: "own" }, fields: { slug: "other" } },
  { reason: "not_an_alias", faults: ["not_an_alias aliases"], fields: { aliases: ["never"] } },
  {
    reason: "too_many_aliases",
    faults: ["too_many_aliases "],
    // One more than a link can have, so that it also has too many of them at the next domain.
    row: { aliases: JSON.stringify(namesOf("old", MAX_ALIASES_PER_LINK + 1)) },
    fields: { slug: "other" },
  },
  {
    reason: "domain_has_aliases",
    faults: ["aliases_of_domain "],
    row: { aliases: '["old"]' },
    facts: { domain: VERIFIED },
    change: { domain: DOMAIN },
  },
  {
    reason: "ends_before_start",
    faults: ["not_after expiresAt"],
    row: { starts_at: 2_000_000_000_000 },
    fields: { expiresAt: 2_000_000_000_000 },
  },
];

function expectRefused(given: Given, { reason, faults }: Refusal): void {
  const decision = run(given);
  expect(decision).toMatchObject({ ok: false, reason });
  const { details = [] } = (decision as unknown as { error: { details?: Fault[] } }).error;
  expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(faults);
}

const nameOf = ({ reason, faults }: Refusal) => `${reason} ${faults.join()}`;

describe("a refused change", () => {
  it.each(REFUSALS.map((refusal) => [nameOf(refusal), refusal] as const))("%s", (_, refusal) => {
    expectRefused(refusal, refusal);
  });

  const pairs = REFUSALS.slice(1).map((second, index) => [REFUSALS[index] as Refusal, second] as const);
  it.each(pairs.map(([first, second]) => [nameOf(first), nameOf(second), first, second] as const))(
    "%s is told before %s",
    (_, __, first, second) => expectRefused(both(first, second), first),
  );

  it("tells all destinations that are wrong, and of the links of the anonymous host also the move", () => {
    const blocked = { blocked: new Map([[BLOCKED, because("blocked", { reason: "spam" })]]) };
    const fields = { url: BLOCKED, geo: { DE: BLOCKED, FR: URL_OK }, rules: [] };
    expectRefused(
      { facts: blocked, fields },
      { reason: "destination_blocked", faults: ["blocked url", "blocked geo.DE"] },
    );
    const moved = { row: { domain: ANONYMOUS }, facts: { domain: VERIFIED }, change: { domain: DOMAIN } };
    expectRefused(moved, { reason: "keeps_short_url", faults: ["keeps_short_url "] });
  });

  it("reads the slug of a link that only moves", () => {
    const nested = {
      row: { slug: "a/b", domain: DOMAIN },
      facts: { domain: VERIFIED },
      change: { domain: "new.example" },
    };
    expectRefused(nested, { reason: "invalid", faults: ["nested_slugs_off slug"] });
    const reserved = { row: { slug: "api", domain: DOMAIN }, change: { domain: "" } };
    expectRefused(reserved, { reason: "invalid", faults: ["reserved slug"] });
    const taken = { row: { domain: DOMAIN }, facts: { holder: "own" }, change: { domain: "" } } as const;
    expectRefused(taken, { reason: "slug_taken", faults: ["taken slug"] });
  });

  it("compares the new start with the present end, and the present start with the new end", () => {
    const [early, late] = [2_000_000_000_000, 2_000_000_000_001];
    const start = { row: { expires_at: early }, fields: { startsAt: late } };
    expectRefused(start, { reason: "ends_before_start", faults: ["not_before startsAt"] });
    expect(run({ row: { starts_at: late, expires_at: early }, fields: { title: "t", expiresAt: null } }).ok).toBe(true);
    expect(run({ row: { starts_at: late, expires_at: early }, fields: { title: "t" } }).ok).toBe(true);
  });

  it("requires a version of the list, or that of the link's id", () => {
    for (const versions of [[5, 7], new Map([[SOME_ID, 7]])]) expect(run({ change: { versions } }).ok).toBe(true);
    for (const versions of [[], new Map([["another", 7]]), new Map([[SOME_ID, 6]])])
      expect(run({ change: { versions } })).toMatchObject({ reason: "precondition_failed" });
  });
});
