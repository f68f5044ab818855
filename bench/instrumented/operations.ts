import { createAccount } from "../../test/e2e/support/accounts.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
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
import { MEMORY_CACHE_FRESH_MS } from "../../src/redirect/limits.ts";
import { MAX_CLICKS_PER_MESSAGE } from "../../src/clicks/limits.ts";

/** What one operation uses of what Cloudflare bills, on average. */
export interface CountedOperation {
  operation: string;
  /** Requests to the Worker from outside. */
  requests: number;
  counters: Counters;
}

/** A User-Agent that is counted as a click. */
const BROWSER = { "User-Agent": "Mozilla/5.0" };

const REPETITIONS = 5;
/** By default the clock moves on between repetitions: the first use of a key in a second is written, and always counted. */
const STEP_MS = 1_500;
/** Slugs `/l100` and up are not requested before. */
const FIRST_COLD = 100;
const CONCURRENT_CLICKS = 10;

export async function countOperations(): Promise<{ counted: CountedOperation[]; recorded: RecordedStatements }> {
  const server = await startInstrumented();
  try {
    await insertLinks(server.db, { prefix: "l", first: 1, last: 1_000, url: DESTINATION });
    const counted = [...(await countRedirects(server)), ...(await countClicks(server)), ...(await countCalls(server))];
    return { counted, recorded: await recordStatements(server) };
  } finally {
    await server.stop();
  }
}

/** Counts repetitions of `run`, after one that fills the caches. `each` is the number of operations in one run. */
async function count(
  server: InstrumentedServer,
  operation: string,
  run: (n: number) => Promise<unknown>,
  { requests = 1, stepMs = STEP_MS, each = 1 } = {},
): Promise<CountedOperation> {
  await run(REPETITIONS);
  const counters = await server.count(async () => {
    for (let n = 0; n < REPETITIONS; n++) {
      await server.control({ advance: stepMs });
      await run(n);
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
  return [
    await count(server, "click, alone in its message", click, { requests: 0, stepMs: 0 }),
    await count(server, `click, of ${many} in a message`, clickOften, { requests: 0, stepMs: 0, each: many }),
  ];
}

async function countCalls(server: InstrumentedServer): Promise<CountedOperation[]> {
  const { accountId, key } = await createAccount(server.db);
  const link = await makeLink(server, key);
  const weakKey = await addKeyWithoutPermission(server.db, accountId);
  const authenticate = (headers = {}) =>
    visit(server, "/api/links", { Authorization: `Bearer ${weakKey}`, ...headers }, 403);
  const shorten = () => server.request("POST", "/api/shorten", {}, { url: DESTINATION });
  const create = () => makeLink(server, key);
  const counted = [
    await count(server, "authenticate", () => authenticate()),
    await count(server, "authenticate, again from the same address", () => authenticate(UNCOUNTED)),
    await count(server, "get a link", () => call(server, key, "GET", `/api/links/${link.id}`)),
    await count(server, "shorten without a key", shorten),
  ];
  const alone = await count(server, "create a link", create);
  await call(server, key, "POST", "/api/webhooks", { url: HOOKS, events: ["link.create"] });
  const delivered = await count(server, "delivery, with its event", create);
  const counters = mapCounters(delivered.counters, (value, name) => value - alone.counters[name]);
  return [...counted, alone, { ...delivered, requests: 0, counters }];
}
