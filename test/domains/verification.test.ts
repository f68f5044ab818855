import { beforeEach, describe, expect, it } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { jsonOf } from "../support/api.ts";
import { advance, internet, START, type Service } from "../webhooks/support.ts";
import {
  addDomain,
  DOMAIN,
  errorOf,
  oneOf,
  proofOf,
  publishProof,
  read,
  startDomains,
  takeEvents,
  verify,
  type Person,
} from "./support.ts";
import { MAX_SEEN_RECORD_CHARS, MAX_SEEN_RECORDS } from "../../src/domains/limits.ts";

let service: Service;
let ann: Person;
let bob: Person;
let domain: Domain;
const TXT = `TXT _tern-challenge.${DOMAIN}`;
beforeEach(async () => {
  ({ service, ann, bob } = await startDomains());
  domain = await addDomain(service, ann);
});

const found = ({ records }: Domain) => records.map((record) => record.found);

describe("ownership", () => {
  it("is proved by the TXT record; the CNAME only shows its state", async () => {
    await publishProof(domain);
    advance(1_000);
    const answer = await jsonOf<{ domain: Domain; verified: boolean }>(await verify(service, ann, domain));
    expect(answer).toMatchObject({ verified: true, domain: { status: "verified", verifiedAt: START + 1_000 } });
    expect(found(answer.domain)).toEqual([true, false]);
    expect(await read(service, ann, domain)).toEqual(answer.domain);
  });

  it("shows what the DNS has in place of the records, cut to the limits", async () => {
    const texts = Array.from({ length: MAX_SEEN_RECORDS + 1 }, (_, index) => `${index}${"x".repeat(300)}`);
    await internet.records({ [TXT]: texts.map((text) => `"${text}"`), [`CNAME ${DOMAIN}`]: ["Parking.example.net."] });
    expect(await jsonOf(await verify(service, ann, domain))).toMatchObject({
      verified: false,
      seen: {
        TXT: texts.slice(0, MAX_SEEN_RECORDS).map((text) => text.slice(0, MAX_SEEN_RECORD_CHARS)),
        CNAME: ["parking.example.net"],
      },
    });
    await internet.records({ [TXT]: [], [`CNAME ${DOMAIN}`]: [] });
    await internet.addresses({ [DOMAIN]: ["203.0.113.9"] });
    expect(await jsonOf(await verify(service, ann, domain))).toMatchObject({
      seen: { TXT: [], CNAME: ["alias.example.net"] },
    });
  });

  it.each([
    [
      "among others and split into strings",
      (value: string) => ['"v=spf1 -all"', `"${value.slice(0, 20)}" "${value.slice(20)}"`],
    ],
    ["without quotes", (value: string) => [value]],
    ["with escapes", (value: string) => [`"\\116${value.slice(1, 9)}\\${value.slice(9)}"`]],
    ["with surrounding spaces", (value: string) => [`" ${value} "`]],
  ])("is proved by a record %s", async (_, records) => {
    // A backslash before digits is a decimal code, so a letter is escaped.
    await internet.records({ [TXT]: records(proofOf(domain).value) });
    expect(await jsonOf(await verify(service, ann, domain))).toMatchObject({ verified: true });
  });

  it.each([
    ["a missing name", "missing" as const],
    ["no record", []],
    ["another text", ['"tern-verification="']],
    ["the token alone", ["token"]],
    ["the value with a suffix", ["longer"]],
    ["the value with other text inside", ["broken"]],
  ])("is not proved by %s", async (_, records) => {
    const { value } = proofOf(domain);
    const texts: Record<string, string> = {
      token: `"${value.split("=")[1]}"`,
      longer: `"${value}0"`,
      broken: `"${value.slice(0, 9)}" x "${value.slice(9)}"`,
    };
    await internet.records({ [TXT]: Array.isArray(records) ? records.map((text) => texts[text] ?? text) : records });
    const answer = await jsonOf<{ domain: Domain; verified: boolean }>(await verify(service, ann, domain));
    expect(answer).toMatchObject({ verified: false, domain: { status: "pending", verifiedAt: null } });
    expect(found(answer.domain)).toEqual([false, false]);
  });

  it.each([
    "null",
    "[]",
    '{"Status":0,"Answer":"TXT"}',
    '{"Status":0,"Answer":{}}',
    '{"Status":0,"Answer":[null]}',
    "{",
  ])("stays unchanged if the resolver responds %s", async (body) => {
    await internet.answers({ "odd.resolver.dev": { body } });
    service.bindings.DNS_OVER_HTTPS_URL = "https://odd.resolver.dev/";
    expect(await errorOf(await verify(service, ann, domain))).toMatchObject({ status: 503, code: "unavailable" });
    expect(await read(service, ann, domain)).toEqual(domain);
  });

  it("stays unchanged if the resolver redirects, because nobody else is asked", async () => {
    await internet.answers({
      "odd.resolver.dev": { status: 307, headers: { Location: "https://other.resolver.dev/" } },
      "other.resolver.dev": { body: '{"Status":0}' },
    });
    service.bindings.DNS_OVER_HTTPS_URL = "https://odd.resolver.dev/";
    expect(await errorOf(await verify(service, ann, domain))).toMatchObject({ status: 503, code: "unavailable" });
    expect(await read(service, ann, domain)).toEqual(domain);
    expect((await internet.received()).map(({ url }) => new URL(url).host)).not.toContain("other.resolver.dev");
  });

  it.each(["servfail", "refused", "broken"] as const)(
    "stays unchanged if the lookup fails (%s), and the response says so",
    async (failure) => {
      for (const name of [TXT, `CNAME ${DOMAIN}`]) {
        await publishProof(domain);
        await internet.records({ [name]: failure });
        const response = await verify(service, ann, domain);
        expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
        expect(await errorOf(response)).toMatchObject({
          status: 503,
          code: "unavailable",
          details: [{ path: "", code: "dns_failed", value: DOMAIN }],
        });
        expect(await read(service, ann, domain)).toEqual(domain);
        await internet.records({ [name]: "missing" });
      }
    },
  );
});

describe("the CNAME check", () => {
  const pointsToService = async () => found(await oneOf(await verify(service, ann, domain)))[1];

  it("accepts a CNAME to the service, in any case", async () => {
    expect(await pointsToService()).toBe(false);
    await internet.records({ [`CNAME ${DOMAIN}`]: ["elsewhere.dev."] });
    expect(await pointsToService()).toBe(false);
    await internet.records({ [`CNAME ${DOMAIN}`]: ["TERN.test."] });
    expect(await pointsToService()).toBe(true);
  });

  it("accepts the service's own addresses and no others", async () => {
    await internet.addresses({ "tern.test": ["198.51.100.7", "2001:db8::7"], [DOMAIN]: ["198.51.100.7"] });
    expect(await pointsToService()).toBe(true);
    await internet.addresses({ [DOMAIN]: ["198.51.100.7", "198.51.100.8"] });
    expect(await pointsToService()).toBe(false);
    await internet.addresses({ [DOMAIN]: [], "tern.test": [] });
    expect(await pointsToService()).toBe(false);
  });
});

describe("domain.verified", () => {
  beforeEach(async () => {
    await service.createWebhook(ann.key, { events: ["domain.verified", "domain.lost"] });
    await publishProof(domain);
  });

  it("is emitted once, with the domain as the API returns it", async () => {
    const verified = await oneOf(await verify(service, ann, domain));
    expect(await takeEvents(service)).toEqual([{ event: "domain.verified", timestamp: START, data: verified }]);
    for (let n = 0; n < 3; n++) await verify(service, ann, domain);
    expect(await takeEvents(service)).toEqual([]);
  });

  it("is emitted once under concurrent verifications and a concurrent update", async () => {
    await Promise.all([
      ...Array.from({ length: 20 }, () => verify(service, ann, domain)),
      service.call("PATCH", `/api/domains/${domain.id}`, { key: ann.key, body: { rootUrl: "https://acme.com/" } }),
      ...Array.from({ length: 20 }, () => verify(service, ann, domain)),
    ]);
    expect(await read(service, ann, domain)).toMatchObject({ status: "verified", rootUrl: "https://acme.com/" });
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.verified"]);
  });

  it("is emitted for the account that wins a race for the domain", async () => {
    await service.createWebhook(bob.key, { events: ["domain.verified"] });
    const bobs = await addDomain(service, bob);
    await publishProof(domain, bobs);
    const calls = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? verify(service, ann, domain) : verify(service, bob, bobs),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const count = (status: number) => statuses.filter((other) => other === status).length;
    expect([count(200), count(409)]).toEqual([20, 20]);
    const states = [(await read(service, ann, domain)).status, (await read(service, bob, bobs)).status];
    expect(states.toSorted((a, b) => a.localeCompare(b))).toEqual(["pending", "verified"]);
    expect(await takeEvents(service)).toHaveLength(1);
  });
});
