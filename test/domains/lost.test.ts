import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { advance, internet, START, type Service } from "../webhooks/support.ts";
import {
  addDomain,
  addVerified,
  DOMAIN,
  publishProof,
  read,
  startDomains,
  takeEvents,
  verify,
  type Person,
} from "./support.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TXT = `TXT _tern-challenge.${DOMAIN}`;

let service: Service;
let ann: Person;
let bob: Person;
let domain: Domain;
beforeEach(async () => {
  ({ service, ann, bob } = await startDomains());
  await service.createWebhook(ann.key, { events: ["domain.verified", "domain.lost"] });
  domain = await addVerified(service, ann);
  await takeEvents(service);
});

async function pass(ms: number): Promise<Domain> {
  advance(ms);
  await service.cron();
  return read(service, ann, domain);
}

it("is looked up after all other work of the cron, which waits for no resolver", async () => {
  await service.createWebhook(ann.key, { events: ["link.create"] });
  service.losesMessages = true;
  await service.createLink(ann.key);
  service.losesMessages = false;
  const resolver = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, "fetch").mockReturnValue(resolver.promise);
  advance(DAY);
  const run = service.cron();
  await vi.waitFor(() => expect(service.messages).toHaveLength(1));
  resolver.resolve(new Response("no", { status: 502 }));
  await run;
});

describe("a verified domain", () => {
  it("is looked up once a day, and what was found shows", async () => {
    await internet.records({ [`CNAME ${DOMAIN}`]: ["tern.test."] });
    expect(await pass(20 * HOUR)).toEqual(domain);
    const checked = await pass(4 * HOUR);
    expect(checked.records).toContainEqual(expect.objectContaining({ type: "CNAME", found: true }));
    expect(checked).toMatchObject({ status: "verified", verifiedAt: START, lostAt: null });
    expect(await takeEvents(service)).toEqual([]);
  });

  it.each(["servfail", "broken"] as const)(
    "is not lost where the look-up fails (%s), and is soon tried again",
    async (failure) => {
      await internet.records({ [TXT]: failure });
      expect(await pass(DAY)).toEqual(domain);
      expect(await pass(30 * DAY)).toEqual(domain);
      await internet.records({ [TXT]: "missing" });
      expect(await pass(5 * 60_000)).toEqual(domain);
      expect((await pass(5 * 60_000)).lostAt).toBe(Date.now());
    },
  );

  it("is not lost where only its way to the service cannot be looked up", async () => {
    await internet.records({ [`CNAME ${DOMAIN}`]: "servfail" });
    expect(await pass(DAY)).toEqual(domain);
  });
});

describe("a domain whose TXT record is gone", () => {
  beforeEach(() => internet.records({ [TXT]: "missing" }));

  it("is reported as lost once, and stays verified for a week, then is pending", async () => {
    const lost = await pass(DAY);
    expect(lost).toMatchObject({ status: "verified", lostAt: START + DAY });
    expect(await takeEvents(service)).toEqual([{ event: "domain.lost", timestamp: START + DAY, data: lost }]);
    for (let day = 0; day < 6; day++) {
      expect(await pass(DAY)).toMatchObject({ status: "verified", lostAt: START + DAY });
    }
    expect((await pass(23 * HOUR)).status).toBe("verified");
    expect(await pass(2 * HOUR)).toMatchObject({ status: "pending", lostAt: START + DAY, verifiedAt: null });
    for (let day = 0; day < 3; day++) await pass(DAY);
    expect(await takeEvents(service)).toEqual([]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM domains WHERE check_at IS NOT NULL").first("n")).toBe(0);
  });

  it("is looked up every hour, and found again without another domain.verified", async () => {
    await pass(DAY);
    await publishProof(domain);
    expect((await pass(HOUR / 2)).lostAt).toBe(START + DAY);
    expect(await pass(HOUR / 2)).toMatchObject({ status: "verified", lostAt: null, verifiedAt: START });
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.lost"]);
    await internet.records({ [TXT]: "missing" });
    await pass(DAY);
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.lost"]);
  });

  it("is lost also where its owner has it verified again", async () => {
    advance(HOUR);
    await verify(service, ann, domain);
    await verify(service, ann, domain);
    expect(await read(service, ann, domain)).toMatchObject({ status: "verified", lostAt: START + HOUR });
    expect(await takeEvents(service)).toHaveLength(1);
  });

  it("is another's to prove once it is given up, and not before", async () => {
    const bobs = await addDomain(service, bob);
    await publishProof(bobs);
    await pass(DAY);
    expect((await verify(service, bob, bobs)).status).toBe(409);
    await pass(7 * DAY);
    expect((await verify(service, bob, bobs)).status).toBe(200);
    await publishProof(domain, bobs);
    expect((await verify(service, ann, domain)).status).toBe(409);
  });

  it("may be proved again, which is a new domain.verified", async () => {
    await pass(DAY);
    await pass(7 * DAY);
    await takeEvents(service);
    await publishProof(domain);
    await verify(service, ann, domain);
    const again = await read(service, ann, domain);
    expect(again).toMatchObject({ status: "verified", lostAt: null, verifiedAt: START + 8 * DAY });
    expect(await takeEvents(service)).toEqual([{ event: "domain.verified", timestamp: START + 8 * DAY, data: again }]);
  });
});

it("many domains are looked up some a minute, each once a day", async () => {
  await env.DB.prepare("DELETE FROM domains").run();
  await env.DB.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60)
     INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     SELECT 'id' || n, ?1, 'd' || n || '.acme.com', '', 'verified', ?2, 0, 0, 0 FROM n`,
  )
    .bind(ann.accountId, START)
    .run();
  const lost = () => env.DB.prepare("SELECT count(*) AS n FROM domains WHERE lost_at IS NOT NULL").first("n");
  await service.cron();
  expect(await lost()).toBe(25);
  // Two at once, as when a run takes longer than a minute.
  await Promise.all([service.cron(), service.cron()]);
  expect(await lost()).toBe(60);
  expect(await takeEvents(service)).toHaveLength(60);
});
