import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Delivery } from "../../../src/webhooks/delivery-contract.ts";
import { advance, internet, key, service, START, startWithoutJitter } from "../support.ts";

beforeEach(startWithoutJitter);

const HOST = "hooks.receiver.dev";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR];

const log = (id: string) => service.listDeliveries(key, id);

async function attempts(): Promise<number> {
  return (await internet.received()).length;
}

/** Advances the clock to the next message and delivers it. */
async function nextWakeUp(): Promise<void> {
  const next = Math.min(...service.messages.map(({ at }) => at));
  vi.setSystemTime(Math.max(Date.now(), next));
  await service.deliver();
}

const fails = (status = 500, headers: Record<string, string> = {}) => internet.answers({ [HOST]: { status, headers } });
const works = () => internet.answers({ [HOST]: { status: 200 } });

describe("a delivery that fails", () => {
  it("is retried after each step with the same bytes and then given up", async () => {
    const { id } = await service.createWebhook(key);
    await fails();
    await service.createLink(key);
    await service.deliver();
    const delivery = async () => (await log(id)).find(({ event }) => event === "link.create") as Delivery;
    while ((await delivery()).status === "pending") {
      // A successful ping keeps the circuit closed.
      await works();
      await service.call("POST", `/api/webhooks/${id}`, { key });
      await service.deliver();
      await fails();
      await nextWakeUp();
    }
    const times = (await delivery()).attempts.map(({ at }) => at).toReversed();
    expect(times.slice(1).map((time, n) => time - (times[n] ?? 0))).toEqual(STEPS);
    const bodies = (await internet.received()).filter(({ headers }) => headers["x-service-event"] === "link.create");
    expect(bodies).toHaveLength(8);
    expect(new Set(bodies.map(({ body, headers }) => headers["webhook-id"] + body)).size).toBe(1);
    expect(new Set(bodies.map(({ headers }) => headers["x-service-signature"])).size).toBe(8);
    expect(await delivery()).toMatchObject({ status: "failed", nextAttemptAt: null });
  });

  it("is retried with a jitter of up to a tenth of the step", async () => {
    vi.mocked(Math.random).mockReturnValue(0.999999);
    const { id } = await service.createWebhook(key);
    await fails();
    await service.createLink(key);
    await service.deliver();
    expect((await log(id))[0]?.nextAttemptAt).toBe(START + 5_500);
  });

  it.each([
    ["60", 60 * SECOND],
    ["1", 5 * SECOND],
    [String(30 * 24 * 3_600), 24 * HOUR],
    ["99999999999", 24 * HOUR],
    [new Date(START + 90 * SECOND).toUTCString(), 90 * SECOND],
    [new Date(START - 90 * SECOND).toUTCString(), 5 * SECOND],
    ["soon", 5 * SECOND],
    ["-5", 5 * SECOND],
  ])("honours Retry-After: %s between its step and a day", async (value, ms) => {
    const { id } = await service.createWebhook(key);
    await fails(503, { "Retry-After": value });
    await service.createLink(key);
    await service.deliver();
    expect((await log(id))[0]?.nextAttemptAt).toBe(START + ms);
  });

  it("is found by the cron if its wake-up is lost", async () => {
    const { id } = await service.createWebhook(key);
    await fails();
    service.losesMessages = true;
    await service.createLink(key);
    service.losesMessages = false;
    for (const [n, step] of [0, ...STEPS.slice(0, 3)].entries()) {
      advance(step);
      await service.cron();
      service.losesMessages = true;
      await service.deliver();
      service.losesMessages = false;
      expect((await log(id))[0]?.attempts).toHaveLength(n + 1);
    }
  });

  it("is woken up by the next cron if the queue did not accept the wake-up of this one", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await service.createWebhook(key);
    const working = service.bindings.DELIVERIES as Queue;
    service.bindings.DELIVERIES = { sendBatch: () => Promise.reject(new Error("down")) } as unknown as Queue;
    await service.createLink(key);
    await service.cron();
    service.bindings.DELIVERIES = working;
    advance(MINUTE);
    await service.cron();
    await service.deliver();
    expect(await attempts()).toBe(1);
  });

  it("gets a wake-up from the cron for the time of its next attempt, if that is before the next run", async () => {
    await service.createWebhook(key);
    await fails();
    await service.createLink(key);
    await service.deliver();
    for (const [step, wakesUp] of [
      [5 * SECOND, true],
      [30 * SECOND, true],
      [2 * MINUTE, false],
    ] as const) {
      service.messages = [];
      await service.cron();
      expect(service.messages.map(({ at }) => at)).toEqual(wakesUp ? [Date.now() + step] : []);
      advance(step);
      await service.cron();
      await service.deliver();
    }
    expect(await attempts()).toBe(4);
  });
});

describe("a receiver that always fails", () => {
  it("gets five attempts, then one per step, until it is disabled at 20", async () => {
    const id = await service.createWebhookWithEvents(key, 40);
    await fails();
    await service.deliver();
    expect(await attempts()).toBe(5);
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 5, status: "active" });
    const delays: number[] = [];
    for (let last = Date.now(); service.messages.length > 0;) {
      const before = await attempts();
      await nextWakeUp();
      const made = (await attempts()) - before;
      expect(made).toBeLessThanOrEqual(1);
      if (made === 1) {
        delays.push(Date.now() - last);
        last = Date.now();
      }
    }
    expect(delays.slice(0, 7)).toEqual(STEPS);
    expect(delays.slice(7)).toEqual(Array.from({ length: 8 }, () => 8 * HOUR));
    expect(await service.getWebhook(key, id)).toMatchObject({
      failureCount: 20,
      status: "inactive",
      disabledReason: "failures",
      disabledAt: Date.now(),
    });
    expect(await attempts()).toBe(20);
    advance(HOUR);
    await service.cron();
    await service.deliver();
    expect(await attempts()).toBe(20);
  });

  it("gets all deliveries once it recovers", async () => {
    const id = await service.createWebhookWithEvents(key, 12);
    await fails();
    await service.deliver();
    await works();
    while (service.messages.length > 0) await nextWakeUp();
    expect((await log(id)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => "delivered"));
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 0, status: "active" });
  });

  it("is disabled at the operator's number of failures", async () => {
    service.bindings.WEBHOOK_MAX_FAILURES = "2";
    const id = await service.createWebhookWithEvents(key, 5);
    await fails();
    await service.deliver();
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 2, status: "inactive" });
  });

  it("is disabled at once by a 410 response", async () => {
    const id = await service.createWebhookWithEvents(key, 3);
    await fails(410);
    await service.deliver();
    expect(await service.getWebhook(key, id)).toMatchObject({
      status: "inactive",
      disabledReason: "gone",
      failureCount: 1,
    });
    expect(await attempts()).toBe(1);
  });

  it.each([
    [72 * HOUR - 1, "delivered"],
    [72 * HOUR, "failed"],
  ])("and is reactivated after %i ms: held deliveries are then %s", async (ms, status) => {
    const id = await service.createWebhookWithEvents(key, 3);
    await fails(410);
    await service.deliver();
    // An inactive webhook gets no new deliveries.
    await service.createLink(key);
    advance(ms);
    if (status === "failed") await service.cron();
    await works();
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "active" } });
    await service.deliver();
    await service.cron();
    await service.deliver();
    expect((await log(id)).map((delivery) => delivery.status)).toEqual([status, status, status]);
    expect((await service.getWebhook(key, id)).failureCount).toBe(0);
  });

  it("gets no deliveries that were held for more than 3 days, even if the cron is late", async () => {
    const id = await service.createWebhookWithEvents(key, 2);
    await fails(410);
    await service.deliver();
    advance(72 * HOUR);
    await works();
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "active" } });
    await service.deliver();
    expect(new Set((await log(id)).map(({ status }) => status))).toEqual(new Set(["failed"]));
  });
});
