import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime, residentBytes } from "../../bench/load/process.ts";
import type { Clicks } from "../../src/clicks/contract.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { FAILURE, REDIRECT_READ, type DatabaseHook } from "./support/database.ts";
import { startReceiver, until, type Receiver } from "./support/receiver.ts";
import { startService, type Service } from "./support/service.ts";
import { Visitors, type Target } from "./support/visitors.ts";

// Everything at once for a while, and everything failing: visitors, changes, webhooks, the cron; a database that
// fails, is slow and loses answers, ClickLogs that restart, queues that repeat, receivers that refuse and are down.
// SOAK_SECONDS=600 for longer.

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 15);
const PATIENCE_MS = 120_000 + SECONDS * 500;
const LINKS = 20;
const HOUR_MS = 3_600_000;
/** Of memory in the second half: what the runtime takes as long as nobody limits it, it has by then. */
const MAX_GROWTH = 1.5;

const VARIABLES = {
  BASE_URL: "http://localhost:8787",
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  // None is to be disabled: that is tested elsewhere.
  WEBHOOK_MAX_FAILURES: "1000000",
};

let service: Service<"first" | "second">;
let receivers: Receiver[];
let healthy = false;
let began: number;

beforeAll(async () => {
  const answerWith = (status: () => number): Promise<Receiver> =>
    startReceiver((response) => {
      response.writeHead(healthy ? 200 : status());
      response.end();
    });
  receivers = [
    await answerWith(() => 200),
    await answerWith(() => (Math.random() < 0.5 ? 500 : 200)),
    await answerWith(() => (performance.now() - began < SECONDS * 500 ? 503 : 200)),
  ];
  service = await startService({ first: "one", second: "two" }, { variables: VARIABLES });
});
afterAll(async () => {
  await service.stop();
  for (const receiver of receivers) await receiver.stop();
});

/** One in fifty round trips fails, one in fifty loses its answer, one in ten is slow; those of redirects are only slow. */
const unreliable: DatabaseHook = async ({ moment, sql }) => {
  const chance = Math.random();
  if (chance < 0.1) await new Promise((resolve) => setTimeout(resolve, 20));
  if (sql.some((statement) => REDIRECT_READ.test(statement))) return undefined;
  if (chance > 0.98) return { error: moment === "before" ? FAILURE : "D1_ERROR: Network connection lost." };
  return undefined;
};

interface Account {
  key: string;
  links: Target[];
}

async function prepare(): Promise<Account> {
  const { first } = service.isolates;
  const { key } = await createAccount(service.db);
  const links: Target[] = [];
  for (let n = 0; n < LINKS; n++) links.push(await createLink(first, key, { url: "https://example.com/page" }));
  for (const { origin } of receivers) {
    const body = { url: `${origin}/in`, events: ["link.create", "link.update"] };
    expect((await callApi(first, key, "POST", "/api/webhooks", body)).status).toBe(201);
  }
  return { key, links };
}

/** Calls of the API for as long as `goOn`; answers how many there were by status. */
async function callOn(key: string, goOn: () => boolean): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let n = 0; goOn(); n++) {
    const isolate = n % 2 === 0 ? service.isolates.first : service.isolates.second;
    const idempotency = { "Idempotency-Key": crypto.randomUUID() };
    const body = { url: `https://example.com/${n}`, tags: ["soak"], externalId: `soak-${n}` };
    const made = await callApi(isolate, key, "POST", "/api/links", body, idempotency);
    const answers = [made, await callApi(isolate, key, "GET", "/api/links?tag=soak&limit=10")];
    if (made.status === 201) {
      const { link } = made.json() as { link: { id: string } };
      answers.push(await callApi(isolate, key, "PATCH", `/api/links/${link.id}`, { title: `title ${n}` }));
      answers.push(await callApi(isolate, key, "GET", `/api/links/${link.id}/clicks`));
    }
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

async function tickOn(goOn: () => boolean): Promise<void> {
  while (goOn()) {
    await service.cron("first");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The links that the database has and that `type` was to be told of, as the receiver heard of them. */
function heardOf(receiver: Receiver, type: string): Set<string> {
  const events = receiver.arrivals.map(({ body }) => JSON.parse(body) as { event: string; data: { id: string } });
  return new Set(events.filter(({ event }) => event === type).map(({ data }) => data.id));
}

async function countPending(): Promise<number> {
  return (
    (await service.db.prepare("SELECT count(*) AS n FROM deliveries WHERE status = 'pending'").first<number>("n")) ?? 0
  );
}

it(
  `loses nothing in ${SECONDS} seconds of everything failing at once`,
  async () => {
    const account = await prepare();
    const { first, second } = service.isolates;
    const runtime = findRuntime();
    const visitors = new Visitors(3, "localhost:8787");
    began = performance.now();
    const goOn = () => performance.now() - began < SECONDS * 1_000;

    await first.injectClickFaults(true);
    first.onDatabase = unreliable;
    second.onDatabase = unreliable;
    let early = 0;
    const visitOn = async () => {
      while (goOn()) {
        await visitors.follow(account.links, [first, second], 200);
        if (early === 0 && performance.now() - began > SECONDS * 500) early = residentBytes(runtime);
      }
    };
    const [statuses] = await Promise.all([callOn(account.key, goOn), tickOn(goOn), visitOn()]);
    const late = residentBytes(runtime);

    // All is well again: what is owed has to come.
    healthy = true;
    first.onDatabase = undefined;
    second.onDatabase = undefined;
    await first.injectClickFaults(false);
    visitors.stop();
    const { total, bots } = visitors.all;
    await expect.poll(() => countClicks(account.key), { timeout: PATIENCE_MS, interval: 200 }).toBe(total + bots);
    await until(async () => {
      if ((await countPending()) === 0) return true;
      // Whatever waits for its next attempt is due, and leases are over.
      await first.advance(HOUR_MS);
      await service.cron("first");
      return false;
    });

    const { results } = await service.db
      .prepare("SELECT id, title FROM links WHERE external_id IS NOT NULL")
      .all<{ id: string; title: string | null }>();
    const created = results.map(({ id }) => id);
    const changed = results.filter(({ title }) => title !== null).map(({ id }) => id);
    expect(created.length).toBeGreaterThan(SECONDS / 2);
    for (const receiver of receivers) {
      expect([...heardOf(receiver, "link.create")].sort()).toEqual(created.toSorted());
      expect([...heardOf(receiver, "link.update")].sort()).toEqual(changed.toSorted());
    }
    // What failed says so, and is what was made to fail.
    expect(Object.keys(statuses).filter((status) => !["200", "201", "500", "503"].includes(status))).toEqual([]);
    const faults = service.logLines.filter((line) => line.includes('"request_failed"'));
    expect(faults.filter((line) => !/D1_ERROR|restarted|overloaded|Network connection lost/.test(line))).toEqual([]);
    expect(total).toBeGreaterThan(SECONDS);
    if (SECONDS >= 120) expect(late / early).toBeLessThan(MAX_GROWTH);
  },
  SECONDS * 1_000 + 2 * PATIENCE_MS,
);

async function countClicks(key: string): Promise<number> {
  const answer = await callApi(service.isolates.first, key, "GET", "/api/clicks?interval=7d");
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const { clicks } = answer.json() as { clicks: Clicks };
  return clicks.total + clicks.bots;
}
