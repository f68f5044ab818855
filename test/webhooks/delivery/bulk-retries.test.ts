import { beforeEach, expect, it } from "vitest";
import { jsonOf } from "../../support/api.ts";
import { advance, internet, key, service, START, startWithoutJitter } from "../support.ts";

beforeEach(startWithoutJitter);

const HOST = "hooks.receiver.dev";
const HOUR = 3_600_000;

const log = (id: string) => service.listDeliveries(key, id);
const fails = (status = 500) => internet.answers({ [HOST]: { status } });
const works = () => internet.answers({ [HOST]: { status: 200 } });

it("a bulk retry and a reactivation send what waits for its next attempt, and no pings", async () => {
  const id = await service.createWebhookWithEvents(key, 12);
  await fails();
  await service.deliver();
  await service.call("POST", `/api/webhooks/${id}`, { key });
  const patch = (status: string) => service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status } });
  const statuses = async () => new Set((await log(id)).map(({ status, event }) => `${event} ${status}`));
  expect(await statuses()).toEqual(new Set(["link.create pending", "webhook.test failed"]));
  // Without their next attempts, which are still to come.
  service.messages = [];
  await works();
  const retried = await service.call("POST", `/api/webhooks/${id}/deliveries/retry`, {
    key,
    body: { since: START + 2 },
  });
  expect(await jsonOf(retried)).toEqual({ retried: 10 });
  await service.deliver();
  expect((await log(id)).filter(({ status }) => status === "pending").map(({ createdAt }) => createdAt)).toEqual([
    START + 1,
    START,
  ]);
  service.messages = [];
  await patch("inactive");
  await patch("active");
  await service.deliver();
  expect(await statuses()).toEqual(new Set(["link.create delivered", "webhook.test failed"]));
});

it("a bulk retry sends the deliveries that failed since a time", async () => {
  const id = await service.createWebhookWithEvents(key, 4);
  await fails(410);
  await service.deliver();
  advance(72 * HOUR);
  await service.cron();
  const retry = (since: number) =>
    service.call("POST", `/api/webhooks/${id}/deliveries/retry`, { key, body: { since } });
  expect((await retry(START)).status).toBe(409);
  await works();
  await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "active" } });
  expect(await jsonOf(await retry(START + 2))).toEqual({ retried: 2 });
  await service.deliver();
  expect((await log(id)).map(({ status }) => status)).toEqual(["delivered", "delivered", "failed", "failed"]);
});
