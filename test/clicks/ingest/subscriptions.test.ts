import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import type { ClickEventMessage } from "../../../src/platform/outbox/messages.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send } from "../../support/api.ts";
import { clickOn, logOf, messageOf, rebindLog } from "../../support/clicks.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { MAX_CLICK_AGE_DAYS, SUBSCRIBERS_KEPT_MS, SUBSCRIPTION_CHANGE_MS } from "../../../src/click-log/limits.ts";

let key: string;
let accountId: number;
let link: Link;
let sent: ClickEventMessage[];
beforeEach(async () => {
  ({ key, accountId } = await createAccount());
  link = await createLink(key);
  sent = [];
  const sendBatch = async (messages: { body: ClickEventMessage }[]) =>
    void sent.push(...messages.map(({ body }) => body));
  await rebindLog(accountId, { CLICK_EVENTS: { sendBatch } as unknown as Env["CLICK_EVENTS"] });
});

const click = () => logOf(accountId).ingest(messageOf([clickOn(link.id, accountId)]).batches);
const readsOf = async (run: () => Promise<unknown>) => (await measureD1(run)).roundTrips;
const storedKeys = () => runInDurableObject(logOf(accountId), (_, { storage }) => [...storage.kv.list()]);

async function store(method: string, path: string, body: object): Promise<string> {
  const response = await call(method, path, { key, body });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  const { webhook, listener } = await jsonOf<{ webhook?: { id: string }; listener?: { id: string } }>(response);
  return (webhook ?? listener)?.id ?? "";
}
const createWebhook = (events: string[]) => store("POST", "/api/webhooks", { url: "https://hooks.acme.com/", events });

it("asks the database once while no webhook subscribes to clicks, however often it restarts", async () => {
  await createWebhook(["link.create"]);
  expect(await readsOf(click)).toBe(1);
  expect(await readsOf(click)).toBe(0);
  await evictDurableObject(logOf(accountId));
  expect(await readsOf(click)).toBe(0);
});

it.each([
  ["a webhook that is created", () => createWebhook(["link.click"])],
  ["a listener that is created", () => store("POST", "/api/listeners", { events: ["link.click"] })],
  [
    "a webhook whose events are changed",
    async () => store("PATCH", `/api/webhooks/${await createWebhook(["link.create"])}`, { events: ["link.click"] }),
  ],
])("sends the events of all clicks after %s", async (_, subscribe) => {
  await click();
  expect(await readsOf(click)).toBe(0);
  await subscribe();
  await click();
  expect(sent).toHaveLength(1);
});

it("sends the events of all clicks after a webhook is active again", async () => {
  const id = await createWebhook(["link.click"]);
  await store("PATCH", `/api/webhooks/${id}`, { status: "inactive" });
  await click();
  await click();
  // As a restore does, which changes the database alone.
  await env.DB.prepare("UPDATE webhooks SET status = 'active' WHERE id = ?1").bind(id).run();
  await click();
  expect(sent).toHaveLength(1);
});

it("does not remember what it read before a change, or while one may follow", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  // The change begins while the database is read.
  await interceptD1(async (_, respond) => {
    const output = await respond();
    await logOf(accountId).expectSubscriptionChange();
    return output;
  }, click);
  expect(await readsOf(click)).toBe(1);
  vi.setSystemTime(Date.now() + SUBSCRIPTION_CHANGE_MS);
  expect(await readsOf(click)).toBe(1);
  expect(await readsOf(click)).toBe(0);
});

it("stores no webhook whose ClickLog does not respond", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const getByName = () => ({
    expectSubscriptionChange: () => Promise.reject(Object.assign(new Error("busy"), { overloaded: true })),
  });
  const body = { url: "https://hooks.acme.com/", events: ["link.click"] };
  const response = await send(buildRequest("POST", "/api/webhooks", { key, body }), {
    CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"],
  });
  expect(response.status).toBe(503);
  expect(await jsonOf(await call("GET", "/api/webhooks", { key }))).toMatchObject({ webhooks: [] });
});

it("stores nothing after the account was purged, until no click can arrive any more", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  await click();
  const { batches } = messageOf([clickOn(link.id, accountId)]);
  let destroyed: Promise<void> | undefined;
  await createWebhook(["link.click"]);
  // It is purged while a call waits for the database.
  await interceptD1(
    async (_, respond) => {
      const output = await respond();
      await (destroyed ??= logOf(accountId).destroy());
      return output;
    },
    () => logOf(accountId).ingest(batches),
  );
  for (let time = 0; time < 2; time++) {
    expect(await readsOf(click)).toBe(0);
    expect(await storedKeys()).toEqual([["subscriptions", "gone"]]);
    await evictDurableObject(logOf(accountId));
  }
  expect(await logOf(accountId).firstClickAt()).toBeNull();
  const alarmAt = await runInDurableObject(logOf(accountId), (_, { storage }) => storage.getAlarm());
  expect(alarmAt).toBeGreaterThan(Date.now() + MAX_CLICK_AGE_DAYS * DAY_MS);
  await runDurableObjectAlarm(logOf(accountId));
  expect(await storedKeys()).toEqual([]);
});

/** Gives the account's ClickLog a database that counts statements: those of the primary, and those of the nearest replica. */
async function countReads(account: number, reads: { primary: number; replica: number }): Promise<void> {
  const counting = (db: Pick<D1Database, "prepare" | "batch">, name: keyof typeof reads) => ({
    prepare: (sql: string) => {
      reads[name]++;
      return db.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  });
  const withSession = (start: string) =>
    counting(env.DB.withSession(start), start === "first-unconstrained" ? "replica" : "primary");
  const DB = { ...counting(env.DB, "primary"), withSession } as unknown as D1Database;
  await rebindLog(account, {
    DB,
    CLICK_EVENTS: { sendBatch: async () => undefined } as unknown as Env["CLICK_EVENTS"],
  });
}

it("asks the primary once for each of many accounts with webhooks for clicks, however many flushes follow", async () => {
  const reads = { primary: 0, replica: 0 };
  const accounts = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const account = await createAccount();
      const body = { url: "https://hooks.acme.com/", events: ["link.click"] };
      expect((await call("POST", "/api/webhooks", { key: account.key, body })).status).toBe(201);
      const { id } = await createLink(account.key);
      await countReads(account.accountId, reads);
      return { account: account.accountId, id };
    }),
  );
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SUBSCRIPTION_CHANGE_MS });
  const flush = async () => {
    for (const { account, id } of accounts) await logOf(account).ingest(messageOf([clickOn(id, account)]).batches);
    return Object.values({ ...reads });
  };
  // The links are two statements: those that are there, and those that were deleted.
  expect(await flush()).toEqual([20, 40]);
  expect(await flush()).toEqual([20, 80]);
  for (const { account } of accounts) {
    await evictDurableObject(logOf(account));
    await countReads(account, reads);
  }
  expect(await flush()).toEqual([20, 120]);
  vi.setSystemTime(Date.now() + SUBSCRIBERS_KEPT_MS);
  expect(await flush()).toEqual([40, 160]);
});

it("reads no links that its webhooks do not want, and those that the replica lacks from the primary", async () => {
  const other = await createLink(key);
  await store("POST", "/api/webhooks", { url: "https://hooks.acme.com/", events: ["link.click"], linkIds: [other.id] });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SUBSCRIPTION_CHANGE_MS });
  await click();
  expect(await readsOf(click)).toBe(0);
  const clickOther = () => logOf(accountId).ingest(messageOf([clickOn(other.id, accountId)]).batches);
  expect(await readsOf(clickOther)).toBe(1);
  expect(sent).toHaveLength(1);
  let trips = 0;
  await interceptD1(async (_, respond) => {
    const output = (await respond()) as { results: unknown }[];
    // What a replica answers that does not know the link yet.
    if (trips++ === 0) for (const each of output) each.results = [];
    return output;
  }, clickOther);
  expect(trips).toBe(2);
  expect(sent).toHaveLength(2);
});

it.each([
  ["another link", () => ({ linkIds: [link.id] })],
  ["tags", () => ({ linkIds: null, tags: ["sale"] })],
])("follows a change of the filter to %s before the change is answered", async (_, filter) => {
  await createLink(key, { slug: "beside" });
  const other = await createLink(key);
  const tagged = await createLink(key, { tags: ["sale"] });
  const body = { url: "https://hooks.acme.com/", events: ["link.click"], linkIds: [other.id] };
  const id = await store("POST", "/api/webhooks", body);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SUBSCRIPTION_CHANGE_MS });
  const clickAll = () =>
    logOf(accountId).ingest(messageOf([link, other, tagged].map((each) => clickOn(each.id, accountId))).batches);
  await clickAll();
  expect(sent).toHaveLength(1);
  await store("PATCH", `/api/webhooks/${id}`, filter());
  sent.length = 0;
  await clickAll();
  const wanted = "tags" in filter() ? tagged.id : link.id;
  expect(sent.map(({ body: text }) => (JSON.parse(text) as { data: { linkId: string } }).data.linkId)).toEqual([
    wanted,
  ]);
  vi.useRealTimers();
});

it("sends nothing to a webhook that no longer subscribes", async () => {
  const id = await createWebhook(["link.click"]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SUBSCRIPTION_CHANGE_MS });
  await click();
  expect(sent).toHaveLength(1);
  await store("PATCH", `/api/webhooks/${id}`, { events: ["link.create"] });
  await click();
  expect(sent).toHaveLength(1);
});

it("reads the webhooks each time if one has a filter by tags, which jobs rename", async () => {
  const body = { url: "https://hooks.acme.com/", events: ["link.click"], tags: ["sale"] };
  await store("POST", "/api/webhooks", body);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SUBSCRIPTION_CHANGE_MS });
  await click();
  expect(await readsOf(click)).toBe(2);
});
