import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/platform/lib/uuid.ts";
import { MAX_KEPT_DELIVERIES, MAX_KEPT_DROPPED_DELIVERIES, MAX_KEPT_EVENT_BYTES } from "../../src/limits.ts";
import type { Link } from "../../src/links/contract.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { jsonOf } from "../support/api.ts";
import { advance, countRows, internet, key, service, START, startWithoutJitter } from "./support.ts";
import {
  COMPRESSED_TOGETHER_BYTES,
  DELIVERY_OVERHEAD_BYTES,
  TRIMMED_DELIVERIES_PER_BATCH,
} from "../../src/platform/outbox/limits.ts";
import { trimAllLogs } from "../../src/platform/outbox/trim-all-logs.ts";
import { createJobContext } from "../../src/platform/context.ts";

beforeEach(startWithoutJitter);

const DAY = 86_400_000;
const LARGE_LINKS = 14;

interface Totals {
  kept: number;
  bytes: number;
  dropped: number;
}

const totalsOf = (id: string) =>
  env.DB.prepare("SELECT kept, bytes, dropped FROM delivery_totals WHERE webhook_id = ?1").bind(id).first<Totals>();

/** What the triggers must have counted. */
const countedOf = (id: string) =>
  env.DB.prepare(
    `SELECT sum(status <> 'dropped') AS kept, sum(status = 'dropped') AS dropped,
       sum(iif(status = 'dropped', 0, octet_length(coalesce(d.body, b.body)) + coalesce(octet_length(response_body), 0))) AS bytes
     FROM deliveries d LEFT JOIN event_bodies b USING (event_id) WHERE webhook_id = ?1`,
  )
    .bind(id)
    .first<Totals>();

const idsOf = async (id: string, status: string) =>
  (
    await env.DB.prepare("SELECT event_id FROM deliveries WHERE webhook_id = ?1 AND status = ?2 ORDER BY event_id")
      .bind(id, status)
      .all<{ event_id: string }>()
  ).results.map(({ event_id }) => event_id);

/** Inserts deliveries of these webhooks, with one event for all. Returns the ids of the events, oldest first. */
async function insertDeliveries(webhooks: string[], count: number, status: string, body = "{}"): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(START - DAY)).sort();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO event_bodies SELECT value, ?2 FROM json_each(?1) WHERE json_array_length(?3) > 1").bind(
      JSON.stringify(ids),
      body,
      JSON.stringify(webhooks),
    ),
    env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
       SELECT w.value, e.value, 'link.create', ?3, iif(?3 = 'pending', ?4, NULL), ?5, iif(json_array_length(?2) > 1, NULL, ?6)
       FROM json_each(?1) e, json_each(?2) w`,
    ).bind(JSON.stringify(ids), JSON.stringify(webhooks), status, START + DAY, START - DAY, body),
  ]);
  return ids;
}

/** Makes the log of a webhook look as if it had further deliveries, to reach a limit without storing a hundred thousand. */
const addToTotals = (id: string, { kept = 0, bytes = 0, dropped = 0 }: Partial<Totals>) =>
  env.DB.prepare(
    "UPDATE delivery_totals SET kept = kept + ?2, bytes = bytes + ?3, dropped = dropped + ?4 WHERE webhook_id = ?1",
  )
    .bind(id, kept, bytes, dropped)
    .run();

const change = (ids: string[], title: string) =>
  service.call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { title } } });

/** Creates links with 40 KB each, so many that their events are compressed in two groups. */
async function createLargeLinks(): Promise<string[]> {
  const geo = Object.fromEntries(
    ["DE", "AT", "CH", "FR", "IT"].map((country) => [
      country,
      `https://example.com/${country}/${"path-".repeat(1_600)}`,
    ]),
  );
  const links = Array.from({ length: LARGE_LINKS }, (_, n) => ({ url: `https://example.com/ä${n}`, geo }));
  const response = await service.call("POST", "/api/links/bulk", { key, body: { links } });
  const { results } = await jsonOf<{ results: { link: Link }[] }>(response);
  return results.map(({ link }) => link.id);
}

describe("the bodies of events", () => {
  it("of a bulk change of large links are stored compressed, and sent as they were on every attempt", async () => {
    const ids = await createLargeLinks();
    const webhook = await service.createWebhook(key, { events: ["link.update"] });
    const size = "SELECT sum(octet_length(body)) AS bytes FROM deliveries";
    await change(ids, "Neuer Titel ä");
    const stored = (await env.DB.prepare(size).first<number>("bytes")) ?? 0;
    expect(await totalsOf(webhook.id)).toEqual({ kept: LARGE_LINKS, bytes: stored, dropped: 0 });
    await internet.answers({ "hooks.receiver.dev": [{ status: 500 }, { status: 200 }] });
    await service.deliver();
    advance(10_000);
    await service.deliver();
    const received = await internet.received();
    expect(received).toHaveLength(LARGE_LINKS + 1);
    const sent = new Map(received.map(({ headers, body }) => [headers["webhook-id"], body]));
    const plain = [...sent.values()].reduce((sum, body) => sum + new TextEncoder().encode(body).byteLength, 0);
    expect(plain).toBeGreaterThan(COMPRESSED_TOGETHER_BYTES);
    expect(stored).toBeLessThan(plain / 20);
    for (const { headers, body } of received) {
      expect(body).toBe(sent.get(headers["webhook-id"] ?? ""));
      const signed = createHmac("sha256", Buffer.from((webhook.secret ?? "").slice("whsec_".length), "base64"))
        .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
        .digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${signed}`);
    }
    const { link } = await jsonOf<{ link: Link }>(await service.call("GET", `/api/links/${ids[0]}`, { key }));
    expect([...sent.values()]).toContain(JSON.stringify({ event: "link.update", timestamp: START, data: link }));
  });
});

describe("the delivery log of a webhook", () => {
  it("drops its oldest waiting deliveries past the limit, and another webhook gets the same events", async () => {
    const [down, healthy] = [await service.createWebhook(key), await service.createWebhook(key)];
    const ids = await insertDeliveries([down.id, healthy.id], 30, "pending");
    await addToTotals(down.id, { kept: MAX_KEPT_DELIVERIES - 30 });
    await env.DB.prepare("UPDATE webhooks SET resume_at = ?2 WHERE id = ?1")
      .bind(down.id, START + DAY)
      .run();
    const log = vi.spyOn(console, "warn");
    // Each change adds one delivery, in parallel.
    await Promise.all(Array.from({ length: 5 }, (_, n) => service.createLink(key, { slug: `parallel-${n}` })));
    await service.cron();
    expect(await idsOf(down.id, "dropped")).toEqual(ids.slice(0, 5));
    expect((await idsOf(down.id, "pending")).slice(0, 25)).toEqual(ids.slice(5));
    expect(await totalsOf(down.id)).toMatchObject({ kept: MAX_KEPT_DELIVERIES, dropped: 5 });
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    const logged = lines.filter(({ event }) => event === "deliveries_dropped");
    expect(logged.reduce((sum, { deliveries }) => sum + Number(deliveries), 0)).toBe(5);
    await env.DB.prepare("UPDATE deliveries SET due_at = ?2 WHERE webhook_id = ?1").bind(healthy.id, START).run();
    await service.deliver();
    expect(await idsOf(healthy.id, "delivered")).toHaveLength(35);
    const listed = await service.listDeliveries(key, down.id);
    expect(listed.at(-1)).toMatchObject({ id: ids[0], status: "dropped", attempts: [], nextAttemptAt: null });
    const retry = await service.call("POST", `/api/webhooks/${down.id}/deliveries/${ids[0]}/retry`, { key });
    expect([retry.status, await idsOf(down.id, "dropped")]).toEqual([409, ids.slice(0, 5)]);
  });

  it("deletes finished deliveries before it drops waiting ones, and does not touch an attempt in flight", async () => {
    const { id } = await service.createWebhook(key);
    const leased = await insertDeliveries([id], 1, "pending");
    await env.DB.prepare("UPDATE deliveries SET status = 'sending', lease = 'l', sending_until = due_at + 1").run();
    const waiting = await insertDeliveries([id], 3, "pending");
    const delivered = await insertDeliveries([id], 2, "delivered");
    const failed = await insertDeliveries([id], 1, "failed");
    await addToTotals(id, { kept: MAX_KEPT_DELIVERIES - 5 });
    await service.cron();
    const finished = [...delivered, ...failed].sort();
    const left = [...(await idsOf(id, "delivered")), ...(await idsOf(id, "failed"))].sort();
    expect([left, await countRows("deliveries")]).toEqual([finished.slice(2), 5]);
    await addToTotals(id, { kept: 3 });
    await service.cron();
    expect(await idsOf(id, "delivered")).toEqual([]);
    expect(await idsOf(id, "failed")).toEqual([]);
    expect(await idsOf(id, "dropped")).toEqual(waiting.slice(0, 2));
    expect(await idsOf(id, "pending")).toEqual(waiting.slice(2));
    expect(await idsOf(id, "sending")).toEqual(leased);
    // Nobody needs the bodies of the dropped ones.
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries WHERE body IS NULL").first("n")).toBe(2);
    expect((await countedOf(id))?.bytes).toBe((await totalsOf(id))?.bytes);
  });

  it("is bounded in bytes and in dropped deliveries too", async () => {
    const { id } = await service.createWebhook(key);
    const ids = await insertDeliveries([id], 10, "pending", "x".repeat(600));
    await env.DB.prepare("UPDATE deliveries SET response_body = ?1").bind("y".repeat(400)).run();
    expect(await totalsOf(id)).toEqual(await countedOf(id));
    await addToTotals(id, { bytes: MAX_KEPT_EVENT_BYTES - 10_000 + 2_500 });
    for (let run = 0; run < 3; run++) await service.cron();
    expect(await idsOf(id, "dropped")).toEqual(ids.slice(0, 3));
    expect(await totalsOf(id)).toMatchObject({ kept: 7, bytes: MAX_KEPT_EVENT_BYTES - 500, dropped: 3 });
    const left = "SELECT count(response_body) AS n FROM deliveries WHERE status = 'dropped'";
    expect(await env.DB.prepare(left).first("n")).toBe(0);
    await addToTotals(id, { dropped: MAX_KEPT_DROPPED_DELIVERIES - 2 });
    await service.cron();
    expect(await idsOf(id, "dropped")).toEqual(ids.slice(1, 3));
    expect(await countRows("deliveries")).toBe(9);
  });

  it("is trimmed first if it is the largest, while all logs of the database are above their bound", async () => {
    const [small, large, largest] = [
      await service.createWebhook(key),
      await service.createWebhook(key),
      await service.createWebhook(key),
    ];
    const body = "x".repeat(1_000);
    const size = 1_000 + DELIVERY_OVERHEAD_BYTES;
    await insertDeliveries([small.id], 2, "delivered", body);
    const finished = await insertDeliveries([large.id], 6, "delivered", body);
    const failed = await insertDeliveries([largest.id], 4, "failed", body);
    const waiting = await insertDeliveries([largest.id], 6, "pending", body);
    const context = createJobContext(env, { waitUntil: () => undefined }, START);
    const trim = async (maxBytes: number) => {
      while ((await trimAllLogs(context, maxBytes)) > 0);
    };
    await trim(18 * size);
    expect(await countRows("deliveries")).toBe(18);
    // The two large ones are trimmed to one size, 5 deliveries.
    await trim(12 * size);
    expect(await idsOf(small.id, "delivered")).toHaveLength(2);
    expect(await idsOf(large.id, "delivered")).toEqual(finished.slice(1));
    expect([await idsOf(largest.id, "failed"), failed.length]).toEqual([[], 4]);
    expect(await idsOf(largest.id, "pending")).toEqual(waiting.slice(-(await idsOf(largest.id, "pending")).length));
    const totals = await env.DB.prepare("SELECT sum(bytes + (kept + dropped) * ?1) AS size FROM delivery_totals")
      .bind(DELIVERY_OVERHEAD_BYTES)
      .first<number>("size");
    expect(totals).toBeLessThanOrEqual(12 * size);
    expect(totals).toBeGreaterThan(10 * size);
    for (const { id } of [small, large, largest]) expect(await totalsOf(id)).toEqual(await countedOf(id));
  });

  it("is deleted with the webhook, in portions, without the events of other webhooks", async () => {
    const [deleted, other] = [await service.createWebhook(key), await service.createWebhook(key)];
    await insertDeliveries([deleted.id], TRIMMED_DELIVERIES_PER_BATCH + 200, "delivered");
    await insertDeliveries([deleted.id, other.id], 3, "pending");
    await service.call("DELETE", `/api/webhooks/${deleted.id}`, { key });
    await service.cron();
    expect([await countRows("deliveries"), await countRows("event_bodies")]).toEqual([3, 3]);
    expect(await totalsOf(deleted.id)).toBeNull();
    expect(await totalsOf(other.id)).toEqual(await countedOf(other.id));
  });

  it("never refuses a change, and costs it nothing but a few rows", async () => {
    const { id } = await service.createWebhook(key);
    await insertDeliveries([id], 3_000, "pending");
    await addToTotals(id, { kept: MAX_KEPT_DELIVERIES - 3_000 });
    const cost = await measureD1(() => service.createLink(key));
    expect(await idsOf(id, "dropped")).toHaveLength(1);
    expect(cost.rowsRead).toBeLessThanOrEqual(80);
    expect(cost.rowsWritten).toBeLessThanOrEqual(40);
  });
});
