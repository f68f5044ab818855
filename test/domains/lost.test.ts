import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { DAY_MS as DAY, HOUR_MS as HOUR } from "../../src/limits.ts";
import { advance, internet, START, type Service } from "../webhooks/support.ts";
import { until } from "../support/until.ts";
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

async function passTime(ms: number): Promise<Domain> {
  advance(ms);
  await service.cron();
  return read(service, ann, domain);
}

it("other jobs of the cron do not wait for the resolver", async () => {
  await service.createWebhook(ann.key, { events: ["link.create"] });
  service.losesMessages = true;
  await service.createLink(ann.key);
  service.losesMessages = false;
  const resolver = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, "fetch").mockReturnValue(resolver.promise);
  advance(DAY);
  const run = service.cron();
  await until(() => service.messages.length === 1);
  resolver.resolve(new Response("no", { status: 502 }));
  await run;
});

describe("a verified domain", () => {
  it("is checked once a day, and the API shows the result", async () => {
    await internet.records({ [`CNAME ${DOMAIN}`]: ["tern.test."] });
    expect(await passTime(20 * HOUR)).toEqual(domain);
    const checked = await passTime(4 * HOUR);
    expect(checked.records).toContainEqual(expect.objectContaining({ type: "CNAME", found: true }));
    expect(checked).toMatchObject({ status: "verified", verifiedAt: START, lostAt: null });
    expect(await takeEvents(service)).toEqual([]);
  });

  it.each(["servfail", "broken"] as const)(
    "is not lost if the lookup fails (%s), and is checked again soon",
    async (failure) => {
      await internet.records({ [TXT]: failure });
      expect(await passTime(DAY)).toEqual(domain);
      expect(await passTime(30 * DAY)).toEqual(domain);
      await internet.records({ [TXT]: "missing" });
      expect(await passTime(5 * 60_000)).toEqual(domain);
      expect((await passTime(5 * 60_000)).lostAt).toBe(Date.now());
    },
  );

  it("is not lost if only the lookup of its CNAME fails", async () => {
    await internet.records({ [`CNAME ${DOMAIN}`]: "servfail" });
    expect(await passTime(DAY)).toEqual(domain);
  });
});

describe("a domain whose TXT record is missing", () => {
  beforeEach(() => internet.records({ [TXT]: "missing" }));

  it("emits domain.lost once, stays verified for a week and is then pending", async () => {
    const lost = await passTime(DAY);
    expect(lost).toMatchObject({ status: "verified", lostAt: START + DAY });
    expect(await takeEvents(service)).toEqual([{ event: "domain.lost", timestamp: START + DAY, data: lost }]);
    for (let day = 0; day < 6; day++) {
      expect(await passTime(DAY)).toMatchObject({ status: "verified", lostAt: START + DAY });
    }
    expect((await passTime(23 * HOUR)).status).toBe("verified");
    expect(await passTime(2 * HOUR)).toMatchObject({ status: "pending", lostAt: START + DAY, verifiedAt: null });
    for (let day = 0; day < 3; day++) await passTime(DAY);
    expect(await takeEvents(service)).toEqual([]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM domains WHERE check_at IS NOT NULL").first("n")).toBe(0);
  });

  it("is checked every hour and recovers without another domain.verified", async () => {
    await passTime(DAY);
    await publishProof(domain);
    expect((await passTime(HOUR / 2)).lostAt).toBe(START + DAY);
    expect(await passTime(HOUR / 2)).toMatchObject({ status: "verified", lostAt: null, verifiedAt: START });
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.lost"]);
    await internet.records({ [TXT]: "missing" });
    await passTime(DAY);
    expect((await takeEvents(service)).map(({ event }) => event)).toEqual(["domain.lost"]);
  });

  it("is lost too if its owner verifies it again", async () => {
    advance(HOUR);
    await verify(service, ann, domain);
    await verify(service, ann, domain);
    expect(await read(service, ann, domain)).toMatchObject({ status: "verified", lostAt: START + HOUR });
    expect(await takeEvents(service)).toHaveLength(1);
  });

  it("can be verified by another account once it is pending, and not before", async () => {
    const bobs = await addDomain(service, bob);
    await publishProof(bobs);
    await passTime(DAY);
    expect((await verify(service, bob, bobs)).status).toBe(409);
    await passTime(7 * DAY);
    expect((await verify(service, bob, bobs)).status).toBe(200);
    await publishProof(domain, bobs);
    expect((await verify(service, ann, domain)).status).toBe(409);
  });

  it("emits domain.verified again if it is verified again", async () => {
    await passTime(DAY);
    await passTime(7 * DAY);
    await takeEvents(service);
    await publishProof(domain);
    await verify(service, ann, domain);
    const again = await read(service, ann, domain);
    expect(again).toMatchObject({ status: "verified", lostAt: null, verifiedAt: START + 8 * DAY });
    expect(await takeEvents(service)).toEqual([{ event: "domain.verified", timestamp: START + 8 * DAY, data: again }]);
  });
});

it("the cron checks a limited number of domains per run", async () => {
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
  // Two runs overlap if one takes longer than a minute.
  await Promise.all([service.cron(), service.cron()]);
  expect(await lost()).toBe(60);
  expect(await takeEvents(service)).toHaveLength(60);
});
