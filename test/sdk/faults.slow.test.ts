import { afterAll, beforeAll, expect, it } from "vitest";
import { Tern, type Link } from "@tern/sdk";
import { createAccount } from "../e2e/support/accounts.ts";
import { ORIGIN, startService, type Service } from "../e2e/support/service.ts";
import { mapLimit } from "../../src/lib/map-limit.ts";
import { startGateway, type Fault, type Gateway } from "./support/gateway.ts";

const LINKS = 1_000;
const AT_ONCE = 30;
/** Far above what a creation takes, so that only stalled requests reach it. */
const TIMEOUT_MS = 5_000;
const TEST_TIMEOUT_MS = 600_000;
const FAULTS: Fault[] = [
  "lost-request",
  "lost-response",
  "cut-response",
  "stalled",
  "repeated",
  "limited",
  "unavailable",
  "bad-gateway",
];
/** Of the requests. */
const SHARE_OF_FAULTS = 0.4;

let service: Service<"here">;
let gateway: Gateway;
const happened = new Map<Fault, number>();

beforeAll(async () => {
  service = await startService({ here: "one" });
  gateway = await startGateway(service.isolates.here.address, new URL(ORIGIN).host, () => {
    const fault = Math.random() < SHARE_OF_FAULTS ? FAULTS[Math.floor(Math.random() * FAULTS.length)] : undefined;
    if (fault !== undefined) happened.set(fault, (happened.get(fault) ?? 0) + 1);
    return fault ?? null;
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

it(
  "creates exactly as many links as it is asked to, whatever happens to the requests",
  async () => {
    const { key, accountId } = await createAccount(service.db);
    const client = new Tern({ apiKey: key, baseUrl: gateway.origin, timeoutMs: TIMEOUT_MS, maxRetries: 30 });
    const numbers = Array.from({ length: LINKS }, (_, number) => number);
    const created: Link[] = [];
    await mapLimit(numbers, AT_ONCE, async (number) => {
      created.push(await client.links.create({ url: `https://example.com/${number}` }));
    });
    const stored = await service.db
      .prepare("SELECT id, url FROM links WHERE account_id = ?1")
      .bind(accountId)
      .all<{ id: string; url: string }>();
    console.log(`${gateway.requests} requests for ${stored.results.length} links:`, Object.fromEntries(happened));
    expect(stored.results).toHaveLength(LINKS);
    expect(new Set(stored.results.map(({ url }) => url)).size).toBe(LINKS);
    expect(created.map(({ id }) => id).sort()).toEqual(stored.results.map(({ id }) => id).sort());
    expect([...happened.keys()].sort()).toEqual([...FAULTS].sort());

    const listed: string[] = [];
    for await (const { id } of client.links.list({ limit: 100 })) listed.push(id);
    expect(listed.sort()).toEqual(created.map(({ id }) => id).sort());
  },
  TEST_TIMEOUT_MS,
);
