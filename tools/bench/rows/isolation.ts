import { setTimeout as sleep } from "node:timers/promises";
import { callApi, createAccount, createLink } from "../../../test/e2e/support/accounts.ts";
import { hangs, startReceiver, type Receiver } from "../../../test/e2e/support/receiver.ts";
import { startService } from "../../../test/e2e/support/service.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound, type Round } from "../load/round.ts";
import type { Row } from "../row.ts";
import { percentileOf } from "../statistics.ts";

/** Accounts with a webhook whose receiver responds at once. */
const HEALTHY = 20;
/** Accounts with a webhook whose receiver never responds. */
const HANGING = 10;
/** As many as fail before a webhook must wait for its next attempt. */
const EVENTS_PER_HANGING = 5;
const POLL_MS = 2;

const LINK = { url: "https://example.com/" };

type IsolationServer = Awaited<ReturnType<typeof startIsolation>>;

type Subscriber = Awaited<ReturnType<IsolationServer["subscribe"]>>;

export async function startIsolation() {
  const variables = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  const service = await startService({ here: "one" }, { variables, productionTimes: true });
  const isolate = service.isolates.here;
  /** Responds at once. */
  const healthy = await startReceiver();
  const subscribe = async ({ origin }: Receiver) => {
    const { key } = await createAccount(service.db);
    const body = { url: `${origin}/in`, events: ["link.create"] };
    const answer = await callApi(isolate, key, "POST", "/api/webhooks", body);
    if (answer.status !== 201) throw new Error(`create a webhook: ${answer.status} ${answer.text}`);
    const { webhook } = answer.json() as { webhook: { id: string } };
    return { key, path: `/api/webhooks/${webhook.id}` };
  };
  const stop = async () => {
    await service.stop();
    await healthy.stop();
  };
  return { isolate, healthy, subscribe, stop };
}

/** Latency of healthy deliveries, from the API's response to their arrival. */
async function measureDeliveries(server: IsolationServer, subscribers: Subscriber[], seconds: number): Promise<Round> {
  const { arrivals } = server.healthy;
  const createdAt = new Map<string, number>();
  arrivals.length = 0;
  const round = await measureRound(findRuntime(), async () => {
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end)
      for (const { key } of subscribers) {
        const { id } = await createLink(server.isolate, key, LINK);
        createdAt.set(id, performance.now());
      }
    while (arrivals.length < createdAt.size) await sleep(POLL_MS);
    return { operations: createdAt.size };
  });
  const latencies = arrivals.map(({ at, body }) => {
    const { data } = JSON.parse(body) as { data: { id: string } };
    return at - (createdAt.get(data.id) ?? Number.NaN);
  });
  return { ...round, latencyMilliseconds: percentileOf(latencies, 0.95) };
}

/** Runs `measure` while deliveries to hanging receivers are in flight. */
async function besideHanging(server: IsolationServer, measure: () => Promise<Round>): Promise<Round> {
  const receivers = await Promise.all(Array.from({ length: HANGING }, () => startReceiver(hangs)));
  const subscribers: Subscriber[] = [];
  for (const receiver of receivers) subscribers.push(await server.subscribe(receiver));
  for (let event = 0; event < EVENTS_PER_HANGING; event++)
    for (const { key } of subscribers) await createLink(server.isolate, key, LINK);
  const round = await measure();
  for (const { key, path } of subscribers) await callApi(server.isolate, key, "DELETE", path);
  // Ends the deliveries in flight.
  for (const receiver of receivers) await receiver.stop();
  return round;
}

export const isolation: Row<IsolationServer> = {
  name: "isolation",
  title: `to ${HEALTHY} webhooks while ${HANGING} other receivers hang; compared with the p95 latency without these`,
  unit: "deliveries",
  against: "alone",
  latency: "p95",
  goal: 0.67,
  seconds: 5,
  async prepare(server) {
    const healthy: Subscriber[] = [];
    for (let n = 0; n < HEALTHY; n++) healthy.push(await server.subscribe(server.healthy));
    const measure = (seconds: number) => measureDeliveries(server, healthy, seconds);
    return { row: (seconds) => besideHanging(server, () => measure(seconds)), reference: measure };
  },
};
