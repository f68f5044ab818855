import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime } from "../../tools/bench/load/process.ts";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import { HOUR_MS, MAX_URL_CHARS } from "../../src/limits.ts";
import { MAX_BULK_LINKS } from "../../src/links/limits.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { ClickBooks } from "./support/click-books.ts";
import { FAILURE, REDIRECT_READ, type DatabaseHook } from "./support/database.ts";
import { Greed, type Attempt } from "./support/greed.ts";
import { expectSmallHeaps, isCollection, traceHeaps } from "./support/heap.ts";
import { Queues } from "./support/queues.ts";
import { linksIn, startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "../support/until.ts";
import { startService, type Service } from "./support/service.ts";
import { Visitors, type Target } from "./support/visitors.ts";

// Everything at the same time, with failures everywhere: visitors, API calls, webhooks, the cron and a client that tries
// to exceed every limit; a database that fails, is slow and loses results, ClickLogs that restart, queues that are late
// and deliver twice, receivers that fail, and a Worker that is killed again and again. SOAK_SECONDS=600 runs longer.

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 15);
/** Links of an account that are created and changed, at least. */
const LEAST_CHANGES = 2;
const KILLS = Math.max(2, Math.floor(SECONDS / 30));
/** The part of the test in which the Worker is killed. */
const TIME_OF_KILLS = 0.4;
/** For everything that is pending at the end; a limit for a test that hangs. */
const SETTLE_TIMEOUT_MS = 600_000 + SECONDS * 5_000;
const LINKS = 20;
/** Bulk calls of the largest size at the end, which must leave the heap small. */
const LARGEST_CALLS = 5;

const HERE = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
// No webhook is disabled here; other tests cover that.
const OPTIONS = { variables: { ...HERE, WEBHOOK_MAX_FAILURES: "1000000" }, productionTimes: true };

const state = mkdtempSync(join(tmpdir(), "tern-soak-"));
const queues = new Queues((queue, messages) => service.handOut(queue, messages));
let service: Service<"first" | "second">;
/** Of an account with several webhooks. Its events go through the queue. */
let receivers: Receiver[];
/** Of an account with one webhook. Its deliveries are leased for their wake-ups. */
let onlyReceiver: Receiver;
let healthy = false;
let began: number;
/** Resolves when the Worker runs again. */
let restarted = Promise.resolve();
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
  onlyReceiver = await answerWith(() => (Math.random() < 0.1 ? 500 : 200));
  await start();
  void queues.run();
});
afterAll(async () => {
  queues.stop();
  await service.stop();
  for (const receiver of [...receivers, onlyReceiver]) await receiver.stop();
  rmSync(state, { recursive: true, force: true });
});

async function start(): Promise<void> {
  traceHeaps();
  service = await startService({ first: "one", second: "two" }, { ...OPTIONS, state, queues });
}

/** The part of the test that has passed. */
const elapsed = () => (performance.now() - began) / (SECONDS * 1_000);
const goesOn = () => elapsed() < 1;

/** Of 100 round trips, 2 fail or lose their result and 10 are slow; those of redirects are only slow. */
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

async function killRepeatedly(): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => elapsed() > (TIME_OF_KILLS * kill) / KILLS);
    const again = Promise.withResolvers<void>();
    restarted = again.promise;
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
  await restarted;
  const { first, second } = service.isolates;
  return run(turn++ % 2 === 0 ? first : second).catch(() => null);
};

interface Account {
  accountId: number;
  key: string;
  links: Target[];
}

async function prepare(recipients: readonly Receiver[]): Promise<Account> {
  const { first } = service.isolates;
  const { accountId, key } = await createAccount(service.db);
  const links: Target[] = [];
  for (let n = 0; n < LINKS; n++) links.push(await createLink(first, key, { url: "https://example.com/page" }));
  for (const { origin } of recipients) {
    const body = { url: `${origin}/in`, events: ["link.create", "link.update"] };
    expect((await callApi(first, key, "POST", "/api/webhooks", body)).status).toBe(201);
  }
  return { accountId, key, links };
}

/** Calls the API until the end; returns the number of responses by status. */
async function callRepeatedly(key: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const call = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await attempt((isolate) => callApi(isolate, key, method, path, body, headers));
    const status = answer?.status ?? "broken";
    statuses[status] = (statuses[status] ?? 0) + 1;
    return answer;
  };
  // A slow machine is busy with the restarts for most of the time.
  for (let n = 0, changed = 0; goesOn() || changed < LEAST_CHANGES; n++) {
    const body = { url: `https://example.com/${n}`, tags: ["soak"], externalId: `soak-${n}` };
    const made = await call("POST", "/api/links", body, { "Idempotency-Key": crypto.randomUUID() });
    await call("GET", "/api/links?tag=soak&limit=10");
    if (made?.status !== 201) continue;
    const { link } = made.json() as { link: { id: string } };
    if ((await call("PATCH", `/api/links/${link.id}`, { title: `title ${n}` }))?.status === 200) changed++;
    await call("GET", `/api/links/${link.id}/clicks`);
  }
  return statuses;
}

/** Creates links by bulk calls of nearly 5 MiB, for an account without webhooks: each link has the longest URLs. Returns the statuses. */
async function createLargest(): Promise<number[]> {
  const { key } = await createAccount(service.db);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const url = `https://example.com/${"x".repeat(MAX_URL_CHARS - 100)}`;
  const link = { url, expiredUrl: url, ios: url, android: url, preview: { image: url }, geo: { DE: url } };
  const body = JSON.stringify({ links: Array.from({ length: MAX_BULK_LINKS }, () => link) });
  const statuses: number[] = [];
  for (let n = 0; n < LARGEST_CALLS; n++) {
    const answer = await service.isolates.first.request("POST", "/api/links/bulk", { headers, body });
    statuses.push(answer.status);
  }
  return statuses;
}

async function runCronRepeatedly(): Promise<void> {
  while (goesOn()) {
    await restarted;
    // A run that is killed is repeated by the next one.
    await service.cron("first").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function countPending(): Promise<number> {
  return (
    (await service.db
      .prepare("SELECT count(*) AS n FROM deliveries WHERE status IN ('sending', 'pending')")
      .first<number>("n")) ?? 0
  );
}

it(
  `loses only the clicks in the buffers of killed isolates in ${SECONDS} seconds of failures everywhere`,
  async () => {
    const account = await prepare(receivers);
    const alone = await prepare([onlyReceiver]);
    const greed = new Greed(() => service.db);
    await greed.prepare(service.isolates.first);
    books.watch(queues, account.accountId);
    const visitors = new Visitors(3, "localhost:8787", books.journal);
    const visitRepeatedly = async () => {
      while (goesOn()) {
        await restarted;
        await visitors.follow(account.links, Object.values(service.isolates), 200);
      }
    };

    await injectFaults(true);
    began = performance.now();
    const [statuses, statusesAlone] = await Promise.all([
      callRepeatedly(account.key),
      callRepeatedly(alone.key),
      runCronRepeatedly(),
      visitRepeatedly(),
      killRepeatedly(),
      greed.run(attempt, goesOn),
    ]);

    // Without faults, everything that is pending must arrive.
    healthy = true;
    await injectFaults(false);
    visitors.stop();
    await greed.finish(attempt);
    const { first, second } = service.isolates;
    await Promise.all([first.settled(), second.settled()]);
    queues.hurries = true;
    // A click that was offered when the isolate was killed is stored or not.
    await expect
      .poll(() => countClicks(account.key), { timeout: SETTLE_TIMEOUT_MS, interval: 200 })
      .toBeGreaterThanOrEqual(books.accepted.size);
    expect(await countClicks(account.key)).toBeLessThanOrEqual(books.offered.size);
    await until(async () => {
      if ((await countPending()) === 0) return true;
      // Makes every next attempt due, and ends the leases.
      await first.advance(HOUR_MS);
      await service.cron("first");
      return false;
    });

    const { journal, kills, lost } = books;
    console.log(`${journal.length} clicks, ${kills.length} kills, ${lost.length} clicks lost with them`);
    expect(lost).toEqual(books.lostInBuffers);
    expect(books.invented).toEqual([]);
    await expectEvents(account, receivers);
    await expectEvents(alone, [onlyReceiver]);
    expect(greed.excesses).toEqual([]);
    // Only the injected faults caused errors.
    const answered = Object.keys({ ...statuses, ...statusesAlone });
    expect(answered.filter((status) => !EXPECTED_STATUSES.has(status))).toEqual([]);
    expect(await createLargest()).toEqual(Array.from({ length: LARGEST_CALLS }, () => 200));
    logLines.push(...service.logLines);
    expectLog();
    // The runtime that was started last.
    expectSmallHeaps(service.logLines);
    expect(journal.length).toBeGreaterThan(SECONDS);
  },
  SECONDS * 1_000 + 2 * SETTLE_TIMEOUT_MS,
);

/** The runtime's log lines if a request sets an alarm while it fires, and if it compiles its own library anew. */
const OF_THE_RUNTIME = /SQLite alarm handler canceled with requestScheduledAlarm|bootstrap compile cache failed/;
const EXPECTED_STATUSES = new Set(["200", "201", "500", "503", "broken"]);

async function expectEvents({ accountId }: Account, recipients: readonly Receiver[]): Promise<void> {
  const { results } = await service.db
    .prepare("SELECT id, title FROM links WHERE account_id = ?1 AND external_id IS NOT NULL")
    .bind(accountId)
    .all<{ id: string; title: string | null }>();
  const created = results.map(({ id }) => id);
  const changed = results.filter(({ title }) => title !== null).map(({ id }) => id);
  expect(changed.length).toBeGreaterThanOrEqual(LEAST_CHANGES);
  for (const receiver of recipients) {
    expect([...linksIn(receiver, "link.create")].sort()).toEqual(created.toSorted());
    expect([...linksIn(receiver, "link.update")].sort()).toEqual(changed.toSorted());
  }
}

/** Checks that the log contains only the injected faults, no unhandled error (entry.js) and no lost work. */
function expectLog(): void {
  const faults = logLines.filter((line) => line.includes('"request_failed"'));
  expect(faults.filter((line) => !/D1_ERROR|restarted|overloaded|Network connection lost/.test(line))).toEqual([]);
  const known = (line: string) => line.startsWith('{"event":') || OF_THE_RUNTIME.test(line) || isCollection(line);
  expect(logLines.filter((line) => !known(line))).toEqual([]);
  const bad = /^\{"event":"(unhandled_rejection|background_task_failed|clicks_lost|message_unreadable|dead_letters)"/;
  expect(logLines.filter((line) => bad.test(line))).toEqual([]);
}

async function countClicks(key: string): Promise<number> {
  const answer = await callApi(service.isolates.first, key, "GET", "/api/clicks?interval=7d");
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  const { clicks } = answer.json() as { clicks: Clicks };
  return clicks.total + clicks.bots;
}
