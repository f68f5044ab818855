import { waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { until } from "../../support/until.ts";
import { advance, countRows, internet, key, service, START, startWithoutJitter } from "../support.ts";
import { arrivals, commit, countSending, create, HOST, receivedIds, statuses, wakeUps } from "./first-attempt.ts";
import { DELIVERY_LEASE_MS as LEASE } from "../../../src/platform/outbox/limits.ts";

beforeEach(startWithoutJitter);

const allowConcurrency = () => env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();

describe("the first attempt of an event with one recipient", () => {
  it("is made by the consumer of its wake-up, which has the lease", async () => {
    const { id } = await service.createWebhook(key);
    await commit();
    const { event_id: eventId, lease } = (await env.DB.prepare("SELECT event_id, lease FROM deliveries").first()) ?? {};
    expect(wakeUps()).toEqual([{ kind: "wake_up", webhookId: id, leased: { eventId, lease } }]);
    expect([await internet.received(), await countSending()]).toEqual([[], 1]);
    await service.deliver();
    const [got, ...more] = await internet.received();
    expect([more, service.messages]).toEqual([[], []]);
    expect(await service.listDeliveries(key, id)).toEqual([
      {
        id: got?.headers["webhook-id"],
        event: "link.create",
        status: "delivered",
        attempts: [{ at: START, status: 200, statusText: null, durationMs: 0 }],
        nextAttemptAt: null,
        createdAt: START,
      },
    ]);
    expect(await service.getWebhook(key, id)).toMatchObject({ lastTriggeredAt: START, failureCount: 0 });
  });

  it("does not hold up the consumer", async () => {
    await service.createWebhook(key);
    await internet.answers({ [HOST]: { hangs: true } });
    await commit();
    const context = await service.begin(service.messages.splice(0));
    expect([await arrivals(1), await countSending()]).toEqual([1, 1]);
    await internet.answers({ [HOST]: {} });
    await waitOnExecutionContext(context);
    expect(await countSending()).toBe(0);
  });

  it("is made again if its message is delivered twice, and recorded once", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: { hangs: true } });
    await commit();
    const [message] = service.messages.splice(0);
    const consumed = [message, message].map((each) => service.consume([each as NonNullable<typeof each>]));
    await arrivals(2);
    await internet.answers({ [HOST]: { status: 500 } });
    await Promise.all(consumed);
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 1 });
    await service.consume([message as NonNullable<typeof message>]);
    expect(await internet.received()).toHaveLength(2);
  });

  it("is shown as pending while it is made, and is not disturbed by a retry", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: { hangs: true } });
    const created = create();
    await arrivals(1);
    const path = `/api/webhooks/${id}/deliveries`;
    const [shown] = await service.listDeliveries(key, id);
    expect(shown).toMatchObject({ status: "pending", attempts: [], nextAttemptAt: null });
    const listed = await service.call("GET", `${path}?status=pending&event=link.create`, { key });
    expect(await listed.json()).toMatchObject({ deliveries: [shown] });
    expect((await service.call("POST", `${path}/${shown?.id}/retry`, { key })).status).toBe(200);
    expect((await service.call("POST", `${path}/retry`, { key, body: { since: 0 } })).status).toBe(200);
    await service.deliver();
    await internet.answers({ [HOST]: {} });
    await created;
    await service.deliver();
    expect([(await receivedIds()).length, await statuses(id)]).toEqual([1, ["delivered"]]);
  });

  it("is followed by the retry schedule if it fails", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: [{ status: 500, body: "no" }, {}] });
    await create();
    expect(await service.listDeliveries(key, id)).toMatchObject([
      { status: "pending", attempts: [{ status: 500 }], nextAttemptAt: START + 5_000 },
    ]);
    expect(service.messages.map(({ at }) => at)).toEqual([START + 5_000]);
    const totals =
      "SELECT kept, bytes - octet_length(body) AS rest FROM delivery_totals JOIN deliveries USING (webhook_id)";
    expect(await env.DB.prepare(totals).first()).toEqual({ kept: 1, rest: 2 });
    advance(5_000);
    await service.deliver();
    expect(await statuses(id)).toEqual(["delivered"]);
    expect(new Set(await receivedIds()).size).toBe(1);
  });

  it("is made once if the response to the commit was lost", async () => {
    const { id } = await service.createWebhook(key);
    expect(await loseFirstResponse("INSERT INTO links", create)).toBe(2);
    expect([(await receivedIds()).length, await statuses(id), service.messages]).toEqual([1, ["delivered"], []]);
  });

  it("is not sent to a private address", async () => {
    const { id } = await service.createWebhook(key);
    await internet.addresses({ [HOST]: ["10.0.0.1"] });
    await create();
    expect(await internet.received()).toEqual([]);
    expect(await service.listDeliveries(key, id)).toMatchObject([
      { status: "pending", attempts: [{ status: 0, statusText: "blocked address" }] },
    ]);
  });

  it("has the same large body as its redelivery", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: [{ status: 500 }, {}] });
    const url = `https://example.com/?${"long-".repeat(1_200)}`;
    await service.call("POST", "/api/links", { key, body: { url } });
    await service.deliver();
    advance(5_000);
    await service.deliver();
    const bodies = (await internet.received()).map(({ body }) => body);
    expect([bodies.length, new Set(bodies).size, await statuses(id)]).toEqual([2, 1, ["delivered"]]);
    const totals =
      "SELECT bytes - octet_length(body) - coalesce(octet_length(response_body), 0) AS rest FROM delivery_totals JOIN deliveries USING (webhook_id)";
    expect(await env.DB.prepare(totals).first("rest")).toBe(0);
  });
});

describe("the connections of a host", () => {
  it("are not exceeded by 40 requests at the same time, and everything is delivered", async () => {
    await service.createWebhook(key);
    await allowConcurrency();
    await internet.answers({ [HOST]: { hangs: true } });
    const created = Array.from({ length: 40 }, create);
    await arrivals(25);
    await until(async () => (await countRows("deliveries")) === 40);
    expect(await countSending()).toBe(25);
    // The senders of the others find no connection.
    await service.deliver();
    expect(await internet.received()).toHaveLength(25);
    await internet.answers({ [HOST]: {} });
    await Promise.all(created);
    await service.deliver();
    const ids = await receivedIds();
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    expect(await env.DB.prepare("SELECT DISTINCT status FROM deliveries").all()).toMatchObject({
      results: [{ status: "delivered" }],
    });
  });

  it("are one for a new webhook, and what waits is sent when the first attempt ends", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: { hangs: true } });
    const first = create();
    await arrivals(1);
    await create();
    await service.deliver();
    expect([await internet.received(), service.messages, await statuses(id)]).toMatchObject([
      [{}],
      [],
      ["pending", "pending"],
    ]);
    await internet.answers({ [HOST]: {} });
    await first;
    expect([(await receivedIds()).length, await statuses(id)]).toEqual([2, ["delivered", "delivered"]]);
  });

  it("go to the webhook whose turn is next when the first attempt ends", async () => {
    const busy = await service.createWebhook(key, { url: `https://${HOST}:2001/`, events: ["link.delete"] });
    await service.createWebhook(key, { url: `https://${HOST}:2002/` });
    await service.createWebhook(key, { url: `https://${HOST}:2003/`, events: ["link.update"] });
    const link = await service.createLink(key);
    await service.deliver();
    await internet.forget();
    await env.DB.prepare("INSERT INTO waiting_clicks VALUES (?1, 'busy', 24, 'lease', ?2, '[]')")
      .bind(busy.id, START + LEASE)
      .run();
    await internet.answers({ [`${HOST}:2002`]: { hangs: true } });
    const first = create();
    await arrivals(1);
    await create();
    await service.call("PATCH", `/api/links/${link.id}`, { key, body: { title: "x" } });
    await service.deliver();
    expect(await internet.received()).toHaveLength(1);
    await internet.answers({ [`${HOST}:2002`]: {} });
    await first;
    const ports = (await internet.received()).map(({ url }) => Number(new URL(url).port));
    expect(ports).toEqual([2_002, 2_003, 2_002]);
  });
});
