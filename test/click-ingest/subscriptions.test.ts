import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import type { ClickEventMessage } from "../../src/outbox/messages.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send } from "../support/api.ts";
import { clickOn, logOf, messageOf, rebindLog } from "../support/clicks.ts";
import { interceptD1 } from "../support/d1-client.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { DAY_MS } from "../../src/duration.ts";
import { MAX_CLICK_AGE_DAYS, SUBSCRIPTION_CHANGE_MS } from "../../src/clicks/limits.ts";

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
  expect(await readsOf(click)).toBe(2);
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
    await logOf(accountId).expectSubscription();
    return output;
  }, click);
  expect(await readsOf(click)).toBe(2);
  vi.setSystemTime(Date.now() + SUBSCRIPTION_CHANGE_MS);
  expect(await readsOf(click)).toBe(2);
  expect(await readsOf(click)).toBe(0);
});

it("stores no webhook whose ClickLog does not respond", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const getByName = () => ({
    expectSubscription: () => Promise.reject(Object.assign(new Error("busy"), { overloaded: true })),
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
