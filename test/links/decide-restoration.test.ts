import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/limits.ts";
import { because, type Fault } from "../../src/platform/http/faults.ts";
import { decideRestoration, type RestorationFacts } from "../../src/links/decide-restoration.ts";
import type { LinkRow } from "../../src/links/store/row.ts";
import { packVerdict, UNTRUSTED_VERDICT } from "../../src/redirect/verdict.ts";
import { ANONYMOUS, ROW } from "./decide-support.ts";
import { DOMAIN, URL_OK } from "./support.ts";

const DELETED_AT = 100;

const FACTS: RestorationFacts = {
  domain: { isVerified: false, hasNestedSlugs: false },
  keptKeys: new Set(["mine", "first", "second", "a/b"]),
  isExternalIdTaken: false,
  isUntrusted: false,
  imposedVerdict: null,
  destination: null,
  anonymousHost: ANONYMOUS,
  blocked: new Map(),
  now: DELETED_AT + DAY_MS,
};

interface Given {
  row?: Partial<LinkRow>;
  facts?: Partial<RestorationFacts>;
}

/** Decides the restoration of a link of the account 1, at the domain of the service. */
const run = ({ row = {}, facts = {} }: Given) =>
  decideRestoration({ ...ROW, ...row }, DELETED_AT, { ...FACTS, ...facts });

/** Both at once. Where they differ, the first one holds. */
const both = (first: Given, second: Given): Given => ({
  row: { ...second.row, ...first.row },
  facts: { ...second.facts, ...first.facts },
});

interface Refusal extends Given {
  reason: string;
  /** The code and the path of each fault. */
  faults: string[];
}

const VERIFIED = { isVerified: true, hasNestedSlugs: false };

/** In the order in which they are found. */
const REFUSALS: Refusal[] = [
  { reason: "not_found", faults: ["not_found "], facts: { now: DELETED_AT + 7 * DAY_MS } },
  {
    reason: "destination_blocked",
    faults: ["blocked url"],
    facts: { blocked: new Map([[URL_OK, because("blocked", { reason: "spam" })]]) },
  },
  { reason: "domain_refused", faults: ["domain_refused "], row: { domain: DOMAIN }, facts: { domain: FACTS.domain } },
  {
    reason: "invalid",
    faults: ["nested_slugs_off slug"],
    row: { domain: DOMAIN, slug: "a/b" },
    facts: { domain: VERIFIED },
  },
  { reason: "slug_used_again", faults: ["slug_used_again "], facts: { keptKeys: new Set(["first"]) } },
  {
    reason: "external_id_taken",
    faults: ["taken externalId"],
    row: { external_id: "e" },
    facts: { isExternalIdTaken: true },
  },
];

function expectRefused(given: Given, { reason, faults }: Refusal): void {
  const decision = run(given);
  expect(decision).toMatchObject({ ok: false, reason });
  const { details = [] } = (decision as unknown as { error: { details?: Fault[] } }).error;
  expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(faults);
}

describe("a refused restoration", () => {
  it.each(REFUSALS.map((refusal) => [refusal.reason, refusal] as const))("%s", (_, refusal) => {
    expectRefused(refusal, refusal);
  });

  const pairs = REFUSALS.slice(1).map((second, index) => [REFUSALS[index] as Refusal, second] as const);
  it.each(pairs.map(([first, second]) => [first.reason, second.reason, first, second] as const))(
    "%s is told before %s",
    (_, __, first, second) => expectRefused(both(first, second), first),
  );
});

describe("an accepted restoration", () => {
  it("is a version after that of the deletion", () => {
    expect(run({})).toMatchObject({ ok: true, row: { updated_at: FACTS.now } });
    expect(run({ facts: { now: DELETED_AT } })).toMatchObject({ row: { updated_at: DELETED_AT + 1 } });
    expect(run({ row: { updated_at: 2 * DAY_MS } })).toMatchObject({ row: { updated_at: 2 * DAY_MS + 2 } });
  });

  it("has those of its aliases that are still kept, in their order", () => {
    const row = { aliases: '["first","lost","Second"]' };
    expect(run({ row })).toMatchObject({ row: { aliases: '["first","Second"]' } });
    expect(run({ row, facts: { keptKeys: new Set(["mine"]) } })).toMatchObject({ row: { aliases: null } });
    expect(run({ row: { ...row, domain: DOMAIN, case_sensitive: 1 }, facts: { domain: VERIFIED } })).toMatchObject({
      row: { aliases: '["first"]' },
    });
  });

  it("needs no verification of the domain of anonymous links", () => {
    expect(run({ row: { domain: ANONYMOUS } }).ok).toBe(true);
  });

  it("trusts the link if its account is trusted by now, and shows what is imposed on it", () => {
    const warned = packVerdict({ state: "warned", reason: "spam", since: 1 }, true);
    const trusted = packVerdict({ state: "warned", reason: "spam", since: 1 }, false);
    const verdictOf = (verdict: number, facts: Given["facts"] = {}) => {
      const decision = run({ row: { verdict }, facts });
      return decision.ok ? [decision.row.verdict, decision.shown.verdict] : [];
    };
    expect(verdictOf(UNTRUSTED_VERDICT)).toEqual([0, 0]);
    expect(verdictOf(warned)).toEqual([trusted, trusted]);
    expect(verdictOf(UNTRUSTED_VERDICT, { isUntrusted: true })).toEqual([UNTRUSTED_VERDICT, UNTRUSTED_VERDICT]);
    expect(verdictOf(UNTRUSTED_VERDICT, { imposedVerdict: trusted })).toEqual([0, trusted]);
  });
});
