import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi, createAccount, createLink } from "../../../test/e2e/support/accounts.ts";
import { startReceiver, type Receiver } from "../../../test/e2e/support/receiver.ts";
import { startService, type Service } from "../../../test/e2e/support/service.ts";
import { cpuMicroseconds, findRuntime } from "../load/process.ts";

/** A webhook that is measured, or webhooks of another account beside it. */
export interface Scenario {
  name: string;
  /** Time that the measured receiver takes. */
  responseMs: number;
  clicksPerSecond: number;
  createsPerSecond: number;
  /** Ten webhooks of one other account whose receivers take 4 seconds, at two clicks a second. */
  slowNeighbours: boolean;
}

const SLOW_WEBHOOKS = 10;
const SLOW_RESPONSE_MS = 4_000;
const SLOW_CLICKS_PER_SECOND = 2;
const SECONDS = 30;
/** The slow webhooks get clicks for this time before the measurement. */
const WARM_UP_SECONDS = 5;
/** Events that have not arrived this long after the last click count as missing. */
const PATIENCE_MS = 10_000;
const POLL_MS = 20;
const VARIABLES = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };

const base = { responseMs: 0, clicksPerSecond: 2, createsPerSecond: 1, slowNeighbours: false };
export const SCENARIOS: readonly Scenario[] = [
  { ...base, name: "alone" },
  { ...base, name: "beside-slow", slowNeighbours: true },
  { ...base, name: "300ms-10", responseMs: 300, clicksPerSecond: 10, createsPerSecond: 0 },
  { ...base, name: "300ms-50", responseMs: 300, clicksPerSecond: 50, createsPerSecond: 0 },
  { ...base, name: "800ms-10", responseMs: 800, clicksPerSecond: 10, createsPerSecond: 0 },
];

/** What arrived of one event type. */
interface Measured {
  event: string;
  /** From the change or click to the arrival at the receiver, milliseconds. */
  delays: number[];
  missing: number;
  mostInFlight: number;
  /** CPU time of the runtime for each event that arrived, of all types, with the clicks and changes themselves. */
  cpuMs: number;
}

export async function measureScenario(scenario: Scenario): Promise<Measured[]> {
  const service = await startService(
    { here: "one" },
    { variables: VARIABLES, quickQueues: false, productionTimes: true },
  );
  const receivers: Receiver[] = [];
  try {
    const slow = scenario.slowNeighbours ? await subscribeSlow(service, receivers) : null;
    const measured = await start(receivers, scenario.responseMs);
    const { key, slug } = await subscribe(service, [measured]);
    const stopSlow = repeat(slow === null ? 0 : SLOW_CLICKS_PER_SECOND, () => click(service, slow?.slug ?? ""));
    if (slow !== null) await sleep(WARM_UP_SECONDS * 1_000);
    const cpu = cpuMicroseconds(findRuntime());
    let clicks = 0;
    let creates = 0;
    const stopClicks = repeat(scenario.clicksPerSecond, async () => {
      clicks++;
      await click(service, slug);
    });
    const stopCreates = repeat(scenario.createsPerSecond, async () => {
      creates++;
      await createLink(service.isolates.here, key, { url: "https://example.com/" });
    });
    await sleep(SECONDS * 1_000);
    await Promise.all([stopClicks(), stopCreates()]);
    // The first link was created for the clicks.
    const expected = { "link.click": clicks, "link.create": creates + 1 };
    const deadline = performance.now() + PATIENCE_MS;
    while (measured.arrivals.length < clicks + creates + 1 && performance.now() < deadline) await sleep(POLL_MS);
    await stopSlow();
    const cpuMs = Math.round((cpuMicroseconds(findRuntime()) - cpu) / 100 / measured.arrivals.length) / 10;
    return Object.entries(expected)
      .filter(([event]) => event === "link.click" || scenario.createsPerSecond > 0)
      .map(([event, count]) => {
        const delays = delaysOf(measured, event);
        return { event, delays, missing: count - delays.length, mostInFlight: measured.mostInFlight, cpuMs };
      });
  } finally {
    await service.stop();
    for (const receiver of receivers) await receiver.stop();
  }
}

async function start(receivers: Receiver[], responseMs: number): Promise<Receiver> {
  const respond = (response: ServerResponse) => void setTimeout(() => response.end("ok"), responseMs);
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

async function subscribeSlow(service: Service<"here">, receivers: Receiver[]): Promise<{ slug: string }> {
  const slow: Receiver[] = [];
  for (let n = 0; n < SLOW_WEBHOOKS; n++) slow.push(await start(receivers, SLOW_RESPONSE_MS));
  return subscribe(service, slow);
}

/** Creates an account with a webhook for each receiver, and a link. */
async function subscribe(
  service: Service<"here">,
  receivers: readonly Receiver[],
): Promise<{ key: string; slug: string }> {
  const { here } = service.isolates;
  const { key } = await createAccount(service.db);
  for (const { origin } of receivers) {
    const body = { url: `${origin}/in`, events: ["link.click", "link.create"] };
    const answer = await callApi(here, key, "POST", "/api/webhooks", body);
    if (answer.status !== 201) throw new Error(`create a webhook: ${answer.status} ${answer.text}`);
  }
  return { key, slug: (await createLink(here, key, { url: "https://example.com/" })).slug };
}

async function click({ isolates }: Service<"here">, slug: string): Promise<void> {
  await isolates.here.get(`/${slug}`);
}

/** Calls `act` at a constant rate, whatever it takes. The returned function stops and waits for the calls. */
function repeat(perSecond: number, act: () => Promise<void>): () => Promise<unknown> {
  const calls: Promise<void>[] = [];
  const timer = perSecond === 0 ? undefined : setInterval(() => calls.push(act()), 1_000 / perSecond);
  return () => {
    clearInterval(timer);
    return Promise.all(calls);
  };
}

function delaysOf({ arrivals }: Receiver, event: string): number[] {
  const seen = new Set<unknown>();
  return arrivals.flatMap(({ at, headers, body }) => {
    if (headers["x-service-event"] !== event || seen.has(headers["webhook-id"])) return [];
    seen.add(headers["webhook-id"]);
    const { timestamp } = JSON.parse(body) as { timestamp: number };
    return [performance.timeOrigin + at - timestamp];
  });
}
