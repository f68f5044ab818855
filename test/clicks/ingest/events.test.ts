import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { ClickRecord } from "../../../src/click-log/click-record.ts";
import { DAY_MS, MAX_DIMENSION_CHARS, MAX_TAG_CHARS, MAX_TAGS_PER_LINK, MAX_URL_CHARS } from "../../../src/limits.ts";
import type { ClickEventMessage } from "../../../src/platform/outbox/messages.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { Link } from "../../../src/links/contract.ts";
import { sequenceOf } from "../../../src/links/store/sequence.ts";
import { accountId, call, createLink, jsonOf, key, startAccount } from "../../support/api.ts";
import { clickOn, codeOf, consume, logOf, messageOf, rebindLog, serializedBytes } from "../../support/clicks.ts";
import { insertDomain } from "../../support/domains.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { toTagKeys } from "../../../src/platform/lib/tag-key.ts";
import {
  MAX_CLICK_AGE_DAYS,
  MAX_CLICKS_PER_MESSAGE,
  MAX_LINKS_PER_MESSAGE,
  PENDING_EVENTS_RETRY_MS,
} from "../../../src/click-log/limits.ts";

let link: Link;
beforeEach(async () => {
  await startAccount();
  link = await createLink(key, { slug: "link", tags: ["Sale"] });
});

async function subscribe(fields: object = {}): Promise<string> {
  const body = { url: "https://hooks.acme.com/", events: ["link.click"], ...fields };
  const response = await call("POST", "/api/webhooks", { key, body });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await jsonOf<{ webhook: { id: string } }>(response)).webhook.id;
}

/** Replaces the queue of click events of the account's ClickLog. It may be down, or its responses may be lost. */
async function deliveries() {
  const sent: ClickEventMessage[] = [];
  const state = { down: false, losesResponses: false, sent };
  const queue = {
    async sendBatch(batch: { body: ClickEventMessage }[]) {
      if (state.down) throw new Error("down");
      sent.push(...batch.map(({ body }) => body));
      if (state.losesResponses) throw new Error("response lost");
    },
  };
  await rebindLog(accountId, { CLICK_EVENTS: queue as unknown as Env["CLICK_EVENTS"] });
  return state;
}

it("sends every click to every subscribed webhook, except those of crawlers", async () => {
  const webhooks = [await subscribe(), await subscribe({ tags: ["sale"] })];
  await subscribe({ tags: ["other"] });
  await subscribe({ events: ["link.create"] });
  const state = await deliveries();
  const at = Date.now();
  const clicks = [
    clickOn(link.id, accountId, { at, trigger: 1 }),
    clickOn(link.id, accountId, { userAgent: "Googlebot/2.1" }),
  ];
  await consume([messageOf(clicks)]);
  expect(state.sent.map(({ webhookId }) => webhookId).toSorted()).toEqual(webhooks.toSorted());
  const [message] = state.sent;
  const { records } = await jsonOf<{ records: ClickRecord[] }>(
    await call("GET", `/api/links/${link.id}/clicks/records`, { key }),
  );
  expect(message).toMatchObject({ kind: "click_event", eventId: records[0]?.id });
  expect(JSON.parse(message?.body ?? "")).toEqual({
    event: "link.click",
    timestamp: at,
    data: {
      ...records[0],
      link: { id: link.id, slug: "link", domain: "tern.test", shortUrl: link.shortUrl, url: link.url },
    },
  });
  expect(message?.body).not.toContain("203.0.113");
});

it("sends the events of clicks that were made before their link was deleted", async () => {
  await subscribe();
  const state = await deliveries();
  const batch = messageOf([clickOn(link.id, accountId)]);
  await call("DELETE", `/api/links/${link.id}`, { key });
  await consume([batch]);
  expect(state.sent.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
    { linkId: link.id, link: { id: link.id, slug: "link", shortUrl: link.shortUrl, url: link.url } },
  ]);
  await call("POST", `/api/links/${link.id}/restore`, { key });
  expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toMatchObject({ link: { clicks: 1 } });
});

it("sends the same events again, byte for byte, until the queue has accepted them, and then no more", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await subscribe();
  const state = await deliveries();
  const batch = messageOf([clickOn(link.id, accountId), clickOn(link.id, accountId, { ip: "203.0.113.9" })]);
  state.down = true;
  expect((await consume([batch])).retried).toHaveLength(1);
  // The clicks are stored already. Their events show the link and go to the webhooks as of then.
  await call("PATCH", `/api/links/${link.id}`, { key, body: { url: "https://example.com/new" } });
  await subscribe();
  state.down = false;
  state.losesResponses = true;
  expect((await consume([batch])).retried).toHaveLength(1);
  state.losesResponses = false;
  expect(state.sent).toHaveLength(2);
  expect(state.sent[0]?.body).toContain(link.url);
  await consume([batch, batch]);
  expect(state.sent).toHaveLength(4);
  expect(state.sent.slice(2)).toEqual(state.sent.slice(0, 2));
  await consume([batch]);
  expect(state.sent).toHaveLength(4);
  expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toMatchObject({ link: { clicks: 2 } });
});

it("sends no events of clicks that were stored before the webhook subscribed", async () => {
  const state = await deliveries();
  const batch = messageOf([clickOn(link.id, accountId)]);
  await consume([batch]);
  await subscribe();
  await consume([batch]);
  expect(state.sent).toEqual([]);
});

it("sends the events from the alarm if the message is lost after its clicks were stored", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 5, 15, 12) });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await subscribe();
  const state = await deliveries();
  const batch = messageOf([clickOn(link.id, accountId), clickOn(link.id, accountId, { userAgent: "Googlebot/2.1" })]);
  state.down = true;
  await consume([batch]);
  state.down = false;
  await runInDurableObject(logOf(accountId), async (_, { storage }) => {
    expect(JSON.stringify([...storage.kv.list({ prefix: "pending:" })])).not.toContain("203.0.113");
    expect(await storage.getAlarm()).toBe(Date.now() + PENDING_EVENTS_RETRY_MS);
  });
  vi.setSystemTime(Date.now() + PENDING_EVENTS_RETRY_MS);
  await runDurableObjectAlarm(logOf(accountId));
  expect(state.sent).toHaveLength(1);
  await consume([batch]);
  vi.setSystemTime(Date.now() + PENDING_EVENTS_RETRY_MS);
  await runDurableObjectAlarm(logOf(accountId));
  expect(state.sent).toHaveLength(1);
});

it("leaves the alarm to the maintenance once the events are sent", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 5, 15, 12) });
  await subscribe();
  await deliveries();
  await consume([messageOf([clickOn(link.id, accountId)])]);
  vi.setSystemTime(Date.now() + PENDING_EVENTS_RETRY_MS);
  await runDurableObjectAlarm(logOf(accountId));
  const alarmAt = await runInDurableObject(logOf(accountId), (_, { storage }) => storage.getAlarm());
  expect(alarmAt).toBeGreaterThanOrEqual(Date.UTC(2030, 5, 16));
});

it("keeps the alarm that removes the mark of an account which is purged while an alarm sends events", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 5, 15, 12) });
  await subscribe();
  const state = await deliveries();
  state.down = true;
  await consume([messageOf([clickOn(link.id, accountId)])]);
  vi.setSystemTime(Date.now() + PENDING_EVENTS_RETRY_MS);
  const log = logOf(accountId);
  await runInDurableObject(log, async (object, { storage }) => {
    const [begun, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sendBatch = async () => {
      begun.resolve();
      await sent.promise;
    };
    Object.assign(codeOf(object), { env: { ...env, CLICK_EVENTS: { sendBatch } } });
    const running = object.alarm();
    await begun.promise;
    await object.destroy();
    sent.resolve();
    await running;
    expect(await storage.getAlarm()).toBe(Date.now() + (MAX_CLICK_AGE_DAYS + 1) * DAY_MS);
  });
  vi.setSystemTime(Date.now() + (MAX_CLICK_AGE_DAYS + 1) * DAY_MS);
  await runDurableObjectAlarm(log);
  expect(await runInDurableObject(log, (_, { storage }) => [...storage.kv.list()])).toEqual([]);
});

it("sends events of links with the longest URLs, however many were clicked at once", async () => {
  await subscribe();
  const state = await deliveries();
  const url = "https://example.com/";
  await insertManyLinks(env.DB, accountId, 300);
  await env.DB.prepare("UPDATE links SET url = ?1").bind(url.padEnd(MAX_URL_CHARS, "x")).run();
  const { results } = await env.DB.prepare("SELECT id FROM links LIMIT 300").all<{ id: string }>();
  const batches = Array.from({ length: 50 }, (_, batch) =>
    messageOf(Array.from({ length: 20 }, (__, n) => clickOn(results[(batch * 20 + n) % 300]?.id ?? "", accountId))),
  );
  expect((await consume(batches)).retried).toEqual([]);
  expect(new Set(state.sent.map(({ eventId }) => eventId)).size).toBe(1_000);
  await consume(batches);
  expect(state.sent).toHaveLength(1_000);
});

it("keeps pending events within the size of a stored value, however many links are clicked at once", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await subscribe();
  const state = await deliveries();
  const links = Array.from({ length: 300 }, (_, n) => newId(Date.now() - n));
  // V8 takes two bytes for each character of a text with 日.
  const url = `https://example.com/?日`.padEnd(MAX_URL_CHARS - 8, "\\");
  const tags = Array.from({ length: MAX_TAGS_PER_LINK }, (_, n) => `${n}`.padEnd(MAX_TAG_CHARS, "日"));
  await env.DB.prepare(
    `INSERT INTO links (seq, id, account_id, domain, slug, url, tags, tag_keys, status, redirect_status, created_at, updated_at)
     SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, ?2, '', 'many-' || key, ?3, ?5, ?4, 'active', 302, 0, 0 FROM json_each(?1)`,
  )
    .bind(
      JSON.stringify(links.map((id) => [sequenceOf(id), id])),
      accountId,
      url,
      toTagKeys(tags),
      JSON.stringify(tags),
    )
    .run();
  const referrer = `https://${"r".repeat(MAX_DIMENSION_CHARS)}`;
  const utm = "日".repeat(MAX_DIMENSION_CHARS);
  const batches = [0, 100, 200].map((start) =>
    messageOf(
      Array.from({ length: MAX_CLICKS_PER_MESSAGE }, (_, n) =>
        clickOn(links[start + (n % MAX_LINKS_PER_MESSAGE)] ?? "", accountId, {
          referrer,
          target: { location: `https://example.com/?utm_source=${utm}&utm_term=${utm}&${"x".repeat(MAX_URL_CHARS)}` },
          ip: `203.0.113.${n}`,
        }),
      ),
    ),
  );
  state.down = true;
  await consume(batches);
  const kept = await runInDurableObject(logOf(accountId), (_, { storage }) =>
    [...storage.kv.list({ prefix: "pending:" })].map(([, value]) => serializedBytes(value)),
  );
  expect(kept).toHaveLength(3);
  expect(Math.max(...kept)).toBeLessThan(1_500_000);
  state.down = false;
  expect((await consume(batches)).retried).toEqual([]);
  expect(new Set(state.sent.map(({ eventId }) => eventId)).size).toBe(3 * MAX_CLICKS_PER_MESSAGE);
});

it("shows the custom domain of a link", async () => {
  await insertDomain(accountId, "go.example");
  const custom = await createLink(key, { domain: "go.example", slug: "custom" });
  await subscribe();
  const state = await deliveries();
  await consume([messageOf([clickOn(custom.id, accountId, { at: Date.now() })])]);
  const { id, slug, domain, shortUrl, url } = custom;
  expect(shortUrl).toBe("https://go.example/custom");
  expect(JSON.parse(state.sent[0]?.body ?? "")).toMatchObject({ data: { link: { id, slug, domain, shortUrl, url } } });
});
