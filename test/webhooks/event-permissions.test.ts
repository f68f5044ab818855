import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Batch } from "../../src/platform/database/batch.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { insertDelivery, type NewEvent } from "../../src/webhooks/store/deliveries.ts";
import { addKey, createAccount, errorOf, jsonOf } from "../support/api.ts";
import { accountId, key, service, START, startService } from "./support.ts";

beforeEach(startService);

const NEW = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.click"] };
const patch = (id: string, body: unknown, as = key) => service.call("PATCH", `/api/webhooks/${id}`, { key: as, body });

describe("the permission to read the events", () => {
  /** The event types, with the permission that reads each. */
  const EVENTS = {
    "link.click": "clicks:read",
    "link.create": "links:read",
    "link.update": "links:read",
    "link.delete": "links:read",
    "link.expired": "links:read",
    "domain.verified": "domains:read",
    "domain.lost": "domains:read",
  } as const;

  it("is needed to subscribe, when creating and when changing", async () => {
    const { id } = await service.createWebhook(key, { events: ["webhook.test"] });
    const { key: writer } = await addKey(accountId, ["webhooks:write"]);
    for (const permission of new Set(Object.values(EVENTS))) {
      const { key: reader, keyId } = await addKey(accountId, ["webhooks:write", permission]);
      for (const [event, required] of Object.entries(EVENTS)) {
        if (required !== permission) continue;
        const error = { status: 403, code: "forbidden", details: [{ code: "lacks_permission", allowed: [required] }] };
        const body = { ...NEW, events: [event, "webhook.test"] };
        const create = (as: string) => service.call("POST", "/api/webhooks", { key: as, body });
        expect(await errorOf(await create(writer))).toMatchObject(error);
        expect(await errorOf(await patch(id, { events: [event] }, writer))).toMatchObject(error);
        expect((await create(reader)).status).toBe(201);
        expect((await patch(id, { events: [event] }, reader)).status).toBe(200);
        expect(await errorOf(await patch(id, { events: ["webhook.test"] }, writer))).toMatchObject(error);
        expect((await patch(id, { events: ["webhook.test"] }, reader)).status).toBe(200);
      }
      await service.call("DELETE", `/api/keys/${keyId}`, { key });
    }
    const all = await errorOf(await patch(id, { events: Object.keys(EVENTS) }, writer));
    expect(all.details).toMatchObject([
      { path: "", code: "lacks_permission", allowed: ["clicks:read", "links:read", "domains:read"] },
    ]);
    expect((await service.getWebhook(key, id)).events).toEqual(["webhook.test"]);
  });

  it("is needed for every change of a webhook that has them, but not to turn it off", async () => {
    const { id } = await service.createWebhook(key, { events: ["link.create", "link.click"] });
    const { key: links } = await addKey(accountId, ["webhooks:write", "links:read"]);
    const changes = [
      { url: "https://other.receiver.dev/" },
      { tags: ["sale"] },
      { linkIds: null },
      { status: "active" },
      { status: "inactive", url: "https://other.receiver.dev/" },
    ];
    for (const change of changes)
      expect(await errorOf(await patch(id, change, links))).toMatchObject({
        status: 403,
        details: [{ code: "lacks_permission", allowed: ["clicks:read"] }],
      });
    expect(await service.getWebhook(key, id)).toMatchObject({ url: NEW.url, tags: null, status: "active" });
    expect((await patch(id, { status: "inactive" }, links)).status).toBe(200);
    // Clicks that wait for their next attempt would go to the new URL.
    const onlyLinks = { events: ["link.create"], url: "https://other.receiver.dev/" };
    expect((await errorOf(await patch(id, onlyLinks, links))).details).toMatchObject([
      { code: "lacks_permission", allowed: ["clicks:read"] },
    ]);
    expect((await patch(id, { events: ["link.create"] })).status).toBe(200);
    expect((await patch(id, { ...onlyLinks, status: "active" }, links)).status).toBe(200);
    const stranger = await createAccount(["webhooks:write"]);
    expect((await errorOf(await patch(id, { tags: null }, stranger.key))).details).toMatchObject([
      { code: "of_another_account", resource: "webhook" },
    ]);
  });
});

it("a reactivation that is refused leaves the deliveries that wait as they are", async () => {
  const { id } = await service.createWebhook(key, { events: ["link.create"] });
  await service.createLink(key);
  await env.DB.prepare("UPDATE deliveries SET due_at = due_at + 60000").run();
  expect((await patch(id, { status: "inactive" })).status).toBe(200);
  const dueAt = () => env.DB.prepare("SELECT due_at FROM deliveries").first<number>("due_at");
  const before = await dueAt();
  const { key: writer } = await addKey(accountId, ["webhooks:write"]);
  expect((await patch(id, { status: "active" }, writer)).status).toBe(403);
  expect(await dueAt()).toBe(before);
  expect((await patch(id, { status: "active" })).status).toBe(200);
  expect(await dueAt()).not.toBe(before);
});

describe("the permission to read events that the webhook sent before", () => {
  /** A webhook that subscribes to link.create only, with an undelivered link.delete and domain.lost of the past. */
  async function resubscribed(status: "pending" | "failed") {
    const { id } = await service.createWebhook(key, { events: ["link.create"] });
    const [mine, other] = [newId(START), newId(START + 1)];
    const insert = (eventId: string, type: NewEvent["type"]) => {
      const batch = new Batch(env.DB);
      const event = { id: eventId, type, body: "{}", createdAt: START };
      insertDelivery(batch, id, event, { status, dueAt: status === "pending" ? START + 1_000 : null });
      return batch.commit();
    };
    await insert(mine, "link.delete");
    await insert(other, "domain.lost");
    return { id, mine, other };
  }

  it("is needed to see and retry one, and to retry several", async () => {
    const { id, mine, other } = await resubscribed("failed");
    const { key: links } = await addKey(accountId, ["webhooks:read", "webhooks:write", "links:read"]);
    const path = `/api/webhooks/${id}/deliveries`;
    const requests = [
      ["GET", `${path}/${other}`],
      ["POST", `${path}/${other}/retry`],
      ["POST", `${path}/retry`, { since: START }],
    ] as const;
    for (const [method, target, body] of requests)
      expect(await errorOf(await service.call(method, target, { key: links, body }))).toMatchObject({
        status: 403,
        details: [{ code: "lacks_permission", allowed: ["domains:read"] }],
      });
    expect((await service.listDeliveries(key, id)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect((await service.call("GET", `${path}/${mine}`, { key: links })).status).toBe(200);
    expect((await service.call("POST", `${path}/${mine}/retry`, { key: links })).status).toBe(200);
    const later = await service.call("POST", `${path}/retry`, { key: links, body: { since: START + 2 } });
    expect(await jsonOf(later)).toEqual({ retried: 0 });
    const all = await service.call("POST", `${path}/retry`, { key, body: { since: START } });
    expect(await jsonOf(all)).toEqual({ retried: 2 });
  });

  it("is needed to change the webhook and to rotate its secret while one is pending", async () => {
    const { id } = await resubscribed("pending");
    const { key: links } = await addKey(accountId, ["webhooks:write", "links:read"]);
    const rotate = () => service.call("POST", `/api/webhooks/${id}/rotate-secret`, { key: links });
    const error = { status: 403, details: [{ code: "lacks_permission", allowed: ["domains:read"] }] };
    expect(await errorOf(await patch(id, { url: "https://other.receiver.dev/" }, links))).toMatchObject(error);
    expect(await errorOf(await rotate())).toMatchObject(error);
    await env.DB.prepare("UPDATE deliveries SET status = 'delivered', due_at = NULL").run();
    expect((await patch(id, { url: "https://other.receiver.dev/" }, links)).status).toBe(200);
    expect((await rotate()).status).toBe(200);
  });
});
