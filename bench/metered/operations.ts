import { sequenceOf } from "../../src/links/store/sequence.ts";
import type { Link } from "../../src/links/contract.ts";
import { MAX_CLICKS_PER_MESSAGE, MEMO_FRESH_MS } from "../../src/limits.ts";
import { createAccount } from "../../test/e2e/support/accounts.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { withoutPermission, type Account } from "../account.ts";
import { DESTINATION, HOOKS } from "../runtime.ts";
import { difference, Meter, type Counted } from "./meter.ts";
import { call, makeLink, startMetered, type MeteredServer, type Statement } from "./server.ts";

// What operations ask of whatever Cloudflare bills, each counted over a few of it in an isolate with meters.

/** What the service asked of the database, for Workers that ask the same and do nothing else. */
export interface Recorded {
  read: Statement & { slug: string };
  create: { account: Account; key: Statement; batch: Statement[]; id: string; seq: string; slug: string };
}

/** A visit as by a browser that prepares for a click: it is redirected and not counted. */
export const UNCOUNTED = { "Sec-Purpose": "prefetch", "CF-Connecting-IP": "192.0.2.1" };

const FIRST_COLD = 100;
/** Clicks that are made at the same time. */
const AT_ONCE = 10;

export async function countOperations(): Promise<{ counted: Counted[]; recorded: Recorded }> {
  const server = await startMetered();
  try {
    await insertLinks(server.db, { prefix: "l", first: 1, last: 1_000, url: DESTINATION });
    const meter = new Meter(server);
    const counted = [...(await countRedirects(meter)), ...(await countClicks(meter)), ...(await countCalls(meter))];
    return { counted, recorded: { read: await recordRead(server), create: await recordCreate(server) } };
  } finally {
    await server.stop();
  }
}

async function visit(server: MeteredServer, path: string, headers: Record<string, string>, status = 302) {
  const answer = await server.request("GET", path, headers);
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

async function countRedirects(meter: Meter): Promise<Counted[]> {
  const { server } = meter;
  await visit(server, "/l1", UNCOUNTED);
  return [
    await meter.count("redirect, hot", () => visit(server, "/l1", UNCOUNTED), { stepMs: 0 }),
    await meter.count("redirect, cached", () => visit(server, "/l1", UNCOUNTED), { stepMs: MEMO_FRESH_MS + 1 }),
    await meter.count("redirect, cold", (n) => visit(server, `/l${n + FIRST_COLD}`, UNCOUNTED)),
    await meter.count("unknown slug", (n) => visit(server, `/unknown-${n}`, UNCOUNTED, 404)),
  ];
}

async function countClicks(meter: Meter): Promise<Counted[]> {
  const { server } = meter;
  const { key } = await createAccount(server.db);
  const link = await makeLink(server, key);
  await visit(server, `/${link.slug}`, UNCOUNTED);
  const click = (n: number) =>
    visit(server, `/${link.slug}`, { "CF-Connecting-IP": `198.51.100.${n}`, "User-Agent": "Mozilla/5.0" });
  const clickOften = async () => {
    for (let n = 0; n < MAX_CLICKS_PER_MESSAGE; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => click(n + more)));
  };
  const way = { requests: 0, stepMs: 0, apart: true };
  return [
    await meter.count("click, alone in its message", click, way),
    await meter.count(`click, of ${MAX_CLICKS_PER_MESSAGE} in a message`, clickOften, {
      ...way,
      each: MAX_CLICKS_PER_MESSAGE,
    }),
  ];
}

async function countCalls(meter: Meter): Promise<Counted[]> {
  const { server } = meter;
  const { accountId, key } = await createAccount(server.db);
  const link = await makeLink(server, key);
  const refused = await withoutPermission(server.db, accountId);
  const authenticate = async (from?: Record<string, string>) => {
    const answer = await server.request("GET", "/api/links", { Authorization: `Bearer ${refused}`, ...from });
    if (answer.status !== 403) throw new Error(`a call without permission: ${answer.status}`);
  };
  const create = () => makeLink(server, key);
  const counted = [
    await meter.count("authenticate", () => authenticate()),
    await meter.count("authenticate, again from the same address", () => authenticate(UNCOUNTED)),
    await meter.count("get a link", () => call(server, key, "GET", `/api/links/${link.id}`)),
    await meter.count("shorten without a key", async () => {
      const answer = await server.request("POST", "/api/shorten", {}, { url: DESTINATION });
      if (answer.status !== 201) throw new Error(`shorten: ${answer.status}`);
    }),
  ];
  const alone = await meter.count("create a link", create);
  await call(server, key, "POST", "/api/webhooks", { url: HOOKS, events: ["link.create"] });
  const told = await meter.count("create a link that a webhook hears of", create, { apart: true });
  return [...counted, alone, difference("delivery, with its event", told, alone)];
}

async function recordRead(server: MeteredServer): Promise<Recorded["read"]> {
  const slug = "l999";
  const [trip] = await tripsOf(server, () => visit(server, `/${slug}`, UNCOUNTED));
  const [statement] = trip ?? [];
  if (statement === undefined || trip?.length !== 1) throw new Error("a cold redirect reads in another form");
  return { ...statement, slug };
}

async function recordCreate(server: MeteredServer): Promise<Recorded["create"]> {
  const account = await createAccount(server.db);
  let link: Link | undefined;
  const trips = await tripsOf(server, async () => {
    link = await makeLink(server, account.key);
  });
  const [[read] = [], batch] = trips.filter(([first]) => !(first?.sql ?? "").startsWith("UPDATE api_keys"));
  if (link === undefined || read === undefined || batch === undefined)
    throw new Error("a link is created in another form");
  return { account, key: read, batch, id: link.id, seq: sequenceOf(link.id), slug: link.slug };
}

async function tripsOf(server: MeteredServer, run: () => Promise<unknown>): Promise<Statement[][]> {
  await server.control({ record: true });
  await run();
  return (await server.control({ record: false })).trips;
}
