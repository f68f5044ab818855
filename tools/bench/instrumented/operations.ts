import { createAccount } from "../../../test/e2e/support/accounts.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { addKeyWithoutPermission } from "../account.ts";
import { DESTINATION, HOOKS } from "../runtime.ts";
import { recordStatements, type RecordedStatements } from "./recorded.ts";
import {
  call,
  makeLink,
  mapCounters,
  startInstrumented,
  UNCOUNTED,
  visit,
  type Counters,
  type InstrumentedServer,
} from "./server.ts";
import { DAY_MS, HOUR_MS, MAX_IN_FLIGHT_PER_HOST, MINUTE_MS } from "../../../src/limits.ts";
import { MEMORY_CACHE_FRESH_MS } from "../../../src/redirect/limits.ts";
import {
  MAX_CLICKS_PER_MESSAGE,
  MAX_DIRECT_LOGS,
  DEFAULT_CLICK_RETENTION_DAYS,
  SHARED_LOGS,
  SUBSCRIPTION_CHANGE_MS,
} from "../../../src/click-log/limits.ts";

/** What one operation uses of what Cloudflare bills, on average. */
export interface CountedOperation {
  operation: string;
  /** Requests to the Worker from outside. */
  requests: number;
  counters: Counters;
}

/** A User-Agent that is counted as a click. */
const BROWSER = { "User-Agent": "Mozilla/5.0" };

/** An address of its own. Others are new with each call. */
const SEEN = { "CF-Connecting-IP": "192.0.2.2" };

const REPETITIONS = 5;
/** The clock moves on between repetitions, by default by this. */
const STEP_MS = 1_500;
/** What the call of an address leaves behind is deleted within this time. */
const CALL_ENDS_MS = 25 * HOUR_MS;
/** The address was forgotten by the limits of a minute, and not by those of a day. */
const SAME_DAY_MS = 10 * MINUTE_MS;
/** What a click leaves behind is done within this time: its salt is deleted, and it is rolled up. */
const CLICK_ENDS_MS = (DEFAULT_CLICK_RETENTION_DAYS + 10) * DAY_MS;
/** Anonymous links that share a ClickLog and are clicked on one day: with all ClickLogs, 20 thousand a day. */
const SHARING = 20;
/** Slugs `/l100` and up are not requested before. */
const FIRST_COLD = 100;
const AFTER_ALL_CALLS = Number.MAX_SAFE_INTEGER;
const CONCURRENT_CLICKS = 10;

export async function countOperations(): Promise<{ counted: CountedOperation[]; recorded: RecordedStatements }> {
  // Each has a server of its own, so that the alarms of the others do not go off in it.
  const redirects = await withServer(countRedirects);
  const clicks = await withServer(countClicks);
  const accounts = await withServer(countAccounts);
  const days = await withServer(countDays);
  const anonymous = await withServer(countAnonymousLinks);
  const calls = await withServer(countCalls);
  const cron = await withServer(countCron);
  const recorded = await withServer(recordStatements);
  return { counted: [...redirects, ...clicks, ...accounts, ...days, ...anonymous, ...calls, cron], recorded };
}

async function withServer<T>(run: (server: InstrumentedServer) => Promise<T>): Promise<T> {
  const server = await startInstrumented();
  try {
    await insertLinks(server.db, { prefix: "l", first: 1, last: 1_000, url: DESTINATION });
    return await run(server);
  } finally {
    await server.stop();
  }
}

/**
 * Counts repetitions of `run`, after one that fills the caches. `each` is the number of operations in one run. Alarms go off
 * in `passMs`, which follows each run, and not in `stepMs`.
 */
async function count(
  server: InstrumentedServer,
  operation: string,
  run: (n: number) => Promise<unknown>,
  { requests = 1, stepMs = STEP_MS, passMs = 0, each = 1 } = {},
): Promise<CountedOperation> {
  await run(REPETITIONS);
  await server.control({ pass: passMs });
  const counters = await server.count(async () => {
    for (let n = 0; n < REPETITIONS; n++) {
      await server.control({ advance: stepMs });
      await run(n);
      await server.control({ pass: passMs });
    }
  });
  return { operation, requests, counters: mapCounters(counters, (value) => value / (REPETITIONS * each)) };
}

async function countRedirects(server: InstrumentedServer): Promise<CountedOperation[]> {
  return [
    await count(server, "redirect, hot", () => visit(server, "/l1"), { stepMs: 0 }),
    await count(server, "redirect, cached", () => visit(server, "/l1"), { stepMs: MEMORY_CACHE_FRESH_MS + 1 }),
    await count(server, "redirect, cold", (n) => visit(server, `/l${n + FIRST_COLD}`)),
    await count(server, "unknown slug", (n) => visit(server, `/unknown-${n}`, UNCOUNTED, 404)),
  ];
}

async function countCron(server: InstrumentedServer): Promise<CountedOperation> {
  const run = () => server.control({ cron: true });
  return count(server, "a run of the cron, with nothing due", run, { stepMs: MINUTE_MS });
}

async function countClicks(server: InstrumentedServer): Promise<CountedOperation[]> {
  const { key } = await createAccount(server.db);
  const { slug } = await makeLink(server, key);
  await visit(server, `/${slug}`);
  const click = (n: number) => visit(server, `/${slug}`, { ...BROWSER, "CF-Connecting-IP": `198.51.100.${n}` });
  const clickOften = async () => {
    for (let n = 0; n < MAX_CLICKS_PER_MESSAGE; n += CONCURRENT_CLICKS)
      await Promise.all(Array.from({ length: CONCURRENT_CLICKS }, (_, more) => click(n + more)));
  };
  const many = MAX_CLICKS_PER_MESSAGE;
  const alone = await count(server, "click, alone in its flush", click, { requests: 0, stepMs: 0 });
  const together = await count(server, `click, of ${many} in a flush`, clickOften, {
    requests: 0,
    stepMs: 0,
    each: many,
  });
  await call(server, key, "POST", "/api/webhooks", { url: HOOKS, events: ["link.click"] });
  // From then on, the ClickLog keeps the webhook.
  await server.control({ advance: SUBSCRIPTION_CHANGE_MS });
  const withEvent = await count(server, "delivery of a click, with its event", click, { requests: 0, stepMs: 0 });
  return [alone, together, difference(withEvent, alone)];
}

/** Flushes of one isolate with a click each of several accounts: as many as it calls, and twice as many, for which it uses the queue. */
async function countAccounts(server: InstrumentedServer): Promise<CountedOperation[]> {
  const slugs: string[] = [];
  while (slugs.length < 2 * MAX_DIRECT_LOGS) {
    const { key } = await createAccount(server.db);
    slugs.push((await makeLink(server, key)).slug);
  }
  for (const slug of slugs) await visit(server, `/${slug}`);
  const counted: CountedOperation[] = [];
  for (const accounts of [MAX_DIRECT_LOGS, 2 * MAX_DIRECT_LOGS]) {
    const click = () => Promise.all(slugs.slice(0, accounts).map((slug) => visit(server, `/${slug}`, BROWSER)));
    const operation = `click, of ${accounts} accounts in a flush`;
    counted.push(await count(server, operation, click, { requests: 0, stepMs: 0, each: accounts }));
  }
  return counted;
}

/** What a ClickLog does later for a day with clicks: of one link, and of another link more. All days before had such clicks too. */
async function countDays(server: InstrumentedServer): Promise<CountedOperation[]> {
  const { key } = await createAccount(server.db);
  const slugs = [(await makeLink(server, key)).slug, (await makeLink(server, key)).slug];
  const click = (slug: string) => visit(server, `/${slug}`, BROWSER);
  const dayOf = async (operation: string, visited: string[]) => {
    const run = () => Promise.all(visited.map(click));
    for (let day = 0; day < CLICK_ENDS_MS; day += DAY_MS) {
      await run();
      await server.control({ pass: DAY_MS });
    }
    return count(server, operation, run, { requests: 0, stepMs: 0, passMs: DAY_MS });
  };
  const one = await dayOf("an account's day with a click", slugs.slice(0, 1));
  const two = await dayOf("another link with a click on that day", slugs);
  return [one, difference(two, one)];
}

/** What the operation uses more than another one. Times are measured, so their difference can be negative. */
function difference(operation: CountedOperation, other: CountedOperation): CountedOperation {
  const counters = mapCounters(operation.counters, (value, name) => Math.max(0, value - other.counters[name]));
  return { ...operation, requests: operation.requests - other.requests, counters };
}

/** Clicks of links without an account, each alone in its flush, and everything that their ClickLog does about them later. */
async function countAnonymousLinks(server: InstrumentedServer): Promise<CountedOperation[]> {
  const last = (SHARING + 1) * SHARED_LOGS;
  await insertLinks(server.db, { prefix: "l", first: SHARED_LOGS, last, url: DESTINATION });
  const countSharing = (links: number, first: number) => {
    // The remainder decides which ClickLog it is: another one in each repetition.
    const click = async (n: number) => {
      for (let index = 1; index <= links; index++) {
        await visit(server, `/l${first + n + index * SHARED_LOGS}`, BROWSER);
        await server.control();
      }
    };
    const operation = `an anonymous link with one click ever, ${links} a day in its ClickLog`;
    return count(server, operation, click, { requests: 0, passMs: CLICK_ENDS_MS, each: links });
  };
  return [await countSharing(1, 100), await countSharing(SHARING, 200)];
}

async function countCalls(server: InstrumentedServer): Promise<CountedOperation[]> {
  const { accountId, key } = await createAccount(server.db);
  const link = await makeLink(server, key);
  const weakKey = await addKeyWithoutPermission(server.db, accountId);
  // Keys in use, whose last use was written a moment ago at each call.
  await server.db.prepare("UPDATE api_keys SET last_used_at = ?1").bind(AFTER_ALL_CALLS).run();
  const idleKey = await addKeyWithoutPermission(server.db, accountId);
  const forgotten = { passMs: CALL_ENDS_MS };
  const authenticate = (headers = {}, used = weakKey) =>
    visit(server, "/api/links", { Authorization: `Bearer ${used}`, ...headers }, 403);
  const shorten = () => server.request("POST", "/api/shorten", {}, { url: DESTINATION });
  const create = () => makeLink(server, key);
  const counted = [
    await count(server, "authenticate, from a new address", () => authenticate(), forgotten),
    await count(server, "authenticate, from an address of today", () => authenticate(SEEN), { passMs: SAME_DAY_MS }),
    await count(server, "authenticate, with a key unused for a minute", () => authenticate(SEEN, idleKey), {
      passMs: SAME_DAY_MS,
    }),
    await count(server, "get a link", () => call(server, key, "GET", `/api/links/${link.id}`), forgotten),
    await count(server, "shorten without a key", shorten, forgotten),
  ];
  const alone = await count(server, "create a link, from a new address", create, forgotten);
  const createAgain = () => call(server, key, "POST", "/api/links", { url: DESTINATION }, SEEN);
  const again = await count(server, "create a link, from an address of today", createAgain, { passMs: SAME_DAY_MS });
  await call(server, key, "POST", "/api/webhooks", { url: HOOKS, events: ["link.create"] });
  // As after 24 successes, each of which writes the webhook's row.
  await server.db.prepare("UPDATE webhooks SET in_flight_limit = ?1").bind(MAX_IN_FLIGHT_PER_HOST).run();
  const delivered = await count(server, "delivery, with its event", createAgain, { passMs: SAME_DAY_MS });
  return [...counted, alone, again, difference(delivered, again)];
}
