import { afterAll, beforeAll, expect, it } from "vitest";
import { callApi, createAccount } from "./support/accounts.ts";
import { answers, hangs, sends, startReceiver, until, type Receiver } from "./support/receiver.ts";
import { startService, type Service } from "./support/service.ts";

const GOOD = 46;
const EVENTS = 5;

interface Customer {
  key: string;
  webhookId: string;
  receiver: Receiver;
  path: string;
}

let service: Service<"here">;
let canary: Receiver;
const receivers: Receiver[] = [];
let good: Customer[];
let bad: Record<"hanging" | "failing" | "redirecting" | "flooding", Customer>;

beforeAll(async () => {
  canary = await startReceiver();
  const variables = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  service = await startService({ here: "one" }, { variables });
  const start = async (...args: Parameters<typeof startReceiver>) => {
    const receiver = await startReceiver(...args);
    receivers.push(receiver);
    return receiver;
  };
  const ok = await start();
  good = [];
  for (let n = 0; n < GOOD; n++) good.push(await makeCustomer(ok, `/good/${n}`));
  bad = {
    hanging: await makeCustomer(await start(hangs)),
    failing: await makeCustomer(await start(answers(500))),
    redirecting: await makeCustomer(await start(answers(307, { Location: `${canary.origin}/canary` }))),
    flooding: await makeCustomer(await start(sends(200 * 1_024 * 1_024))),
  };
});
afterAll(async () => {
  await service.stop();
  for (const receiver of [canary, ...receivers]) await receiver.stop();
});

async function makeCustomer(receiver: Receiver, path = "/in"): Promise<Customer> {
  const { key } = await createAccount(service.db);
  const body = { url: `${receiver.origin}${path}`, events: ["link.create"] };
  const answer = await callApi(service.isolates.here, key, "POST", "/api/webhooks", body);
  expect(answer.status).toBe(201);
  return { key, webhookId: (answer.json() as { webhook: { id: string } }).webhook.id, receiver, path };
}

/** Events for all, and how long those of the good ones took from the API's answer to their arrival, in milliseconds. */
async function delays(customers: Customer[]): Promise<number[]> {
  const answered = new Map<string, number>();
  for (const { arrivals } of receivers) arrivals.length = 0;
  for (let n = 0; n < EVENTS; n++) {
    for (const { key } of customers) {
      const body = { url: "https://example.com/" };
      const answer = await callApi(service.isolates.here, key, "POST", "/api/links", body);
      expect(answer.status).toBe(201);
      answered.set((answer.json() as { link: { id: string } }).link.id, performance.now());
    }
  }
  const arrived = () => receivers[0]?.arrivals ?? [];
  await until(() => arrived().length >= GOOD * EVENTS);
  expect(arrived()).toHaveLength(GOOD * EVENTS);
  return arrived().map(
    ({ at, body }) => at - (answered.get((JSON.parse(body) as { data: { id: string } }).data.id) ?? 0),
  );
}

function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] as number;
}

async function webhook({ key, webhookId }: Customer) {
  const answer = await callApi(service.isolates.here, key, "GET", `/api/webhooks/${webhookId}`);
  return (answer.json() as { webhook: { failureCount: number; lastTriggeredAt: number | null } }).webhook;
}

it("receivers that hang, fail, redirect or flood delay nobody else", async () => {
  await delays(good);
  const alone = p95(await delays(good));
  // The bad ones first, so that their deliveries are in everybody's way.
  const together = p95(await delays([...Object.values(bad), ...good]));
  // What is faster than this is noise, not a delay.
  expect(together).toBeLessThanOrEqual(Math.max(alone * 1.5, 100));

  // A receiver that fails gets five at most before it is waited for.
  expect(bad.failing.receiver.arrivals).toHaveLength(5);
  expect(await webhook(bad.failing)).toMatchObject({ failureCount: 5, lastTriggeredAt: null });
  expect(await webhook(bad.redirecting)).toMatchObject({ failureCount: 5, lastTriggeredAt: null });
  expect(canary.arrivals).toEqual([]);
  // So does one that hangs, and each of them is on its way no longer than ten seconds.
  await until(async () => (await webhook(bad.hanging)).failureCount === 5);
  expect(bad.hanging.receiver.arrivals).toHaveLength(5);
  // The head of a success is a success, however much comes after it.
  expect(await webhook(bad.flooding)).toMatchObject({ failureCount: 0, lastTriggeredAt: expect.any(Number) });
});
