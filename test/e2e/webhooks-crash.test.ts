import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { callApi, createAccount } from "./support/accounts.ts";
import type { DatabaseCall } from "./support/database.ts";
import { startReceiver, type Arrival, type Receiver } from "./support/receiver.ts";
import { until } from "../support/until.ts";
import { startService, type Service } from "./support/service.ts";

const VARIABLES = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
const LINKS = 3;
/** Each merge tries every fourth point, `npm run test:nightly` all of them. */
const tried = <Point>(points: Point[]) => (inject("isNightly") ? points : points.filter((_, index) => index % 4 === 0));

let receivers: Receiver[];
/** The status of the next response; null: the receiver does not respond, because the crash is due. */
let answer: (arrival: Arrival) => number | null;
let state: string;
let service: Service<"here">;

beforeAll(async () => {
  const behave: Parameters<typeof startReceiver>[0] = (response, arrival) => {
    const status = answer(arrival);
    if (status === null) return;
    response.writeHead(status);
    response.end();
  };
  receivers = [await startReceiver(behave), await startReceiver(behave)];
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.stop();
});
beforeEach(() => {
  answer = () => 200;
  for (const receiver of receivers) receiver.arrivals.length = 0;
  state = mkdtempSync(join(tmpdir(), "tern-crash-"));
  return async () => {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  };
});

const start = async () => (service = await startService({ here: "one" }, { variables: VARIABLES, state }));

/** Resolves at the `nth` matching round trip to the database, which then never continues. */
function crashAt(moment: DatabaseCall["moment"], pattern: RegExp, nth: number): Promise<void> {
  const reached = Promise.withResolvers<void>();
  let left = nth;
  service.isolates.here.onDatabase = (call) => {
    if (call.moment !== moment || !pattern.test(call.sql.join(";")) || --left > 0) return undefined;
    reached.resolve();
    return new Promise(() => undefined);
  };
  return reached.promise;
}

const CHANGE = /INSERT INTO links/;
const ACQUIRE = /UPDATE deliveries SET status = 'sending'/;
/** The read of a delivery that its transaction has leased. */
const READ_LEASED = /sending_until < \?5/;
const SUCCESS = /UPDATE webhooks SET failure_count = 0/;
const FAILURE = /failure_count = failure_count \+ 1/;

/** Creates an account with a webhook for each of these receivers. Returns its key. */
async function createWebhooks(recipients: readonly Receiver[]): Promise<string> {
  const { here } = service.isolates;
  const { key } = await createAccount(service.db);
  for (const { origin } of recipients) {
    const body = { url: `${origin}/in`, events: ["link.create"] };
    expect((await callApi(here, key, "POST", "/api/webhooks", body)).status).toBe(201);
  }
  return key;
}

async function createLinks(key: string): Promise<void> {
  const body = { url: "https://example.com/", title: "🐦" };
  for (let n = 0; n < LINKS; n++) await callApi(service.isolates.here, key, "POST", "/api/links", body);
}

/** The links in the database. Each must reach all recipients. */
async function storedLinks(): Promise<string[]> {
  const { results } = await service.db.prepare("SELECT id FROM links").all<{ id: string }>();
  return results.map(({ id }) => id).sort();
}

function linksAt({ arrivals }: Receiver): string[] {
  const ids = arrivals.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  return [...new Set(ids)].sort();
}

/** For events with two recipients, which the consumer leases. */
const POINTS: [string, () => Promise<void>][] = [
  ["after the change is committed", () => crashAt("after", CHANGE, 2)],
  ["before a sender takes a turn", () => crashAt("before", ACQUIRE, 1)],
  ["after a sender leased a delivery", () => crashAt("after", ACQUIRE, 1)],
  ["while the first attempt is in flight", () => crashAtArrival(1)],
  ["while the third attempt is in flight", () => crashAtArrival(3)],
  ["before a success is recorded", () => crashAt("before", SUCCESS, 1)],
  ["after a success is recorded", () => crashAt("after", SUCCESS, 1)],
  ["before a later success is recorded", () => crashAt("before", SUCCESS, 3)],
  ["before a failure is recorded", () => failing(() => crashAt("before", FAILURE, 1))],
  ["after a failure is recorded", () => failing(() => crashAt("after", FAILURE, 2))],
];

/** For events with one recipient, which are committed with a lease. */
const POINTS_OF_FIRST_ATTEMPTS: typeof POINTS = [
  ["after the change is committed", () => crashAt("after", CHANGE, 1)],
  ["before the delivery is read", () => crashAt("before", READ_LEASED, 1)],
  ["after the delivery is read", () => crashAt("after", READ_LEASED, 2)],
  ["while the attempt is in flight", () => crashAtArrival(1)],
  ["before the success is recorded", () => crashAt("before", SUCCESS, 1)],
  ["after the success is recorded", () => crashAt("after", SUCCESS, 2)],
  ["before the failure is recorded", () => failing(() => crashAt("before", FAILURE, 1))],
  ["after the failure is recorded", () => failing(() => crashAt("after", FAILURE, 1))],
];

function crashAtArrival(nth: number): Promise<void> {
  const reached = Promise.withResolvers<void>();
  let left = nth;
  answer = () => {
    if (--left > 0) return 200;
    reached.resolve();
    return null;
  };
  return reached.promise;
}

function failing(crash: () => Promise<void>): Promise<void> {
  answer = () => 500;
  return crash();
}

it.each(tried(POINTS))("a crash %s neither loses nor changes an event", (_, crashes) => expectAll(receivers, crashes));

it.each(tried(POINTS_OF_FIRST_ATTEMPTS))(
  "a crash of a first attempt %s neither loses nor changes an event",
  (_, crashes) => expectAll(receivers.slice(0, 1), crashes),
);

/** Crashes the Worker, starts it again, and expects all events at the recipients. */
async function expectAll(recipients: readonly Receiver[], crashes: () => Promise<void>): Promise<void> {
  await start();
  const key = await createWebhooks(recipients);
  const crashed = crashes();
  void createLinks(key).catch(() => undefined);
  await crashed;
  await service.stop();

  answer = () => 200;
  await start();
  const expected = await storedLinks();
  expect(expected.length).toBeGreaterThan(0);
  const pending = () => service.db.prepare("SELECT 1 FROM deliveries WHERE status IN ('sending', 'pending')").first();
  for (let minutes = 0; minutes < 30 && (await pending()) !== null; minutes++) {
    await service.isolates.here.advance(61_000);
    await service.cron("here");
    const patience = performance.now() + 1_000;
    await until(async () => performance.now() > patience || (await pending()) === null);
  }
  expect(await pending()).toBeNull();
  for (const receiver of recipients) {
    expect(linksAt(receiver)).toEqual(expected);
    // Redeliveries of an event are equal.
    const deliveries = receiver.arrivals.map(({ headers, body }) => `${String(headers["webhook-id"])} ${body}`);
    expect(new Set(deliveries).size).toBe(expected.length);
    expect(new Set(receiver.arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(expected.length);
  }
}
