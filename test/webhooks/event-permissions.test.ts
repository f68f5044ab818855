import { beforeEach, describe, expect, it } from "vitest";
import { addKey, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { startService, type Service } from "./support.ts";

let service: Service;
let key: string;
let accountId: number;
beforeEach(async () => ({ service, key, accountId } = await startService()));

const NEW = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.click"] };
const patch = (id: string, body: unknown, as = key) => service.call("PATCH", `/api/webhooks/${id}`, { key: as, body });

async function errorOf(response: Response): Promise<ErrorJson & { status: number }> {
  return { status: response.status, ...(await jsonOf<ErrorJson>(response)) };
}

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
        const error = { status: 403, code: "forbidden", error: `This key lacks the permission ${required}.` };
        const body = { ...NEW, events: [event, "webhook.test"] };
        const create = (as: string) => service.call("POST", "/api/webhooks", { key: as, body });
        expect(await errorOf(await create(writer))).toMatchObject(error);
        expect(await errorOf(await patch(id, { events: [event] }, writer))).toMatchObject(error);
        expect((await create(reader)).status).toBe(201);
        expect((await patch(id, { events: [event] }, reader)).status).toBe(200);
        expect((await patch(id, { events: ["webhook.test"] }, writer)).status).toBe(200);
      }
      await service.call("DELETE", `/api/keys/${keyId}`, { key });
    }
    const all = await errorOf(await patch(id, { events: Object.keys(EVENTS) }, writer));
    expect(all.error).toBe("This key lacks the permissions clicks:read and links:read and domains:read.");
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
        error: "This key lacks the permission clicks:read.",
      });
    expect(await service.getWebhook(key, id)).toMatchObject({ url: NEW.url, tags: null, status: "active" });
    expect((await patch(id, { status: "inactive" }, links)).status).toBe(200);
    const onlyLinks = { events: ["link.create"], url: "https://other.receiver.dev/" };
    expect((await patch(id, onlyLinks, links)).status).toBe(200);
    expect((await patch(id, { status: "active" }, links)).status).toBe(200);
    const stranger = await createAccount(["webhooks:write"]);
    expect((await errorOf(await patch(id, { tags: null }, stranger.key))).error).toContain("another account");
  });
});
