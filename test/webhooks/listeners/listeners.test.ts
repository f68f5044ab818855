import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { Listener, ListenerWithSecret } from "../../../src/webhooks/listeners/contract.ts";
import { addKey, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { accountId, advance, countRows, key, service, START, startService } from "../support.ts";
import { Client } from "./support.ts";

interface ListenerList {
  listeners: Listener[];
  nextCursor: string | null;
}

let client: Client;
beforeEach(async () => {
  await startService();
  client = new Client(service, key);
});

const errorOf = async (response: Response) => [response.status, (await jsonOf<ErrorJson>(response)).details];
const GONE = [404, [{ path: "", code: "not_found", resource: "listener" }]];
const lacks = (...allowed: string[]) => [403, [{ path: "", code: "lacks_permission", allowed }]];

describe("a listener", () => {
  it("is created with a secret, and shown nowhere among the webhooks", async () => {
    const listener = await client.create(["link.click", "link.create", "link.create"]);
    expect(listener).toEqual({
      id: listener.id,
      events: ["link.click", "link.create"],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: START,
      expiresAt: START + HOUR_MS,
    });
    expect(await env.DB.prepare("SELECT secret FROM webhooks").first("secret")).not.toContain(listener.secret);
    const path = `/api/webhooks/${listener.id}`;
    const requests = [
      ["GET", path],
      ["PATCH", path, { events: ["link.delete"] }],
      ["PATCH", path, { status: "inactive" }],
      ["DELETE", path],
      ["POST", path],
      ["POST", `${path}/rotate-secret`],
      ["GET", `${path}/deliveries`],
      ["POST", `${path}/deliveries/retry`, { since: START }],
    ] as const;
    const rowBefore = await env.DB.prepare("SELECT * FROM webhooks").first();
    for (const [method, target, body] of requests) {
      const answer = await errorOf(await service.call(method, target, { key, body }));
      const fault = { path: "", code: "not_found", resource: "webhook" };
      expect([method, target, ...answer]).toMatchObject([method, target, 404, [fault]]);
    }
    expect(await env.DB.prepare("SELECT * FROM webhooks").first()).toEqual(rowBefore);
    for (let n = 0; n < 10; n++) await service.createWebhook(key);
    const list = await jsonOf<{ webhooks: { id: string }[] }>(
      await service.call("GET", "/api/webhooks?limit=100", { key }),
    );
    expect(list.webhooks).toHaveLength(10);
    expect(list.webhooks.map(({ id }) => id)).not.toContain(listener.id);
    const usage = await service.call("GET", "/api/usage", { key });
    expect(await jsonOf(usage)).toMatchObject({ usage: { webhooks: { used: 10 } } });
    // A webhook is no listener either.
    const [webhook] = list.webhooks;
    expect(await errorOf(await client.send("GET", `/${webhook?.id}/events`))).toMatchObject(GONE);
    expect(await errorOf(await client.send("DELETE", `/${webhook?.id}`))).toMatchObject(GONE);
  });

  it("is listed while it lives, newest first, with its secret masked", async () => {
    const list = async (query = "", by = key) =>
      jsonOf<ListenerList>(await service.call("GET", `/api/listeners${query}`, { key: by }));
    const shown = ({ secret, ...listener }: ListenerWithSecret) => ({
      ...listener,
      secret: `${secret.slice(0, 8)}${"*".repeat(42)}`,
    });
    expect(await list()).toEqual({ listeners: [], nextCursor: null });
    const first = await client.create(["link.click"]);
    advance(1_000);
    const second = await client.create();
    await service.createWebhook(key);
    await new Client(service, (await createAccount()).key).create();
    expect(await list()).toEqual({ listeners: [shown(second), shown(first)], nextCursor: null });
    const { listeners, nextCursor } = await list("?limit=1");
    expect([listeners, await list(`?limit=1&cursor=${nextCursor}`)]).toEqual([
      [shown(second)],
      { listeners: [shown(first)], nextCursor: null },
    ]);
    expect(await list("?limit=1&page=2")).toEqual({ listeners: [shown(first)], nextCursor: null });
    advance(HOUR_MS - 1_000);
    await client.poll(second.id);
    expect(await list()).toEqual({
      listeners: [{ ...shown(second), expiresAt: Date.now() + HOUR_MS }],
      nextCursor: null,
    });
    const { key: writer } = await addKey(accountId, ["webhooks:write"]);
    const refused = await service.call("GET", "/api/listeners", { key: writer });
    expect(await errorOf(refused)).toMatchObject(lacks("webhooks:read"));
  });

  it("costs a list the key and a row for each listener, beside any number of webhooks", async () => {
    await client.create();
    await client.create();
    for (let n = 0; n < 10; n++) await service.createWebhook(key);
    await service.call("GET", "/api/keys", { key });
    const cost = await measureD1(() => service.call("GET", "/api/listeners", { key }));
    // Each has an entry of the index, and one of the sorting.
    expect([cost.rowsRead, cost.rowsWritten, cost.roundTrips]).toEqual([5, 0, 2]);
  });

  it("can be one of two, whatever is requested at the same time", async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => client.send("POST", "", { events: ["link.create"] })),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, ...Array<number>(38).fill(409)]);
    expect(await countRows("webhooks")).toBe(2);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused && (await jsonOf(refused))).toMatchObject({
      code: "limit_reached",
      details: [{ path: "", code: "limit_reached", resource: "listener", max: 2 }],
    });
    // A listener that was deleted makes room, and so does one that has expired, before the cron deletes it.
    const { results } = await env.DB.prepare("SELECT id FROM webhooks").all<{ id: string }>();
    expect(await jsonOf(await client.send("DELETE", `/${results[0]?.id.toUpperCase()}`))).toEqual({ success: true });
    await client.create();
    expect((await client.send("POST", "", { events: ["link.create"] })).status).toBe(409);
    advance(HOUR_MS);
    await client.create();
    expect(await countRows("webhooks")).toBe(1);
  });

  it("is deleted an hour after its last poll", async () => {
    const [polled, other] = [await client.create(), await client.create()];
    advance(HOUR_MS - 1);
    await client.poll(polled.id);
    advance(1);
    for (const [method, path] of [
      ["GET", "/events"],
      ["DELETE", ""],
    ] as const)
      expect(await errorOf(await client.send(method, `/${other.id}${path}`))).toMatchObject(GONE);
    await service.cron();
    expect(await countRows("webhooks")).toBe(1);
    advance(HOUR_MS - 2);
    await client.poll(polled.id);
    advance(HOUR_MS);
    expect(await errorOf(await client.send("GET", `/${polled.id}/events`))).toMatchObject(GONE);
    await service.cron();
    expect(await countRows("webhooks")).toBe(0);
  });

  it("is refused with a clear error when the request is wrong", async () => {
    const { id } = await client.create();
    const bodies = [
      [{ events: [] }, { path: "events", code: "empty" }],
      [{ events: ["webhook.test"] }, { path: "events.0", code: "not_one_of" }],
      [
        { events: ["link.create"], url: "https://example.com/" },
        { path: "url", code: "unknown_field" },
      ],
    ] as const;
    for (const [body, fault] of bodies)
      expect(await errorOf(await client.send("POST", "", body))).toMatchObject([400, [fault]]);
    const queries = [
      ["?wait=21", { path: "wait", code: "too_large", max: 20 }],
      ["?wait=soon", { path: "wait", code: "not_whole" }],
      ["?after=1", { path: "after", code: "not_a_cursor" }],
      ["?after=-1", { path: "after", code: "not_a_cursor" }],
      ["?since=1", { path: "since", code: "unknown_field" }],
    ] as const;
    for (const [query, fault] of queries)
      expect(await errorOf(await client.send("GET", `/${id}/events${query}`))).toMatchObject([400, [fault]]);
    // A program that has no cursor yet may send an empty one.
    expect(await client.poll(id, "?after=")).toEqual({ events: [], next: "0", missed: false });
    for (const unknown of [newId(START), "x"])
      expect(await errorOf(await client.send("GET", `/${unknown}/events`))).toMatchObject(GONE);
  });
});

describe("the rights", () => {
  it("to read the events are needed to create and to poll a listener", async () => {
    const { id } = await client.create(["link.create", "link.click", "domain.lost"]);
    const { key: writer } = await addKey(accountId, ["webhooks:write", "links:read"]);
    const other = new Client(service, writer);
    const error = lacks("clicks:read", "domains:read");
    const body = { events: ["domain.lost", "link.click", "link.create"] };
    expect(await errorOf(await other.send("POST", "", body))).toMatchObject(error);
    expect(await errorOf(await other.send("GET", `/${id}/events`))).toMatchObject(error);
    const mine = await other.create(["link.create"]);
    expect(await other.poll(mine.id)).toEqual({ events: [], next: "0", missed: false });
    expect((await other.send("DELETE", `/${id}`)).status).toBe(200);
  });

  it("are those of the account that has the listener", async () => {
    const { id } = await client.create();
    const stranger = new Client(service, (await createAccount()).key);
    const error = [403, [{ path: "", code: "of_another_account", resource: "listener" }]];
    expect(await errorOf(await stranger.send("GET", `/${id}/events`))).toMatchObject(error);
    expect(await errorOf(await stranger.send("DELETE", `/${id}`))).toMatchObject(error);
    expect(await client.poll(id)).toMatchObject({ events: [] });
  });
});
