import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "../support/until.ts";
import { startService, type Service } from "./support/service.ts";

// link.click from the redirect to a real receiver. More than the suite needs: CLICKS=100000.

const CLICKS = Number(process.env["CLICKS"] ?? 1_000);
const AT_ONCE = 20;
/** More than one that the log of deliveries keeps of clicks, and what belongs to the webhook itself. */
const MOST_ROWS = 110;
const VARIABLES = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
vi.setConfig({ testTimeout: 120_000 + CLICKS * 20 });

let receiver: Receiver;
let state: string;
let service: Service<"here">;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());
beforeEach(async () => {
  receiver.arrivals.length = 0;
  state = mkdtempSync(join(tmpdir(), "tern-clicks-"));
  await start();
});
afterEach(async () => {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
});

const start = async () => (service = await startService({ here: "one" }, { variables: VARIABLES, state }));

/** A link of an account whose webhook hears of clicks, and a key of the account. */
async function subscribedLink(): Promise<{ slug: string; key: string }> {
  const { here } = service.isolates;
  const { key } = await createAccount(service.db);
  const body = { url: `${receiver.origin}/in`, events: ["link.click"] };
  expect((await callApi(here, key, "POST", "/api/webhooks", body)).status).toBe(201);
  const { slug } = await createLink(here, key, { url: "https://example.com/", slug: "followed" });
  return { slug, key };
}

async function follow(slug: string, times: number): Promise<void> {
  for (let done = 0; done < times; done += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, times - done) }, () => service.isolates.here.get(`/${slug}`)),
    );
    for (const { status } of answers) expect(status).toBe(302);
  }
}

async function countRows(): Promise<number> {
  const { results } = await service.db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .all<{ name: string }>();
  let rows = 0;
  for (const { name } of results) {
    rows += (await service.db.prepare(`SELECT count(*) AS rows FROM ${name}`).first<number>("rows")) ?? 0;
  }
  return rows;
}

const eventsArrived = () => new Set(receiver.arrivals.map(({ headers }) => String(headers["webhook-id"])));

it(`tells of ${CLICKS} clicks and leaves next to nothing in the database`, async () => {
  const { slug } = await subscribedLink();
  const before = await countRows();
  await follow(slug, CLICKS);
  await until(() => eventsArrived().size >= CLICKS);
  await service.isolates.here.settled();
  expect(eventsArrived().size).toBe(CLICKS);
  expect((await countRows()) - before).toBeLessThanOrEqual(MOST_ROWS);
});

it.each(["before", "after"] as const)(
  "a crash %s the events of stored clicks are in the queue loses none",
  async (moment) => {
    const { slug, key } = await subscribedLink();
    const reached = Promise.withResolvers<void>();
    service.isolates.here.onDatabase = (call) => {
      if (call.moment !== moment || !call.sql.includes("deliveries")) return undefined;
      reached.resolve();
      return new Promise(() => undefined);
    };
    await follow(slug, 5);
    await reached.promise;
    await service.stop();

    // The queue of the clicks was lost too, and so were clicks that were still in the isolate. The others are owed.
    await start();
    const answer = await callApi(service.isolates.here, key, "GET", "/api/clicks");
    const stored = (answer.json() as { clicks: { total: number } }).clicks.total;
    expect(stored).toBeGreaterThan(0);
    await until(() => eventsArrived().size >= stored);
    const deliveries = receiver.arrivals.map(({ headers, body }) => `${String(headers["webhook-id"])} ${body}`);
    expect(new Set(deliveries).size).toBe(stored);
  },
);
