import { describe, expect, it } from "vitest";
import { fault, type Fault } from "../../src/platform/http/faults.ts";
import type { UpdateLink } from "../../src/links/contract.ts";
import { decideCreation, type CreationFacts } from "../../src/links/decide.ts";
import type { LinkRow } from "../../src/links/store/row.ts";
import { UNTRUSTED_VERDICT } from "../../src/redirect/verdict.ts";
import { ANONYMOUS, ROW, VERIFIED } from "./decide-support.ts";
import { DOMAIN } from "./support.ts";

const FACTS: CreationFacts = {
  domain: null,
  holder: null,
  verifiedHosts: new Set(),
  isExternalIdTaken: false,
  isUntrusted: false,
};

interface Given {
  row?: Partial<LinkRow>;
  facts?: Partial<CreationFacts>;
  fields?: UpdateLink;
  blocked?: Fault[];
}

/** Decides a new link of the account 1, at the domain of the service. */
function run({ row = {}, facts = {}, fields = {}, blocked = [] }: Given) {
  return decideCreation({ row: { ...ROW, ...row }, fields, hosts: [], blocked }, { ...FACTS, ...facts });
}

/** Both at once. Where they differ, the first one holds. */
function both(first: Given, second: Given): Given {
  return {
    row: { ...second.row, ...first.row },
    facts: { ...second.facts, ...first.facts },
    fields: { ...second.fields, ...first.fields },
    blocked: first.blocked ?? second.blocked ?? [],
  };
}

interface Refusal extends Given {
  reason: string;
  /** The code and the path of each fault. */
  faults: string[];
}

const AT_DOMAIN = { row: { domain: DOMAIN }, facts: { domain: VERIFIED } };

/** In the order in which they are found. */
const REFUSALS: Refusal[] = [
  {
    reason: "destination_blocked",
    faults: ["leads_back url"],
    blocked: [fault("url", "leads_back")],
  },
  {
    reason: "domain_refused",
    faults: ["domain_refused "],
    row: { domain: DOMAIN },
    facts: { domain: null },
    fields: { domain: DOMAIN },
  },
  {
    reason: "domain_refused",
    faults: ["domain_refused "],
    row: { domain: DOMAIN },
    facts: { domain: { ...VERIFIED, isVerified: false } },
    fields: { domain: DOMAIN },
  },
  {
    reason: "invalid",
    faults: ["nested_slugs_off slug"],
    row: { domain: DOMAIN, slug: "a/b" },
    facts: { domain: VERIFIED },
  },
  {
    reason: "invalid",
    faults: ["nested_slugs_off slug"],
    row: { domain: DOMAIN, aliases: '["a/b"]' },
    facts: { domain: VERIFIED },
  },
  {
    reason: "invalid",
    faults: ["leads_to_domain expiredUrl"],
    facts: { verifiedHosts: new Set([DOMAIN]) },
    fields: { expiredUrl: `https://${DOMAIN}/x` },
  },
  {
    reason: "external_id_taken",
    faults: ["taken externalId"],
    facts: { isExternalIdTaken: true },
    fields: { externalId: "e" },
  },
  { reason: "slug_taken", faults: ["taken slug"], facts: { holder: "own" } },
  { reason: "slug_taken", faults: ["taken slug"], facts: { holder: "other" } },
];

function expectRefused(given: Given, { reason, faults }: Refusal): void {
  const decision = run(given);
  expect(decision).toMatchObject({ ok: false, reason });
  const { details = [] } = (decision as unknown as { error: { details?: Fault[] } }).error;
  expect(details.map(({ code, path }) => `${code} ${path}`)).toEqual(faults);
}

const nameOf = ({ reason, faults }: Refusal, index: number) => `${index + 1}. ${reason} ${faults.join()}`;

describe("a refused creation", () => {
  it.each(REFUSALS.map((refusal, index) => [nameOf(refusal, index), refusal] as const))("%s", (_, refusal) => {
    expectRefused(refusal, refusal);
  });

  const pairs = REFUSALS.slice(1).map((second, index) => [REFUSALS[index] as Refusal, second] as const);
  it.each(
    pairs.map(([first, second], index) => [nameOf(first, index), nameOf(second, index + 1), first, second] as const),
  )("%s is told before %s", (_, __, first, second) => expectRefused(both(first, second), first));

  it("tells only the destinations that lead to a domain", () => {
    const verifiedHosts = new Set([DOMAIN, "other.example"]);
    const fields = { url: `https://${DOMAIN}/`, ios: "https://app.example/", geo: { DE: "https://other.example/" } };
    expectRefused(
      { facts: { verifiedHosts }, fields },
      { reason: "invalid", faults: ["leads_to_domain url", "leads_to_domain geo.DE"] },
    );
    expect(run({ facts: { verifiedHosts }, fields: { url: "https://app.example/" } }).ok).toBe(true);
  });

  it("keeps the slug of a link of its own account at its domain", () => {
    expectRefused(both(AT_DOMAIN, { facts: { holder: "own" } }), { reason: "slug_taken", faults: ["taken slug"] });
  });
});

describe("an accepted creation", () => {
  it("may have the slug of the custom domain's previous owner", () => {
    expect(run(both(AT_DOMAIN, { facts: { holder: "other" } }))).toMatchObject({ ok: true });
  });

  it.each([0, 1] as const)("has the case rule of its domain (%i)", (caseSensitive) => {
    const domain = { ...VERIFIED, caseSensitive };
    const decision = run({ row: { domain: DOMAIN, case_sensitive: caseSensitive === 0 ? 1 : 0 }, facts: { domain } });
    expect(decision).toMatchObject({ ok: true, row: { case_sensitive: caseSensitive } });
  });

  it("may have a nested slug where the domain permits it", () => {
    const domain = { ...VERIFIED, hasNestedSlugs: true };
    expect(run({ row: { domain: DOMAIN, slug: "a/b" }, facts: { domain } }).ok).toBe(true);
  });

  it.each([
    ["an account without trust", { facts: { isUntrusted: true } }, UNTRUSTED_VERDICT],
    ["an account without trust at its domain", both(AT_DOMAIN, { facts: { isUntrusted: true } }), 0],
    ["an account with trust", {}, 0],
    ["nobody", { row: { account_id: null, domain: ANONYMOUS, verdict: UNTRUSTED_VERDICT } }, UNTRUSTED_VERDICT],
  ])("of %s has its verdict", (_, given, verdict) => {
    expect(run(given)).toMatchObject({ ok: true, row: { verdict } });
  });
});
