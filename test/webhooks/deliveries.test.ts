import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/lib/uuid.ts";
import type { EventType } from "../../src/platform/outbox/event-types.ts";
import type { Delivery, DeliveryWithBodies } from "../../src/webhooks/delivery-contract.ts";
import { DELIVERY_STATUSES } from "../../src/webhooks/delivery-contract.ts";
import { jsonOf, type ErrorJson } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { advance, internet, key, service, START, startWithoutJitter } from "./support.ts";
import { MAX_KEPT_RESPONSE_BYTES } from "../../src/webhooks/limits.ts";

beforeEach(startWithoutJitter);

const HOST = "hooks.receiver.dev";
const DAY = 86_400_000;

interface Page {
  deliveries: Delivery[];
  nextCursor: string | null;
}

const call = (path: string) => service.call("GET", `/api/webhooks/${path}`, { key });
const list = async (id: string, query = "") => jsonOf<Page>(await call(`${id}/deliveries${query}`));

async function get(id: string, deliveryId: string): Promise<DeliveryWithBodies> {
  const response = await call(`${id}/deliveries/${deliveryId}`);
  expect(response.status).toBe(200);
  return (await jsonOf<{ delivery: DeliveryWithBodies }>(response)).delivery;
}

interface Stored {
  id: string;
  type: EventType;
  status: Delivery["status"];
  at: number;
}

async function insert(webhookId: string, deliveries: readonly Stored[]): Promise<void> {
  const json = JSON.stringify(deliveries);
  await env.DB.prepare(
    `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
     SELECT ?2, value ->> 'id', value ->> 'type', value ->> 'status', iif(value ->> 'status' = 'pending', ?3, NULL),
       value ->> 'at', '{}' FROM json_each(?1)`,
  )
    .bind(json, webhookId, START + DAY)
    .run();
}

const TYPES = ["link.click", "link.create", "link.delete"] as const;

describe("the filters of the delivery log", () => {
  it("are equal to a model, alone and together, on every page", async () => {
    const { id } = await service.createWebhook(key);
    const deliveries = Array.from({ length: 84 }, (_, n): Stored => {
      const at = START - DAY + n * 1_000;
      const status = DELIVERY_STATUSES[(n * 7) % 4] ?? "pending";
      return { id: newId(at), type: TYPES[(n * 5) % 3] ?? "link.click", status, at };
    });
    await insert(id, deliveries);
    // Delivered clicks, which are in another table.
    const clicks = Array.from({ length: 20 }, (_, n): Stored => {
      const at = START - DAY + n * 4_000 + 1;
      return { id: newId(at), type: "link.click", status: "delivered", at };
    });
    const entries = clicks.map(({ id, at }) => ({ id, createdAt: at, attempts: [] }));
    await env.DB.prepare("INSERT INTO click_deliveries VALUES (?1, ?2)").bind(id, JSON.stringify(entries)).run();
    const all = [...deliveries, ...clicks].sort((a, b) => (a.id < b.id ? 1 : -1));
    const periods = [
      { start: undefined, end: undefined },
      { start: START - DAY + 20_000, end: START - DAY + 60_000 },
    ];
    for (const status of [undefined, ...DELIVERY_STATUSES])
      for (const event of [undefined, ...TYPES])
        for (const { start, end } of periods) {
          const expected = all.filter(
            (delivery) =>
              (status ?? delivery.status) === delivery.status &&
              (event ?? delivery.type) === delivery.type &&
              delivery.at >= (start ?? 0) &&
              delivery.at < (end ?? Infinity),
          );
          const filters = new URLSearchParams(
            Object.entries({ status, event, start, end }).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, String(value)]],
            ),
          );
          const found: string[] = [];
          for (let cursor: string | null = ""; cursor !== null;) {
            const page: Page = await list(
              id,
              `?limit=30&${String(filters)}${cursor === "" ? "" : `&cursor=${cursor}`}`,
            );
            found.push(...page.deliveries.map((delivery) => delivery.id));
            cursor = page.nextCursor;
          }
          expect([String(filters), found]).toEqual([String(filters), expected.map((delivery) => delivery.id)]);
        }
    const second = await list(id, `?limit=10&page=2&event=link.click&start=${START - DAY}`);
    const clicked = all.filter(({ type }) => type === "link.click").map((delivery) => delivery.id);
    expect(second.deliveries.map((delivery) => delivery.id)).toEqual(clicked.slice(10, 20));
  });

  it("accept days, and refuse an empty period, other values and other names", async () => {
    const { id } = await service.createWebhook(key);
    const at = Date.parse("2027-01-10T23:59:59.999Z");
    await insert(id, [{ id: newId(at), type: "link.create", status: "failed", at }]);
    expect((await list(id, "?start=2027-01-10&end=2027-01-10")).deliveries).toHaveLength(1);
    expect((await list(id, "?end=2027-01-09")).deliveries).toHaveLength(0);
    const faults: [query: string, fault: object][] = [
      ["start=5&end=5", { path: "end", code: "not_after", field: "start" }],
      ["status=open", { path: "status", code: "not_one_of", allowed: ["pending", "delivered", "failed", "dropped"] }],
      ["event=link", { path: "event", code: "not_one_of" }],
      ["start=yesterday", { path: "start", code: "not_a_time" }],
      ["since=0", { path: "since", code: "unknown_field" }],
    ];
    for (const [query, fault] of faults) {
      const response = await call(`${id}/deliveries?${query}`);
      expect([response.status, (await jsonOf<ErrorJson>(response)).details]).toMatchObject([400, [fault]]);
    }
  });

  it("read rows in proportion to the page, whatever the log has", async () => {
    const { id } = await service.createWebhook(key);
    const costs = [];
    const queries = ["", "status=failed", "event=link.delete", "event=link.create", "event=link.create&status=failed"];
    queries.push(`event=link.create&status=dropped&start=${START - 2 * DAY}&end=${START}`);
    let made = 0;
    for (const size of [500, 5_000]) {
      // Half is delivered, and half is pending; few match the filters.
      const deliveries = Array.from({ length: size - made }, (): Stored => {
        const at = START - DAY + made++ * 10;
        const type = made % 2 === 0 ? "link.create" : "link.click";
        const status = made % 250 === 0 ? "failed" : made % 4 < 2 ? "delivered" : "pending";
        return { id: newId(at), type, status, at };
      });
      await insert(id, deliveries);
      const rows = [];
      for (const query of queries) rows.push((await measureD1(() => list(id, `?limit=50&${query}`))).rowsRead);
      costs.push(rows);
    }
    // Four ranges of the index fill a page, and a fifth has the failed ones. They are merged, and the page is read.
    expect(costs[1]?.[0]).toBeLessThanOrEqual(2 * (4 * 51 + 20) + 51 + 3);
    // Of one type: as many deliveries of each status, of which two fill a page.
    for (const rows of costs.flatMap(([, ...filtered]) => filtered))
      expect(rows).toBeLessThanOrEqual(2 * (2 * 51 + 20) + 51 + 3);
  });
});

describe("nextAttemptAt", () => {
  it("is null while the webhook is inactive, and not before the circuit breaker allows an attempt", async () => {
    const { id } = await service.createWebhook(key);
    await service.createLink(key);
    await internet.answers({ [HOST]: { status: 500 } });
    await service.deliver();
    const next = async () => (await list(id)).deliveries[0]?.nextAttemptAt;
    expect(await next()).toBe(START + 5_000);
    await env.DB.prepare("UPDATE webhooks SET resume_at = ?1")
      .bind(START + 60_000)
      .run();
    expect(await next()).toBe(START + 60_000);
    const patch = (status: string) => service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status } });
    await patch("inactive");
    const [held] = (await list(id)).deliveries;
    expect(held).toMatchObject({ status: "pending", nextAttemptAt: null });
    expect(await get(id, held?.id ?? "")).toMatchObject({ status: "pending", nextAttemptAt: null });
    await patch("active");
    expect(await next()).toBe(START);
  });
});

describe("one delivery", () => {
  it("has the body that every attempt sends, byte for byte, also a large one", async () => {
    const { id } = await service.createWebhook(key);
    const url = `https://example.com/ä?${"long-".repeat(1_200)}`;
    await service.createLink(key, { url, title: 'Grüße 🐦 "quoted" \\ \u2028' });
    const [pending] = (await list(id)).deliveries;
    const before = await get(id, pending?.id ?? "");
    expect(await env.DB.prepare("SELECT typeof(body) AS type FROM deliveries").first("type")).toBe("blob");
    await service.deliver();
    const [received] = await internet.received();
    const after = await get(id, (pending?.id ?? "").toUpperCase());
    expect([before.requestBody, after.requestBody]).toEqual([received?.body, received?.body]);
    expect(after).toEqual({ ...(await list(id)).deliveries[0], requestBody: received?.body, responseBody: null });
    expect((await call(`${id}/deliveries/${newId(START)}`)).status).toBe(404);
  });

  it("has the first 4 KiB of the response to the last failed attempt, and they count in the size of the log", async () => {
    const { id } = await service.createWebhook(key);
    await service.createLink(key);
    const text = new TextEncoder().encode(`${"x".repeat(MAX_KEPT_RESPONSE_BYTES - 1)}äöü`);
    const bytes = [...new TextEncoder().encode("\0\u001B[31m<b>\u2028"), 0xff, 0xc3];
    const answers = [
      { status: 500, body: "first" },
      { status: 500, bytes: [...text] },
      { status: 502, bytes },
      { status: 503, body: "" },
      { fails: true },
      { status: 400, body: "last" },
      { status: 200, body: "fine" },
    ];
    const expected = ["first", "x".repeat(4_095), "\0\u001B[31m<b>\u2028\uFFFD\uFFFD", "", null, "last", "last"];
    await internet.answers({ [HOST]: answers });
    const deliveryId = (await list(id)).deliveries[0]?.id ?? "";
    for (const body of expected) {
      await service.deliver();
      expect((await get(id, deliveryId)).responseBody).toBe(body);
      const counted = `SELECT octet_length(body) + coalesce(octet_length(response_body), 0) = t.bytes AS equal
        FROM deliveries d JOIN delivery_totals t ON t.webhook_id = d.webhook_id`;
      expect(await env.DB.prepare(counted).first("equal")).toBe(1);
      await env.DB.prepare("UPDATE webhooks SET resume_at = NULL, failure_count = 0").run();
      advance(4 * 3_600_000);
    }
    expect((await list(id)).deliveries[0]).toMatchObject({ status: "delivered" });
    await env.DB.prepare("DELETE FROM deliveries").run();
    expect(await env.DB.prepare("SELECT kept, bytes FROM delivery_totals").first()).toEqual({ kept: 0, bytes: 0 });
  });

  it("of a ping has both bodies, and of a delivered click none", async () => {
    const { id } = await service.createWebhook(key, { events: ["link.click"] });
    await internet.answers({ [HOST]: { status: 418, body: "I am a teapot" } });
    await service.call("POST", `/api/webhooks/${id}`, { key });
    const [ping] = (await list(id, "?event=webhook.test&status=failed")).deliveries;
    expect(await get(id, ping?.id ?? "")).toMatchObject({
      requestBody: JSON.stringify({ event: "webhook.test", timestamp: START, data: { webhookId: id } }),
      responseBody: "I am a teapot",
    });
    const eventId = newId(START + 1);
    const click = { kind: "click_event", webhookId: id, eventId, body: "{}", createdAt: START + 1 } as const;
    await service.consume([{ body: click, attempts: 1 }]);
    expect(await get(id, eventId)).toMatchObject({
      status: "pending",
      requestBody: "{}",
      responseBody: "I am a teapot",
    });
    await internet.answers({ [HOST]: { status: 200 } });
    advance(10_000);
    await service.deliver();
    expect(await get(id, eventId)).toMatchObject({ status: "delivered", requestBody: null, responseBody: null });
    const retry = await service.call("POST", `/api/webhooks/${id}/deliveries/${eventId}/retry`, { key });
    expect([retry.status, (await jsonOf<ErrorJson>(retry)).details]).toMatchObject([
      404,
      [{ code: "click_delivered" }],
    ]);
  });
});
