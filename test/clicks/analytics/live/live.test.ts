import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIVE_CLOSE_CODES } from "../../../../src/click-log/log/live.ts";
import {
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_LIVE_CLICKS_PER_MESSAGE,
  MAX_LIVE_MESSAGES,
  MAX_LIVE_SOCKETS_PER_ACCOUNT,
} from "../../../../src/limits.ts";
import { accountId, addKey, call, createAccount, createLink, jsonOf, key, startAccount } from "../../../support/api.ts";
import { clickOn, consume, logOf, messageOf } from "../../../support/clicks.ts";
import { createLinkAt, insertDomain } from "../../../support/domains.ts";
import { until } from "../../../support/until.ts";
import { arrived, ask, watch, type Watcher } from "./support.ts";
import { LIVE_MESSAGES_WINDOW_MS } from "../../../../src/click-log/limits.ts";
import { LIVE_SOCKET_TTL_MS } from "../../../../src/clicks/analytics/limits.ts";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  await startAccount();
});
afterEach(() => vi.useRealTimers());

/** Lets a message be sent, whatever was sent before. */
const nextSecond = () => vi.setSystemTime(Date.now() + LIVE_MESSAGES_WINDOW_MS);

const click = (link: string, fields: Parameters<typeof clickOn>[2] = {}) => clickOn(link, accountId, fields);

/** The URLs of the clicks that each has got, oldest first. */
const urlsOf = (watchers: Watcher[]) =>
  watchers.map(({ messages }) => messages.flatMap(({ clicks }) => clicks.map(({ target }) => target.url).toReversed()));

/** The text of what a URL says, to tell clicks apart. */
const to = (name: string) => ({ target: { location: name } });

describe("a WebSocket with live clicks", () => {
  it("gets each new click of the account once, as the list of clicks has it, and no crawler", async () => {
    const other = await createAccount();
    const [link, otherLink] = [await createLink(key), await createLink(other.key)];
    const [watcher, otherWatcher] = [await watch("", { key }), await watch("", { key: other.key })];
    const at = Date.now();
    const message = messageOf([
      click(link.id, {
        at: at - 2_000,
        referrer: "https://www.news.example",
        ...to("https://example.com/?utm_term=x"),
      }),
      click(link.id, { at: at - 1_000, trigger: 1, country: "" }),
      click(link.id, { userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }),
      clickOn(otherLink.id, other.accountId),
    ]);
    await consume([message]);
    await until(() => watcher.messages.length > 0 && otherWatcher.messages.length > 0);
    nextSecond();
    await consume([message]);
    await arrived(watcher, otherWatcher);
    const { records } = await jsonOf<{ records: unknown[] }>(await call("GET", "/api/clicks/records", { key }));
    expect(records).toHaveLength(2);
    expect(watcher.messages).toEqual([{ clicks: records, total: 2 }]);
    expect(otherWatcher.messages).toMatchObject([{ clicks: [{ linkId: otherLink.id }], total: 1 }]);
    expect(watcher.expiresAt).toBe(at + LIVE_SOCKET_TTL_MS);
  });

  it("gets the clicks that its query selects, with the filters of the analytics", async () => {
    await insertDomain(accountId, "go.acme.com");
    const [plain, tagged] = [await createLink(key), await createLink(key, { tags: ["Sale"] })];
    const moved = await createLinkAt("go.acme.com", key, { slug: "moved" });
    const queries = [
      "",
      `?linkIds=${plain.id}&linkIds=${moved.id.toUpperCase()}`,
      "?tag=sale",
      "?domain=go.acme.com",
      "?tag=sale&domain=go.acme.com",
      "?country=fr&device=mobile&device=desktop",
      "?country=!FR&source=direct",
    ];
    const watchers: Watcher[] = [];
    // A key may have five WebSockets.
    for (const [index, query] of queries.entries()) {
      const { key: own } = index % 2 === 0 ? { key } : await addKey(accountId);
      watchers.push(await watch(query, { key: own }));
    }
    const clicks = () =>
      messageOf([
        click(plain.id, to("plain")),
        click(tagged.id, { ...to("tagged"), country: "FR" }),
        click(moved.id, { ...to("moved"), referrer: "https://news.example" }),
      ]);
    const expected = [
      ["plain", "tagged", "moved"],
      ["plain", "moved"],
      ["tagged"],
      ["moved"],
      [],
      ["tagged"],
      ["plain"],
    ];
    await consume([clicks()]);
    await until(() => urlsOf(watchers).flat().length === expected.flat().length);
    expect(urlsOf(watchers)).toEqual(expected);
    // What a WebSocket shows outlives the object's memory.
    await evictDurableObject(logOf(accountId));
    nextSecond();
    await consume([clicks()]);
    await until(() => urlsOf(watchers).flat().length === 2 * expected.flat().length);
    expect(urlsOf(watchers)).toEqual(expected.map((urls) => urls.concat(urls)));
    await arrived(...watchers);
  });

  it("gets no clicks of a link whose deletion is final", async () => {
    const [kept, deleted] = [await createLink(key), await createLink(key)];
    const watcher = await watch("", { key });
    await logOf(accountId).forgetLinks([deleted.id]);
    await consume([messageOf([click(kept.id), click(deleted.id)])]);
    await until(() => watcher.messages.length > 0);
    expect(watcher.messages).toMatchObject([{ clicks: [{ linkId: kept.id }], total: 1 }]);
  });

  it("gets two messages a second; the clicks of further ones come with the next", async () => {
    const link = await createLink(key);
    const watcher = await watch("", { key });
    const totals = () => watcher.messages.map(({ total }) => total);
    for (let index = 0; index < MAX_LIVE_MESSAGES + 3; index++) {
      await consume([messageOf([click(link.id, to(`in the first second, ${index}`))])]);
      await until(() => totals().length >= Math.min(index + 1, MAX_LIVE_MESSAGES));
    }
    await arrived(watcher);
    expect(totals()).toEqual([1, 1]);
    nextSecond();
    await consume([messageOf([click(link.id, to("in the next second"))])]);
    await until(() => totals().length === 3);
    expect(watcher.messages[2]).toMatchObject({
      total: 4,
      clicks: [{ target: { url: "in the next second" } }, {}, {}, {}],
    });
  });

  it("gets the newest clicks and the number of all if there are many, however long their texts are", async () => {
    const link = await createLink(key);
    const watcher = await watch("", { key });
    const long = "ä".repeat(16_384);
    const count = 4 * MAX_LIVE_CLICKS_PER_MESSAGE;
    const messages = Array.from({ length: count }, (_, index) =>
      messageOf([
        click(link.id, {
          at: Date.now() - 60_000 + index,
          ...to(`${index} https://example.com/${long}?utm_source=${long}`),
          referrer: `https://${"x".repeat(250)}.example`,
          city: long,
        }),
      ]),
    );
    await consume(messages.toReversed());
    await until(() => watcher.messages.length > 0);
    expect(watcher.messages).toMatchObject([{ total: count }]);
    const newest = Array.from({ length: MAX_LIVE_CLICKS_PER_MESSAGE }, (_, index) => String(count - 1 - index));
    expect(watcher.messages[0]?.clicks.map(({ target }) => target.url.split(" ")[0])).toEqual(newest);
    expect(JSON.stringify(watcher.messages).length).toBeLessThan(100_000);
  });

  it("has an answer to a ping, and is closed after any other message", async () => {
    const texts = ["x".repeat(16_384), "PING", new Uint8Array([1, 2, 3])];
    for (const text of texts) {
      const watcher = await watch("", { key });
      await arrived(watcher);
      expect(watcher.pongs).toBe(1);
      watcher.socket.send(text);
      await until(() => watcher.closed !== null);
      expect(watcher.closed).toEqual({ code: 1008, reason: "Only ping may be sent." });
    }
  });
});

describe("after five minutes", () => {
  it("the next click closes a WebSocket, and it gets nothing more", async () => {
    const link = await createLink(key);
    const [old, evicted] = [await watch("", { key }), await watch("", { key })];
    vi.setSystemTime(old.expiresAt - 1);
    const recent = await watch("", { key });
    await consume([messageOf([click(link.id)])]);
    await until(() => [old, evicted, recent].every(({ messages }) => messages.length === 1));
    await evictDurableObject(logOf(accountId));
    vi.setSystemTime(old.expiresAt + LIVE_MESSAGES_WINDOW_MS);
    await consume([messageOf([click(link.id)])]);
    await until(() => recent.messages.length === 2 && old.closed !== null && evicted.closed !== null);
    expect(old.closed).toMatchObject({ code: LIVE_CLOSE_CODES.expired });
    expect([old, evicted].map(({ messages }) => messages.length)).toEqual([1, 1]);
  });

  it("or earlier, when its key expires", async () => {
    const expiresAt = Date.now() + 60_000;
    const { key: own } = await addKey(accountId, ["clicks:read"], expiresAt);
    expect((await watch("", { key: own })).expiresAt).toBe(expiresAt);
  });

  it("its place is free", async () => {
    const keys = [key];
    while (keys.length < MAX_ACTIVE_KEYS_PER_ACCOUNT) keys.push((await addKey(accountId)).key);
    const watchers: Watcher[] = [];
    for (let index = 0; index < MAX_LIVE_SOCKETS_PER_ACCOUNT; index++)
      watchers.push(await watch("", { key: keys[1 + (index % (keys.length - 1))] }));
    const refused = await ask("", { key });
    expect([refused.status, await jsonOf(refused)]).toMatchObject([409, { code: "limit_reached" }]);
    vi.setSystemTime(Date.now() + LIVE_SOCKET_TTL_MS);
    await watch("", { key });
    await until(() => watchers.every(({ closed }) => closed?.code === LIVE_CLOSE_CODES.expired));
  });
});

describe("the ClickLog", () => {
  const viewsIn = () =>
    runInDurableObject(logOf(accountId), (_, { storage }) => [...storage.kv.list({ prefix: "live:" })].length);
  const headers = { Upgrade: "websocket" };

  it("keeps nothing of a WebSocket that is closed, also if it was evicted", async () => {
    const [watcher, evicted] = [await watch("", { key }), await watch("?country=DE", { key })];
    expect(await viewsIn()).toBe(2);
    watcher.socket.close();
    await until(async () => (await viewsIn()) === 1);
    await evictDurableObject(logOf(accountId));
    evicted.socket.close();
    await until(async () => (await viewsIn()) === 0);
  });

  it("forgets what was announced and never opened, and opens nothing else", async () => {
    const view = { accountId, viewer: { type: "key" as const, id: "some" }, links: null, filters: {} };
    await logOf(accountId).announceView("never", { ...view, allowedAt: Date.now(), expiresAt: Date.now() });
    expect(await viewsIn()).toBe(1);
    const response = await logOf(accountId).fetch("https://click-log/unknown", { headers });
    expect([response.status, await response.text()]).toEqual([409, "unknown"]);
    expect(await viewsIn()).toBe(0);
  });
});
