import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Webhook } from "../../src/webhooks/contract.ts";
import { MAX_TEMPLATE_CHARS } from "../../src/webhooks/limits.ts";
import { placeholdersOf } from "../../src/webhooks/messages/placeholders.ts";
import { jsonOf, type ErrorJson } from "../support/api.ts";
import { whileHeld } from "../support/d1-client.ts";
import { internet, startService, type Service } from "./support.ts";

let service: Service;
let key: string;
beforeEach(async () => ({ service, key } = await startService()));

const CREATED = { "link.create": "New: {{link.title|no title}}" };
const NEW = { url: "https://hooks.receiver.dev/in", events: ["link.create"], format: "discord", templates: CREATED };

async function create(fields: object = {}): Promise<Webhook> {
  const response = await service.call("POST", "/api/webhooks", { key, body: { ...NEW, ...fields } });
  expect(response.status).toBe(201);
  return (await jsonOf<{ webhook: Webhook }>(response)).webhook;
}

async function patch(id: string, body: object): Promise<Webhook> {
  const response = await service.call("PATCH", `/api/webhooks/${id}`, { key, body });
  expect(response.status).toBe(200);
  return (await jsonOf<{ webhook: Webhook }>(response)).webhook;
}

async function refusal(method: string, path: string, body: object): Promise<ErrorJson["details"]> {
  const response = await service.call(method, path, { key, body });
  expect(response.status).toBe(400);
  return (await jsonOf<ErrorJson>(response)).details;
}

const contents = async () =>
  (await internet.received()).map(({ body }) => (JSON.parse(body) as { content: string }).content);

describe("templates of a webhook", () => {
  it("make the messages about their events, and other events have the fixed one", async () => {
    const { id, templates } = await create({ events: ["link.create", "link.update"] });
    expect(templates).toEqual(CREATED);
    const link = await service.createLink(key, { title: "*Sale*" });
    await service.deliver();
    expect(await contents()).toEqual([String.raw`New\: \*Sale\*`]);
    await internet.forget();
    await service.call("PATCH", `/api/links/${link.id}`, { key, body: { title: null } });
    await service.deliver();
    expect(await contents()).toEqual([expect.stringMatching(/^\*\*A link was changed\*\*\n/)]);
    expect((await service.getWebhook(key, id)).templates).toEqual(CREATED);
  });

  it("are replaced as a whole and removed", async () => {
    const { id } = await create({ events: ["link.create", "link.delete"] });
    const other = { "link.delete": "Gone: {{link.slug}}" };
    expect((await patch(id, { templates: other })).templates).toEqual(other);
    expect((await patch(id, { events: ["link.delete"] })).templates).toEqual(other);
    expect((await patch(id, { format: "teams" })).templates).toEqual(other);
    expect((await patch(id, { templates: {} })).templates).toBeNull();
    expect((await patch(id, { templates: other })).templates).toEqual(other);
    expect(await patch(id, { format: "event", templates: null })).toMatchObject({ format: "event", templates: null });
  });

  it("make the same bytes again when a delivery is repeated", async () => {
    const { id } = await create();
    await service.createLink(key, { title: "Sale" });
    await service.deliver();
    const [first] = await internet.received();
    const path = `/api/webhooks/${id}/deliveries/${first?.headers["webhook-id"]}/retry`;
    expect((await service.call("POST", path, { key })).status).toBe(200);
    await service.deliver();
    const all = await internet.received();
    expect(all.map(({ body }) => body)).toEqual([first?.body, first?.body]);
  });

  it("are shown by a test ping, with examples", async () => {
    const templates = { ...CREATED, "domain.lost": "**{{domain.name}}** is lost" };
    const { id } = await create({ events: ["link.create", "domain.lost"], templates });
    expect(await jsonOf(await service.call("POST", `/api/webhooks/${id}`, { key }))).toMatchObject({ success: true });
    expect(await contents()).toEqual([
      String.raw`**This is a test message\: events will appear here**` +
        "\n\nNew\\: Spring sale\n\n**go.example** is lost",
    ]);
  });

  it("are stored in NFC, with line feeds and without surrounding spaces", async () => {
    const { templates } = await create({ templates: { "link.create": " a\r\nu\u0308 \n" } });
    expect(templates).toEqual({ "link.create": "a\nü" });
  });
});

describe("refusing templates", () => {
  it.each([
    ["{{link.shrtUrl}}", "has {{link.shrtUrl}}, which link.create does not have; did you mean {{link.shortUrl}}?"],
    ["{{click.country}}", "has {{click.country}}, which link.create does not have."],
  ])("names the placeholder of %s, and all known ones", async (text, beginning) => {
    const details = await refusal("POST", "/api/webhooks", { ...NEW, templates: { "link.create": text } });
    const message = `${beginning} Known: ${placeholdersOf("link.create").join(", ")}`;
    expect(details).toEqual([{ path: "templates.link.create", message }]);
  });

  it.each([
    ["{{link.title", "has {{link.title without }}; write \\{ for a brace that is text"],
    ["link.title}}", "has link.title}} without {{; write \\} for a brace that is text"],
    ["[a](javascript:x)", expect.stringMatching(/^has a link to javascript:x; it must begin with https:\/\/ /)],
    ["", "must not be empty; leave it out for the message without a template"],
    ["a\u0007", "must not contain unreadable characters"],
    ["a".repeat(MAX_TEMPLATE_CHARS + 1), `must have at most ${MAX_TEMPLATE_CHARS} characters`],
    [5, "must be a string"],
  ])("says what is wrong with %j", async (text, message) => {
    const details = await refusal("POST", "/api/webhooks", { ...NEW, templates: { "link.create": text } });
    expect(details).toEqual([{ path: "templates.link.create", message }]);
  });

  it("for each event has room for all known placeholders in the error", async () => {
    const types = ["link.click", "link.expired", "domain.lost"] as const;
    const part = `a.${"b".repeat(200)}`;
    const templates = Object.fromEntries(types.map((type) => [type, `{{${part}}}`]));
    const details = await refusal("POST", "/api/webhooks", { ...NEW, events: types, templates });
    expect(details?.map(({ path }) => path)).toEqual(types.map((type) => `templates.${type}`));
    for (const [index, type] of types.entries())
      expect(details?.[index]?.message.endsWith(placeholdersOf(type).at(-1) ?? "?")).toBe(true);
  });

  it.each([
    [{ format: "event" }, "templates"],
    [{ format: undefined }, "templates"],
    [{ templates: { "link.delete": "Gone" } }, "templates.link.delete"],
    [{ templates: { "webhook.test": "Test" } }, "templates.webhook.test"],
    [{ templates: { "link.created": "New" } }, "templates.link.created"],
    [{ templates: "New" }, "templates"],
  ])("of %j names %s", async (fields, path) => {
    expect(await refusal("POST", "/api/webhooks", { ...NEW, ...fields })).toMatchObject([{ path }]);
  });

  it("of a change looks at what is stored", async () => {
    const { id } = await create();
    const path = `/api/webhooks/${id}`;
    expect(await refusal("PATCH", path, { format: "event" })).toMatchObject([{ path: "format" }]);
    expect(await refusal("PATCH", path, { events: ["link.delete"] })).toMatchObject([{ path: "events" }]);
    const templates = { "link.delete": "Gone" };
    expect(await refusal("PATCH", path, { templates })).toMatchObject([{ path: "templates.link.delete" }]);
    expect(await patch(id, { templates, events: ["link.delete"] })).toMatchObject({ templates });
    const { id: plain } = await create({ format: "event", templates: null });
    expect(await refusal("PATCH", `/api/webhooks/${plain}`, { templates: CREATED })).toMatchObject([
      { path: "templates" },
    ]);
  });
});

it("a refused reactivation leaves the deliveries that wait as they are", async () => {
  const { id } = await create({ templates: undefined });
  await service.createLink(key);
  await env.DB.prepare("UPDATE deliveries SET due_at = due_at + 60000").run();
  await patch(id, { status: "inactive" });
  const dueAt = () => env.DB.prepare("SELECT due_at FROM deliveries").first<number>("due_at");
  const before = await dueAt();
  await refusal("PATCH", `/api/webhooks/${id}`, { status: "active", format: "event", templates: CREATED });
  expect(await dueAt()).toBe(before);
  await patch(id, { status: "active" });
  expect(await dueAt()).not.toBe(before);
});

describe("changes at the same time", () => {
  const UPDATED = { events: ["link.update"] };

  it.each([
    [{ format: "event" }, { templates: CREATED }, "templates"],
    [{ templates: CREATED }, { format: "event" }, "format"],
    [UPDATED, { templates: CREATED }, "templates.link.create"],
    [{ templates: CREATED }, UPDATED, "events"],
  ])(
    "leave no templates that cannot be used: %j is made while %j waits for the database",
    async (first, later, path) => {
      const { id } = await create({ templates: undefined });
      const waits = Promise.withResolvers<void>();
      let isHolding = false;
      const isLater = (statements: readonly string[]) => {
        if (isHolding || !statements.some((each) => each.startsWith("UPDATE webhooks SET url = url"))) return false;
        isHolding = true;
        waits.resolve();
        return true;
      };
      let refused: ReturnType<typeof refusal> = Promise.resolve([]);
      const changed = await whileHeld(isLater, async () => {
        refused = refusal("PATCH", `/api/webhooks/${id}`, later);
        await waits.promise;
        return patch(id, first);
      });
      const details = await refused;
      expect(details?.map((each) => each.path)).toEqual([path]);
      expect(await service.getWebhook(key, id)).toEqual(changed);
      // In sequence, the answer is the same.
      expect(await refusal("PATCH", `/api/webhooks/${id}`, later)).toEqual(details);
    },
  );

  it("is one change, and the other is refused", async () => {
    const { id } = await create({ templates: undefined });
    const bodies = [{ format: "event" }, { templates: CREATED }];
    const responses = await Promise.all(
      bodies.map((body) => service.call("PATCH", `/api/webhooks/${id}`, { key, body })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const made = bodies.find((_, index) => responses[index]?.status === 200);
    expect(await service.getWebhook(key, id)).toMatchObject(made ?? {});
    const updates = await env.DB.prepare("SELECT count(*) FROM audit_entries WHERE action = 'webhook.update'").first(
      "count(*)",
    );
    expect(updates).toBe(1);
  });
});
