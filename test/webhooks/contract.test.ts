import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Webhook } from "../../src/webhooks/contract.ts";
import { addKey, buildRequest, createAccount, errorOf, jsonOf, send, type ErrorJson } from "../support/api.ts";
import { accountId, advance, key, service, START, startService } from "./support.ts";

beforeEach(startService);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NEW = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.click"] };
const patch = (id: string, body: unknown, as = key) => service.call("PATCH", `/api/webhooks/${id}`, { key: as, body });

describe("creating (4.1)", () => {
  it("responds 201 with the fields of the specification and the full secret", async () => {
    const response = await service.call("POST", "/api/webhooks", { key, body: NEW });
    expect(response.status).toBe(201);
    const { webhook } = await jsonOf<{ webhook: Webhook }>(response);
    expect(webhook).toEqual({
      id: expect.stringMatching(UUID),
      url: NEW.url,
      events: ["link.click", "link.create"],
      format: "event",
      linkIds: null,
      tags: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      status: "active",
      createdAt: START,
      failureCount: 0,
    });
    expect(atob(webhook.secret.slice(6))).toHaveLength(32);
  });

  it("shows the secret once, then only its first 8 characters", async () => {
    const { id, secret } = await service.createWebhook(key);
    const masked = secret.slice(0, 8) + "*".repeat(42);
    const listed = await jsonOf<{ webhooks: Webhook[] }>(await service.call("GET", "/api/webhooks", { key }));
    expect(listed.webhooks.map((webhook) => webhook.secret)).toEqual([masked]);
    expect((await service.getWebhook(key, id)).secret).toBe(masked);
    const updated = await jsonOf<{ webhook: Webhook }>(await patch(id, { events: ["link.delete"] }));
    expect(updated.webhook).toMatchObject({ secret: masked, events: ["link.delete"] });
  });

  it("stores the secret encrypted under the operator's key, bound to its webhook", async () => {
    const { id, secret } = await service.createWebhook(key);
    const row = await env.DB.prepare("SELECT * FROM webhooks WHERE id = ?1").bind(id).first();
    expect(JSON.stringify(row)).not.toContain(secret.slice(8, 40));
    expect(row?.["secret"]).toMatch(/^test\./);
  });

  it.each([
    [{ events: NEW.events }, "url"],
    [{ url: NEW.url }, "events"],
    [{ ...NEW, events: [] }, "events"],
    [{ ...NEW, events: ["link.created"] }, "events.0"],
    [{ ...NEW, events: "link.create" }, "events"],
    [{ ...NEW, url: 5 }, "url"],
    [{ ...NEW, url: "" }, "url"],
    [{ ...NEW, secret: "mine" }, "secret"],
    [{ ...NEW, linkIds: [] }, "linkIds"],
    [{ ...NEW, linkIds: ["abc"] }, "linkIds.0"],
    [{ ...NEW, tags: [""] }, "tags.0"],
    [{ ...NEW, tags: Array.from({ length: 101 }, (_, n) => `t${n}`) }, "tags"],
    [{ ...NEW, status: "active" }, "status"],
    [{ ...NEW, url: `https://hooks.receiver.dev/${"x".repeat(2_048)}` }, "url"],
  ])("refuses %j, naming %s", async (body, path) => {
    expect(await errorOf(await service.call("POST", "/api/webhooks", { key, body }))).toMatchObject({
      status: 400,
      code: "invalid_request",
      details: [{ path }],
    });
  });

  it("accepts exactly ten per account, also with concurrent requests (8.2)", async () => {
    const keys = [key, (await addKey(accountId)).key];
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const response = await service.call("POST", "/api/webhooks", { key: keys[n % 2], body: NEW });
        if (response.status !== 201) expect(await jsonOf(response)).toMatchObject({ code: "limit_reached" });
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(30);
    const other = await createAccount();
    expect((await service.call("POST", "/api/webhooks", { key: other.key, body: NEW })).status).toBe(201);
  });
});

describe("listing", () => {
  it("has the fields of the specification and pages, newest first", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      ids.unshift((await service.createWebhook(key)).id);
      advance(1);
    }
    const first = await jsonOf<{ webhooks: Webhook[]; nextCursor: string }>(
      await service.call("GET", "/api/webhooks?limit=2", { key }),
    );
    expect(first.webhooks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.webhooks[0]).toEqual({
      id: ids[0],
      url: NEW.url,
      events: ["link.create"],
      format: "event",
      linkIds: null,
      tags: null,
      secret: expect.any(String),
      status: "active",
      disabledReason: null,
      disabledAt: null,
      createdAt: START + 2,
      lastTriggeredAt: null,
      failureCount: 0,
    });
    const path = `/api/webhooks?limit=2&cursor=${first.nextCursor}`;
    const second = await jsonOf<{ webhooks: Webhook[]; nextCursor: null }>(await service.call("GET", path, { key }));
    expect([second.webhooks.map(({ id }) => id), second.nextCursor]).toEqual([ids.slice(2), null]);
    const other = await createAccount();
    expect(await jsonOf(await service.call("GET", "/api/webhooks", { key: other.key }))).toEqual({
      webhooks: [],
      nextCursor: null,
    });
  });
});

describe("changing (4.1, 3.1)", () => {
  it("changes only the given fields", async () => {
    const { id } = await service.createWebhook(key, { tags: ["sale"] });
    const response = await patch(id, { url: "http://other.receiver.dev/", events: ["link.click", "link.click"] });
    expect(response.status).toBe(200);
    expect(await service.getWebhook(key, id)).toMatchObject({
      url: "http://other.receiver.dev/",
      events: ["link.click"],
      tags: ["sale"],
      status: "active",
    });
    await patch(id, { tags: null });
    expect((await service.getWebhook(key, id)).tags).toBeNull();
  });

  it("says that a restored backup holds it, unless its account turns it off", async () => {
    const { id } = await service.createWebhook(key);
    await env.DB.prepare("UPDATE webhooks SET status = 'inactive', disabled_reason = 'restored'").run();
    expect(await service.getWebhook(key, id)).toMatchObject({ status: "inactive", disabledReason: "restored" });
    await patch(id, { status: "inactive" });
    expect((await service.getWebhook(key, id)).disabledReason).toBe("manual");
  });

  it("deactivates and reactivates, which sets the failure count to 0", async () => {
    const { id } = await service.createWebhook(key);
    await env.DB.prepare("UPDATE webhooks SET failure_count = 7, resume_at = 5").run();
    await patch(id, { status: "inactive" });
    expect(await service.getWebhook(key, id)).toMatchObject({
      status: "inactive",
      failureCount: 7,
      disabledReason: "manual",
      disabledAt: START,
    });
    advance(5);
    await patch(id, { status: "inactive" });
    expect((await service.getWebhook(key, id)).disabledAt).toBe(START);
    await patch(id, { status: "active" });
    expect(await service.getWebhook(key, id)).toMatchObject({
      status: "active",
      failureCount: 0,
      disabledReason: null,
      disabledAt: null,
    });
  });

  it.each([
    [{}],
    [{ status: "disabled" }],
    [{ status: null }],
    [{ failureCount: 0 }],
    [{ url: null }],
    [{ url: "http://10.0.0.1/" }],
  ])("refuses %j", async (body) => {
    const { id } = await service.createWebhook(key);
    expect(await errorOf(await patch(id, body))).toMatchObject({ status: 400, code: "invalid_request" });
  });
});

describe("deleting", () => {
  it("responds success, then 404", async () => {
    const { id } = await service.createWebhook(key);
    const response = await service.call("DELETE", `/api/webhooks/${id}`, { key });
    expect([response.status, await jsonOf(response)]).toEqual([200, { success: true }]);
    for (const method of ["GET", "DELETE", "POST"])
      expect((await service.call(method, `/api/webhooks/${id}`, { key })).status).toBe(404);
  });
});

describe("every route of one webhook", () => {
  const ROUTES: [string, string, unknown?][] = [
    ["GET", ""],
    ["PATCH", "", { status: "active" }],
    ["POST", ""],
    ["DELETE", ""],
    ["GET", "/deliveries"],
    ["GET", "/deliveries/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"],
    ["POST", "/deliveries/retry", { since: 0 }],
    ["POST", "/deliveries/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f/retry"],
    ["POST", "/rotate-secret"],
  ];
  it.each(ROUTES)(
    "%s %s: 403 for another account, 404 if it does not exist, 403 without the permission",
    async (method, path, body) => {
      const { id } = await service.createWebhook(key);
      const other = await createAccount();
      const call = (as: string, webhook: string) =>
        service.call(method, `/api/webhooks/${webhook}${path}`, { key: as, body });
      expect(await errorOf(await call(other.key, id))).toMatchObject({ status: 403, code: "forbidden" });
      expect((await call(key, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f")).status).toBe(404);
      expect((await call(key, "nonsense")).status).toBe(404);
      const reader = await addKey(accountId, method === "GET" ? ["webhooks:write"] : ["webhooks:read"]);
      const error = await errorOf(await call(reader.key, id));
      expect(error.status).toBe(403);
      expect(error.details).toMatchObject([
        { code: "lacks_permission", allowed: [method === "GET" ? "webhooks:read" : "webhooks:write"] },
      ]);
      expect((await service.getWebhook(key, id)).id).toBe(id);
    },
  );
});

it.each([
  ["https://tern.test", ""],
  ["http://localhost:8787", ", or start Tern with npm start -- --var WEBHOOK_ALLOWED_PRIVATE_HOSTS:localhost"],
])("a webhook on this machine is refused by the service at %s with what to use", async (BASE_URL, option) => {
  const { key } = await createAccount();
  const body = { url: "http://localhost:3000/hooks", events: ["link.create"] };
  const response = await send(buildRequest("POST", `${BASE_URL}/api/webhooks`, { key, body }), { BASE_URL });
  expect([response.status, (await jsonOf<ErrorJson>(response)).details]).toMatchObject([
    400,
    [
      {
        path: "url",
        code: "private_host",
        example: `tern listen --forward-to http://localhost:3000/hooks brings the events to a program on your machine${option}`,
      },
    ],
  ]);
});
