import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { clickMessages, findSubscribers, type ClickEvent } from "../../../src/platform/outbox/subscribers.ts";
import { toBorderedKey } from "../../../src/platform/lib/tag-key.ts";
import { consumeDeliveries } from "../../../src/webhooks/delivery/consumer.ts";
import { queueClickEvents } from "../../../src/platform/outbox/messages.ts";
import { createAccount, jobContext } from "../../support/api.ts";
import { until } from "../../support/until.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { accountId, advance, countRows, internet, key, service, START, startService } from "../support.ts";
import { DELIVERY_LEASE_MS } from "../../../src/platform/outbox/limits.ts";

beforeEach(startService);

const HOST = "hooks.receiver.dev";
const LINK = newId(START);
const CLICKS = { events: ["link.click"] };

function click(fields: Partial<ClickEvent> = {}): ClickEvent {
  return {
    eventId: newId(Date.now()),
    linkId: LINK,
    tagKeys: [],
    data: { browser: "Firefox ❤" },
    at: Date.now(),
    ...fields,
  };
}

/** Queues clicks like the consumer of clicks. */
async function send(clicks: ClickEvent[]): Promise<void> {
  const { active: subscribers = [] } = (await findSubscribers(env.DB, accountId, "link.click", Date.now())) ?? {};
  await queueClickEvents(
    service.bindings.CLICK_EVENTS as Queue,
    clicks.flatMap((each) => clickMessages(subscribers, each)),
  );
}

const someClicks = (count: number) => Array.from({ length: count }, () => click());

const log = (id: string) => service.listDeliveries(key, id);

async function ids(): Promise<string[]> {
  return (await internet.received()).map(({ headers }) => headers["webhook-id"] ?? "");
}

describe("the recipients of a click", () => {
  it("are the active webhooks of the account that subscribe, read through the index", async () => {
    const { id } = await service.createWebhook(key, { ...CLICKS, linkIds: [LINK], tags: ["Sale"] });
    await service.createWebhook(key, { events: ["link.create"] });
    await service.createWebhook((await createAccount()).key, CLICKS);
    const cost = await measureD1(async () => {
      const { active: subscribers = [] } = (await findSubscribers(env.DB, accountId, "link.click", Date.now())) ?? {};
      expect(subscribers).toEqual([{ webhookId: id, linkIds: [LINK], tagKeys: [toBorderedKey("sale")] }]);
      expect(clickMessages(subscribers, click())).toHaveLength(1);
      expect(clickMessages(subscribers, click({ linkId: newId(START) }))).toEqual([]);
      expect(
        clickMessages(subscribers, click({ linkId: newId(START), tagKeys: [toBorderedKey("SALE")] })),
      ).toHaveLength(1);
    });
    expect([cost.roundTrips, cost.rowsRead]).toEqual([1, 4]);
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "inactive" } });
    expect((await findSubscribers(env.DB, accountId, "link.click", Date.now()))?.active ?? []).toEqual([]);
  });
});

describe("a click that is delivered", () => {
  it("arrives like every event and leaves no row in the tables of events", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    const made = click();
    await send([made]);
    advance(7);
    await service.deliver();
    const [got] = await internet.received();
    expect(JSON.parse(got?.body ?? "")).toEqual({ event: "link.click", timestamp: START, data: made.data });
    expect(got?.headers).toMatchObject({ "webhook-id": made.eventId, "x-service-event": "link.click" });
    expect([await countRows("event_bodies"), await countRows("deliveries"), await countRows("waiting_clicks")]).toEqual(
      [0, 0, 0],
    );
    expect(await log(id)).toEqual([
      {
        id: made.eventId,
        event: "link.click",
        status: "delivered",
        attempts: [{ at: START + 7, status: 200, statusText: null, durationMs: 0 }],
        nextAttemptAt: null,
        createdAt: START,
      },
    ]);
    expect(await service.getWebhook(key, id)).toMatchObject({ lastTriggeredAt: START + 7, failureCount: 0 });
  });

  it("adds only a few rows to the database and keeps the newest 100 clicks in the log", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    const clicks: ClickEvent[] = [];
    for (let n = 0; n < 150; n++) {
      clicks.push(click());
      advance(1);
    }
    await send(clicks);
    const cost = await measureD1(() => service.deliver());
    expect(await ids()).toHaveLength(150);
    const rows = await Promise.all(["event_bodies", "deliveries", "waiting_clicks", "click_deliveries"].map(countRows));
    expect(rows).toEqual([0, 0, 0, 1]);
    expect((await log(id)).map((delivery) => delivery.id)).toEqual(
      clicks
        .slice(50)
        .map(({ eventId }) => eventId)
        .toReversed(),
    );
    // A batch of five clicks writes its row twice, and the log.
    expect(cost.rowsWritten / 150).toBeLessThanOrEqual(1);
  });
});

describe("a click that is not delivered at once", () => {
  it("becomes a stored delivery with the retry schedule, and is in the log once delivered", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { id } = await service.createWebhook(key, CLICKS);
    await internet.answers({ [HOST]: [{ status: 500 }, { status: 500 }, { status: 200 }] });
    const made = click();
    await send([made]);
    await service.deliver();
    expect(await log(id)).toMatchObject([{ id: made.eventId, status: "pending", nextAttemptAt: START + 5_000 }]);
    expect((await service.getWebhook(key, id)).failureCount).toBe(1);
    for (const step of [5_000, 30_000]) {
      advance(step);
      await service.deliver();
    }
    const got = await internet.received();
    expect(new Set(got.map(({ headers, body }) => headers["webhook-id"] + body)).size).toBe(1);
    expect(await log(id)).toMatchObject([
      { status: "delivered", attempts: [{ status: 200 }, { status: 500 }, { status: 500 }] },
    ]);
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 0]);
    expect((await service.getWebhook(key, id)).failureCount).toBe(0);
  });

  it("causes five failures in a burst and is not lost", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    await internet.answers({ [HOST]: { status: 500 } });
    const clicks = someClicks(60);
    await send(clicks);
    await service.deliver();
    expect(await ids()).toHaveLength(5);
    expect((await service.getWebhook(key, id)).failureCount).toBe(5);
    expect(await countRows("deliveries")).toBe(60);
    await internet.answers({ [HOST]: { status: 200 } });
    advance(6_000);
    await service.deliver();
    for (let n = 0; n < 3; n++) {
      advance(60_000);
      await service.cron();
      await service.deliver();
    }
    expect(new Set(await ids())).toEqual(new Set(clicks.map(({ eventId }) => eventId)));
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 0]);
  });

  it("is stored for each webhook that failed and deleted with the last delivery", async () => {
    await service.createWebhook(key, { ...CLICKS, url: "https://a.receiver.dev/" });
    await service.createWebhook(key, { ...CLICKS, url: "https://b.receiver.dev/" });
    await internet.answers({
      "a.receiver.dev": [{ status: 500 }, {}],
      "b.receiver.dev": [{ status: 500 }, { status: 500 }, {}],
    });
    await send([click()]);
    await service.deliver();
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 2]);
    advance(6_000);
    await service.deliver();
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 1]);
    advance(34_000);
    await service.deliver();
    expect([await countRows("event_bodies"), await countRows("deliveries")]).toEqual([0, 0]);
  });

  it("counts one failure when its message is delivered twice", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    await internet.answers({ [HOST]: { status: 500 } });
    await send([click()]);
    const [message] = service.messages;
    for (let n = 0; n < 2; n++) await service.consume([message as NonNullable<typeof message>]);
    expect((await service.getWebhook(key, id)).failureCount).toBe(1);
    expect(await countRows("deliveries")).toBe(1);
  });

  it("is kept for a webhook that was disabled after the click, and dropped for one that was disabled before", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    const before = click();
    advance(10);
    await send([before, click({ at: Date.now() + 5 })]);
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "inactive" } });
    await service.deliver();
    expect((await log(id)).map((delivery) => delivery.id)).toEqual([before.eventId]);
    expect(await ids()).toEqual([]);
  });

  it("is dropped if the webhook was deleted", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    await send([click()]);
    await service.call("DELETE", `/api/webhooks/${id}`, { key });
    await service.deliver();
    expect([await ids(), await countRows("event_bodies"), await countRows("deliveries"), service.messages]).toEqual([
      [],
      0,
      0,
      [],
    ]);
  });

  it("is requeued when the database fails", async () => {
    await service.createWebhook(key, CLICKS);
    await send([click()]);
    const [message] = service.messages.splice(0);
    const fail = () => {
      throw new Error("D1_ERROR: broken");
    };
    const broken = new Proxy(env.DB, { get: () => fail });
    await service.consume([message as NonNullable<typeof message>], { DB: broken });
    expect(service.messages).toMatchObject([{ body: message?.body, attempts: 2 }]);
  });

  it("is in its row until its result is recorded, and is sent again if the sender crashed", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    const made = click();
    await send([made]);
    const [message] = service.messages.splice(0);
    // The first batch stores the click. The second one, which records the result, never comes.
    const batch = vi
      .fn((statements: D1PreparedStatement[]) => env.DB.batch(statements))
      .mockImplementation(() => never);
    batch.mockImplementationOnce((statements) => env.DB.batch(statements));
    const DB = {
      prepare: (sql: string) => env.DB.prepare(sql),
      withSession: () => env.DB.withSession(),
      batch,
    } as unknown as D1Database;
    await consumeDeliveries([{ ...message, retry: () => undefined } as never], {
      ...jobContext(START, { ...service.bindings, DB }),
      waitUntil: () => undefined,
    });
    await until(() => batch.mock.calls.length === 2);
    expect(
      await env.DB.prepare("SELECT webhook_id, clicks ->> '$[0].id' AS click FROM waiting_clicks").first(),
    ).toEqual({
      webhook_id: id,
      click: made.eventId,
    });
    await service.cron();
    expect(service.messages.map(({ at }) => at)).toEqual([START + DELIVERY_LEASE_MS]);
    advance(DELIVERY_LEASE_MS);
    await service.deliver();
    expect(await ids()).toEqual([made.eventId, made.eventId]);
    expect(await log(id)).toMatchObject([{ id: made.eventId, status: "delivered" }]);
    expect(await countRows("waiting_clicks")).toBe(0);
  });
});

const never = new Promise<never>(() => undefined);
