import { afterAll, beforeAll, expect, it } from "vitest";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { answers, hangs, sends, startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "../support/until.ts";
import { startService, type Service } from "./support/service.ts";

const HEALTHY = 46;
const HANGING = 10;
/** Links that each customer creates. Each causes two events: its creation and a click. */
const LINKS = 3;
const FAILURES_TO_OPEN = 5;
const FIRST_BACKOFF_MS = 5_000;

interface Customer {
  key: string;
  webhookId: string;
  receiver: Receiver;
}

let service: Service<"here">;
let canary: Receiver;
const receivers: Receiver[] = [];
const healthy: Customer[] = [];
const hanging: Customer[] = [];
let failing: Customer;
let redirecting: Customer;
let flooding: Customer;
/** The attempts that hung when the first event of each type arrived at the healthy receiver. */
const hangingAtFirst = new Map<unknown, number>();

beforeAll(async () => {
  const variables = { BASE_URL: "http://localhost:8787", WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  service = await startService({ here: "one" }, { variables, productionTimes: true });
  canary = await start();
  const receiver = await start((response, { headers }) => {
    const type = headers["x-service-event"];
    const hangs = hanging.reduce((sum, customer) => sum + customer.receiver.inFlight, 0);
    hangingAtFirst.set(type, hangingAtFirst.get(type) ?? hangs);
    response.end("ok");
  });
  for (let n = 0; n < HEALTHY; n++) healthy.push(await makeCustomer(receiver));
  for (let n = 0; n < HANGING; n++) hanging.push(await makeCustomer(await start(hangs)));
  failing = await makeCustomer(await start(answers(500)));
  redirecting = await makeCustomer(await start(answers(307, { Location: `${canary.origin}/canary` })));
  flooding = await makeCustomer(await start(sends(200 * 1_024 * 1_024)));
});
afterAll(async () => {
  await service.stop();
  for (const receiver of receivers) await receiver.stop();
});

async function start(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

async function makeCustomer(receiver: Receiver): Promise<Customer> {
  const { key } = await createAccount(service.db);
  const body = { url: `${receiver.origin}/in`, events: ["link.create", "link.click"] };
  const answer = await callApi(service.isolates.here, key, "POST", "/api/webhooks", body);
  expect(answer.status).toBe(201);
  return { key, webhookId: (answer.json() as { webhook: { id: string } }).webhook.id, receiver };
}

/** Emits events of all customers in turn. */
async function emitEvents(customers: Customer[]): Promise<void> {
  for (let n = 0; n < LINKS; n++)
    for (const { key } of customers) {
      const { slug } = await createLink(service.isolates.here, key, { url: "https://example.com/" });
      expect((await service.isolates.here.get(`/${slug}`)).status).toBe(302);
    }
}

async function webhookOf({ key, webhookId }: Customer) {
  const answer = await callApi(service.isolates.here, key, "GET", `/api/webhooks/${webhookId}`);
  return (answer.json() as { webhook: { failureCount: number; lastTriggeredAt: number | null } }).webhook;
}

/** Waits until the circuit is open. At most five attempts were made before, and the next one came after the backoff. */
async function expectOpenCircuit(customer: Customer): Promise<void> {
  await until(async () => (await webhookOf(customer)).failureCount >= FAILURES_TO_OPEN);
  expect((await webhookOf(customer)).lastTriggeredAt).toBeNull();
  const { arrivals, mostInFlight } = customer.receiver;
  expect(mostInFlight).toBe(1);
  const [last, next] = arrivals.slice(FAILURES_TO_OPEN - 1);
  // Clocks of two processes, which round to milliseconds.
  if (last !== undefined && next !== undefined) expect(next.at - last.at).toBeGreaterThan(FIRST_BACKOFF_MS - 100);
}

it("receivers that hang, fail, redirect or flood do not hold up deliveries to others", async () => {
  // The bad receivers come first, so their deliveries are ahead in the queue.
  await emitEvents([...hanging, failing, redirecting, flooding]);
  await until(() => hanging.every(({ receiver }) => receiver.arrivals.length > 0));
  await emitEvents(healthy);
  const expected = HEALTHY * LINKS * 2;
  await until(() => healthy.every(({ receiver }) => receiver.arrivals.length >= expected));
  expect(healthy[0]?.receiver.arrivals).toHaveLength(expected);
  // An attempt hangs for 10 seconds. Deliveries that waited for it would find none in flight.
  expect(hangingAtFirst.get("link.create")).toBeGreaterThan(0);
  expect(hangingAtFirst.get("link.click")).toBeGreaterThan(0);

  for (const customer of [failing, redirecting]) await expectOpenCircuit(customer);
  for (const { receiver } of hanging) expect(receiver.mostInFlight).toBe(1);
  expect(canary.arrivals).toEqual([]);
  // A response of 200 is a success, whatever the size of its body.
  await until(async () => (await webhookOf(flooding)).lastTriggeredAt !== null);
  expect((await webhookOf(flooding)).failureCount).toBe(0);
});
