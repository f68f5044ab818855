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
  it("is proved by the TXT record alone; the CNAME is shown beside it", async () => {
    await publishProof(domain);
    advance(1_000);
    const answer = await jsonOf<{ domain: Domain; verified: boolean }>(await verify(service, ann, domain));
    expect(answer).toMatchObject({ verified: true, domain: { status: "verified", verifiedAt: START + 1_000 } });
    expect(found(answer.domain)).toEqual([true, false]);
    expect(await read(service, ann, domain)).toEqual(answer.domain);
  });

  it.each([
    [
      "among others, split into strings",
      (value: string) => ['"v=spf1 -all"', `"${value.slice(0, 20)}" "${value.slice(20)}"`],
    ],
    ["without quotes", (value: string) => [value]],
    ["with escapes", (value: string) => [`"\\116${value.slice(1, 9)}\\${value.slice(9)}"`]],
    ["with spaces around it", (value: string) => [`" ${value} "`]],
  ])("is proved by a record %s", async (_, records) => {
    // The escape of a digit would be a number, so the letter after the hyphen is escaped.
    await internet.records({ [TXT]: records(proofOf(domain).value) });
    expect(await jsonOf(await verify(service, ann, domain))).toMatchObject({ verified: true });
  });

  it.each([
    ["no such name", "missing" as const],
    ["no record", []],
    ["another text", ['"tern-verification="']],
    ["the token alone", ["token"]],
    ["the value with something behind it", ["longer"]],
    ["the value's parts with something between them", ["broken"]],
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
  ])("stays as it is where the resolver answers %s", async (body) => {
    await internet.answers({ "odd.resolver.dev": { body } });
    service.bindings.DNS_OVER_HTTPS_URL = "https://odd.resolver.dev/";
    expect(await errorOf(await verify(service, ann, domain))).toMatchObject({ status: 503, code: "unavailable" });
    expect(await read(service, ann, domain)).toEqual(domain);
  });

  it.each(["servfail", "refused", "broken"] as const)(
    "stays as it is, and that is said, where the look-up fails (%s)",
    async (failure) => {
      for (const name of [TXT, `CNAME ${DOMAIN}`]) {
        await publishProof(domain);
        await internet.records({ [name]: failure });
        const response = await verify(service, ann, domain);
        expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
        expect(await errorOf(response)).toMatchObject({ status: 503, code: "unavailable" });
        expect(await read(service, ann, domain)).toEqual(domain);
        await internet.records({ [name]: "missing" });
      }
    },
  );
});

describe("the way to the service", () => {
  const leads = async () => found(await oneOf(await verify(service, ann, domain)))[1];

  it("is found by a CNAME, however it is written", async () => {
    expect(await leads()).toBe(false);
    await internet.records({ [`CNAME ${DOMAIN}`]: ["elsewhere.dev."] });
    expect(await leads()).toBe(false);
    await internet.records({ [`CNAME ${DOMAIN}`]: ["TERN.test."] });
    expect(await leads()).toBe(true);
  });

  it("is found by the service's own addresses, and by no others", async () => {
    await internet.addresses({ "tern.test": ["198.51.100.7", "2001:db8::7"], [DOMAIN]: ["198.51.100.7"] });
    expect(await leads()).toBe(true);
    await internet.addresses({ [DOMAIN]: ["198.51.100.7", "198.51.100.8"] });
    expect(await leads()).toBe(false);
    await internet.addresses({ [DOMAIN]: [], "tern.test": [] });
    expect(await leads()).toBe(false);
  });
});

describe("domain.verified", () => {
  beforeEach(async () => {
    await service.createWebhook(ann.key, { events: ["domain.verified", "domain.lost"] });
    await publishProof(domain);
  });

  it("tells once of the domain as the API shows it", async () => {
    const verified = await oneOf(await verify(service, ann, domain));
    expect(await takeEvents(service)).toEqual([{ event: "domain.verified", timestamp: START, data: verified }]);
    for (let n = 0; n < 3; n++) await verify(service, ann, domain);
    expect(await takeEvents(service)).toEqual([]);
  });

  it("tells once however many verify at once, and of the settings that a change at the same time made", async () => {
    await Promise.all([
      ...Array.from({ length: 20 }, () => verify(service, ann, domain)),
      service.call("PATCH", `/api/domains/${domain.id}`, { key: ann.key, body: { rootUrl: "https://acme.com/" } }),
      ...Array.from({ length: 20 }, () => verify(service, ann, domain)),
    ]);
    expect(await read(service, ann, domain)).toMatchObject({ status: "verified", rootUrl: "https://acme.com/" });
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.verified"]);
  });

  it("goes to the one account that wins a race for the domain", async () => {
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
