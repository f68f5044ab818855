import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/lib/uuid.ts";
import { dispatchDueWebhooks } from "../../src/webhooks/delivery/dispatch-due.ts";
import { deleteOldDeliveries } from "../../src/webhooks/store/deliveries.ts";
import { jobContext } from "../support/api.ts";
import { measureD1, type Measured } from "../support/d1-meter.ts";
import { advance, countRows, internet, key, service, START, startService } from "./support.ts";

beforeEach(startService);

const DAY = 86_400_000;
const rows = ({ roundTrips, rowsRead, rowsWritten }: Measured) => ({ roundTrips, rowsRead, rowsWritten });

const measuredRun = new AsyncLocalStorage<true>();

/** Measures what `run` does in this isolate, without what a test before it may have left running. */
function measure(run: () => Promise<unknown>): Promise<Measured> {
  return measureD1(
    () => measuredRun.run(true, run),
    () => measuredRun.getStore() === true,
  );
}

/** Inserts deliveries of one webhook, each with an event of this time. */
async function insertDeliveries(webhookId: string, count: number, time: number, status: "pending" | "delivered") {
  const ids = Array.from({ length: count }, () => newId(time));
  await env.DB.prepare(
    `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
     SELECT ?2, value, 'link.create', ?3, iif(?3 = 'pending', ?4, NULL), ?4, '{}' FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), webhookId, status, time)
    .run();
}

describe("cost in the database", () => {
  it("an event and its first attempt write five rows, and send one message, once the webhook is healthy", async () => {
    const create = () => service.call("POST", "/api/links", { key, body: { url: "https://example.com/" } });
    await create();
    const alone = await measure(create);
    await service.createWebhook(key);
    for (let n = 0; n < 25; n++) await create().then(() => service.deliver());
    const stored = await measure(create);
    expect(service.messages).toHaveLength(1);
    const delivered = await measure(() => service.deliver());
    expect(await internet.received()).toHaveLength(26);
    expect(stored.rowsWritten - alone.rowsWritten + delivered.rowsWritten).toBe(5);
    // The consumer reads the delivery and whether the host is a custom domain, and records the result.
    expect([stored.roundTrips - alone.roundTrips, delivered.roundTrips]).toEqual([0, 3]);
    expect(service.messages).toEqual([]);
  });

  it("an event and its delivery cost the same with 100 and with 3,000 deliveries", async () => {
    const { id } = await service.createWebhook(key);
    await service.createLink(key);
    await service.deliver();
    const costs = [];
    for (const deliveries of [100, 3_000]) {
      await insertDeliveries(id, deliveries, START - DAY, "delivered");
      // With two events in the same millisecond, a range scan would read one row more.
      advance(1);
      const created = await measure(() =>
        service.createLink(key, { slug: `cost-${deliveries}`, externalId: `e-${deliveries}`, tags: ["a", "b"] }),
      );
      const delivered = await measure(() => service.deliver());
      costs.push([rows(created), rows(delivered)]);
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toEqual([
      // With the two statements that keep the delivery from being leased.
      { roundTrips: 2 + 2, rowsRead: 29 + 2, rowsWritten: 12 + 2 },
      { roundTrips: 3, rowsRead: 86, rowsWritten: 6 },
    ]);
  });

  it("an event reads each webhook at the host of its recipient once, and each attempt in flight once", async () => {
    const create = () => service.call("POST", "/api/links", { key, body: { url: "https://example.com/" } });
    const insertSending = (webhookId: string, count: number) =>
      env.DB.prepare(
        `INSERT INTO deliveries (webhook_id, event_id, type, status, sending_until, lease, created_at, body)
         SELECT ?1, printf('%s-%d', ?1, value), 'link.create', 'sending', ?2, 'lease', 0, '{}' FROM json_each(?3)`,
      )
        .bind(webhookId, START + 30_000, JSON.stringify([...Array(count).keys()]))
        .run();
    await service.createWebhook(key);
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
    await create();
    const one = await measure(create);
    const others = [];
    for (let n = 1; n < 10; n++) others.push(await service.createWebhook(key, { events: ["link.delete"] }));
    const ten = await measure(create);
    for (const { id } of others) await insertSending(id, 2);
    const busy = await measure(create);
    // Nine webhooks and 18 attempts more.
    expect(ten.rowsRead - one.rowsRead).toBeLessThanOrEqual(9 * 9);
    expect(busy.rowsRead - ten.rowsRead).toBeLessThanOrEqual(18 * 2);
  });

  it("a delivery out of many that are due costs less, and its sender wakes up only one other", async () => {
    const { id } = await service.createWebhook(key);
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
    await insertDeliveries(id, 200, START, "pending");
    const cost = await measure(() => service.consume([{ body: { kind: "wake_up", webhookId: id }, attempts: 1 }]));
    expect(await internet.received()).toHaveLength(200);
    expect([cost.rowsRead / 200, cost.rowsWritten / 200].map(Math.ceil)).toEqual([20, 6]);
    expect(service.messages).toHaveLength(1);
  });

  it("the cron reads a few rows per webhook with pending deliveries, whatever their number", async () => {
    const waiting = await service.createWebhook(key);
    const other = await service.createWebhook(key);
    await insertDeliveries(other.id, 1, START, "pending");
    await env.DB.prepare("UPDATE webhooks SET resume_at = ?1")
      .bind(START + DAY)
      .run();
    const costs = [];
    for (const deliveries of [10, 3_000]) {
      await insertDeliveries(waiting.id, deliveries, START, "pending");
      const cron = () => dispatchDueWebhooks(jobContext(START, service.bindings));
      costs.push(rows(await measure(cron)));
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]?.rowsRead).toBeLessThanOrEqual(20);
    expect(service.messages).toEqual([]);
  });

  it("retention costs in proportion to the deleted events", async () => {
    const { id } = await service.createWebhook(key);
    await insertDeliveries(id, 3_000, START, "delivered");
    await insertDeliveries(id, 5, START - 30 * DAY - 1, "delivered");
    const cost = await measure(async () => expect(await deleteOldDeliveries(jobContext(START))).toBe(5));
    expect(cost.rowsRead).toBeLessThanOrEqual(100);
    expect(await countRows("deliveries")).toBe(3_000);
  });
});

describe("the cron", () => {
  it("keeps deliveries for 30 days, and the bodies of events with several recipients", async () => {
    await service.createWebhook(key, { events: ["link.create", "link.update"] });
    await service.createWebhook(key);
    const { id } = await service.createLink(key);
    await service.call("PATCH", `/api/links/${id}`, { key, body: { title: "x" } });
    await service.deliver();
    advance(30 * DAY);
    await service.cron();
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([1, 3]);
    advance(1);
    await service.cron();
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 0]);
  });

  it("gives up the pending deliveries of a deleted webhook, also when they need several statements", async () => {
    const { id } = await service.createWebhook(key);
    await insertDeliveries(id, 1_200, START, "pending");
    await service.call("DELETE", `/api/webhooks/${id}`, { key });
    await service.cron();
    const pending = await env.DB.prepare("SELECT count(*) AS n FROM deliveries WHERE due_at IS NOT NULL").first("n");
    expect([pending, service.messages, await internet.received()]).toEqual([0, [], []]);
  });

  it("wakes up every webhook with due deliveries, also when they fill several pages", async () => {
    const { id } = await service.createWebhook(key);
    const ids = Array.from({ length: 230 }, () => newId(START + 5)).sort();
    await env.DB.prepare(
      `INSERT INTO webhooks (id, account_id, url, host, events, secret, secret_start, status, created_at)
       SELECT j.value, w.account_id, url, host, events, secret, secret_start, status, created_at FROM webhooks w, json_each(?2) j WHERE w.id = ?1`,
    )
      .bind(id, JSON.stringify(ids))
      .run();
    await env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at)
       SELECT value, ?2, 'link.create', 'pending', ?3, ?3 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(ids), newId(START), START)
      .run();
    await service.cron();
    expect(service.messages.map(({ body }) => body.webhookId)).toEqual(ids);
  });
});
