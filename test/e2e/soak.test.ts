import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime } from "../../bench/load/process.ts";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { ClickBooks } from "./support/click-books.ts";
import { FAILURE, REDIRECT_READ, type DatabaseHook } from "./support/database.ts";
import { Greed, type Attempt } from "./support/greed.ts";
import { isCollection, liveHeaps, traceHeaps } from "./support/heap.ts";
import { Queues } from "./support/queues.ts";
import { startReceiver, until, type Receiver } from "./support/receiver.ts";
import { startService, type Service } from "./support/service.ts";
import { Visitors, type Target } from "./support/visitors.ts";

// Everything at once for a while, and everything failing: visitors, changes, webhooks, the cron, people who want more than
// they may have; a database that fails, is slow and loses answers, ClickLogs that restart, queues that are late and
// repeat, receivers that refuse and are down, and the Worker itself, which is killed again and again. SOAK_SECONDS=600 for longer.

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 15);
/** In the first part; what comes after shows whether memory grows. */
const KILLS = Math.max(2, Math.floor(SECONDS / 30));
const TIME_OF_KILLS = 0.4;
const PATIENCE_MS = 120_000 + SECONDS * 500;
const LINKS = 20;
const HOUR_MS = 3_600_000;
/** Of what an isolate needs, in the second half of its collections: it was at work long before. */
const MAX_HEAP_GROWTH = 1.5;
/** An isolate in production has 128. */
const MAX_HEAP_MB = 64;

const VARIABLES = {
  BASE_URL: "http://localhost:8787",
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  // None is to be disabled: that is tested elsewhere.
  WEBHOOK_MAX_FAILURES: "1000000",
};

const state = mkdtempSync(join(tmpdir(), "tern-soak-"));
const queues = new Queues((queue, messages) => service.handOut(queue, messages));
let service: Service<"first" | "second">;
let receivers: Receiver[];
let healthy = false;
let began: number;
/** Resolves when the Worker is there again. */
let back = Promise.resolve();
const books = new ClickBooks();
const logLines: string[] = [];

beforeAll(async () => {
  const answerWith = (status: () => number): Promise<Receiver> =>
    startReceiver((response) => {
      response.writeHead(healthy ? 200 : status());
      response.end();
    });
  receivers = [
    await answerWith(() => 200),
    await answerWith(() => (Math.random() < 0.5 ? 500 : 200)),
    await answerWith(() => (elapsed() < 0.5 ? 503 : 200)),
  ];
  await start();
  void queues.run();
});
afterAll(async () => {
  queues.stop();
  await service.stop();
  for (const receiver of receivers) await receiver.stop();
  rmSync(state, { recursive: true, force: true });
});

async function start(): Promise<void> {
  traceHeaps();
  service = await startService({ first: "one", second: "two" }, { variables: VARIABLES, state, queues });
}

/** Of the time of the test. */
const elapsed = () => (performance.now() - began) / (SECONDS * 1_000);
const goOn = () => elapsed() < 1;

/** One in fifty round trips fails, one in fifty loses its answer, one in ten is slow; those of redirects are only slow. */
const unreliable: DatabaseHook = async ({ moment, sql }) => {
  const chance = Math.random();
  if (chance < 0.1) await new Promise((resolve) => setTimeout(resolve, 20));
  if (sql.some((statement) => REDIRECT_READ.test(statement))) return undefined;
  if (chance > 0.98) return { error: moment === "before" ? FAILURE : "D1_ERROR: Network connection lost." };
  return undefined;
};

async function injectFaults(on: boolean): Promise<void> {
  for (const isolate of Object.values(service.isolates)) isolate.onDatabase = on ? unreliable : undefined;
  await service.isolates.first.injectClickFaults(on);
}

async function killOn(): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => elapsed() > (TIME_OF_KILLS * kill) / KILLS);
    const again = Promise.withResolvers<void>();
    back = again.promise;
    const from = performance.now();
    process.kill(findRuntime(), "SIGKILL");
    await service.stop();
    books.kills.push({ from, to: performance.now() });
    logLines.push(...service.logLines);
    await start();
    await injectFaults(true);
    again.resolve();
  }
}

let turn = 0;
const attempt: Attempt = async (run) => {
  await back;
  const { first, second } = service.isolates;
  return run(turn++ % 2 === 0 ? first : second).catch(() => null);
};

interface Account {
  accountId: number;
  key: string;
  links: Target[];
}

async function prepare(): Promise<Account> {
  const { first } = service.isolates;
  const { accountId, key } = await createAccount(service.db);
  const links: Target[] = [];
  for (let n = 0; n < LINKS; n++) links.push(await createLink(first, key, { url: "https://example.com/page" }));
  for (const { origin } of receivers) {
    const body = { url: `${origin}/in`, events: ["link.create", "link.update"] };
    expect((await callApi(first, key, "POST", "/api/webhooks", body)).status).toBe(201);
  }
  return { accountId, key, links };
}

/** Calls of the API; answers how many there were by status. */
async function callOn(key: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const call = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await attempt((isolate) => callApi(isolate, key, method, path, body, headers));
    const status = answer?.status ?? "broken off";
    statuses[status] = (statuses[status] ?? 0) + 1;
    return answer;
  };
  for (let n = 0; goOn(); n++) {
    const body = { url: `https://example.com/${n}`, tags: ["soak"], externalId: `soak-${n}` };
    const made = await call("POST", "/api/links", body, { "Idempotency-Key": crypto.randomUUID() });
    await call("GET", "/api/links?tag=soak&limit=10");
    if (made?.status !== 201) continue;
    const { link } = made.json() as { link: { id: string } };
    await call("PATCH", `/api/links/${link.id}`, { title: `title ${n}` });
    await call("GET", `/api/links/${link.id}/clicks`);
  }
  return statuses;
}

async function tickOn(): Promise<void> {
  while (goOn()) {
    await back;
    // One that is killed is made up for by the next.
    await service.cron("first").catch(() => undefined);
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
  `loses nothing in ${SECONDS} seconds of everything failing at once but what killed isolates had in their buffers`,
  async () => {
    const account = await prepare();
    const greed = new Greed(() => service.db);
    await greed.prepare(service.isolates.first);
    books.watch(queues, account.accountId);
    const visitors = new Visitors(3, "localhost:8787", books.journal);
    const visitOn = async () => {
      while (goOn()) {
        await back;
        await visitors.follow(account.links, Object.values(service.isolates), 200);
      }
    };

    await injectFaults(true);
    began = performance.now();
    const [statuses] = await Promise.all([
      callOn(account.key),
      tickOn(),
      visitOn(),
      killOn(),
      greed.goOn(attempt, goOn),
    ]);

    // All is well again: what is owed has to come.
    healthy = true;
    await injectFaults(false);
    visitors.stop();
    await greed.finish(attempt);
    const { first } = service.isolates;
    await first.settled();
    await service.isolates.second.settled();
    queues.hurries = true;
    await expect.poll(() => countClicks(account.key), { timeout: PATIENCE_MS, interval: 200 }).toBe(books.taken.size);
    await until(async () => {
      if ((await countPending()) === 0) return true;
      // Whatever waits for its next attempt is due, and leases are over.
      await first.advance(HOUR_MS);
      await service.cron("first");
      return false;
    });

    const { journal, kills, lost } = books;
    console.log(`${journal.length} clicks, ${kills.length} kills, ${lost.length} clicks lost with them`);
    expect(lost).toEqual(books.lostInBuffers);
    expect(books.invented).toEqual([]);
    await expectEvents();
    expect(greed.excesses).toEqual([]);
    // What failed says so, and is what was made to fail.
    expect(Object.keys(statuses).filter((status) => !EXPECTED_STATUSES.has(status))).toEqual([]);
    logLines.push(...service.logLines);
    expectLog();
    expectFlatHeaps();
    expect(journal.length).toBeGreaterThan(SECONDS);
  },
  SECONDS * 1_000 + 2 * PATIENCE_MS,
);

/** The runtime's note of an alarm that is set anew by a request at the moment at which it goes off. */
const ALARM_MOVED = /SQLite alarm handler canceled with requestScheduledAlarm/;
const EXPECTED_STATUSES = new Set(["200", "201", "500", "503", "broken off"]);

async function expectEvents(): Promise<void> {
  const { results } = await service.db
    .prepare("SELECT id, title FROM links WHERE external_id IS NOT NULL")
    .all<{ id: string; title: string | null }>();
  const created = results.map(({ id }) => id);
  const changed = results.filter(({ title }) => title !== null).map(({ id }) => id);
  expect(created.length).toBeGreaterThan(SECONDS / 10);
  for (const receiver of receivers) {
    expect([...heardOf(receiver, "link.create")].sort()).toEqual(created.toSorted());
    expect([...heardOf(receiver, "link.update")].sort()).toEqual(changed.toSorted());
  }
}

/** The service's own lines tell of what was made to fail; nothing was left unhandled (entry.js), and nothing given up. */
function expectLog(): void {
  const faults = logLines.filter((line) => line.includes('"request_failed"'));
  expect(faults.filter((line) => !/D1_ERROR|restarted|overloaded|Network connection lost/.test(line))).toEqual([]);
  const known = (line: string) => line.startsWith('{"event":') || ALARM_MOVED.test(line) || isCollection(line);
  expect(logLines.filter((line) => !known(line))).toEqual([]);
  const bad = /^\{"event":"(unhandled_rejection|background_task_failed|clicks_lost|clicks_unreadable|dead_letters)"/;
  expect(logLines.filter((line) => bad.test(line))).toEqual([]);
}

/** Of the runtime that was not killed. */
function expectFlatHeaps(): void {
  for (const heaps of liveHeaps(service.logLines)) {
    console.log(`needed by an isolate, in MB: ${heaps.join(", ")}`);
    expect(Math.max(...heaps)).toBeLessThan(MAX_HEAP_MB);
    const middle = Math.floor(heaps.length / 2);
    const [early, late] = [heaps.slice(0, middle), heaps.slice(middle)].map((half) => Math.max(...half)) as [
      number,
      number,
    ];
    if (middle > 1) expect(late / early).toBeLessThan(MAX_HEAP_GROWTH);
  }
}

async function countClicks(key: string): Promise<number> {
  const answer = await callApi(service.isolates.first, key, "GET", "/api/clicks?interval=7d");
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const { clicks } = answer.json() as { clicks: Clicks };
  return clicks.total + clicks.bots;
}
