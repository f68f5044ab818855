import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { OutboxBatch } from "../../src/platform/outbox/batch.ts";
import { accountEventSource } from "../../src/platform/outbox/statements.ts";
import { createAccount, jobContext, jsonOf } from "../support/api.ts";
import { loseFirstResponse } from "../support/lost-responses.ts";
import { accountId, advance, countRows, internet, key, service, START, startService } from "./support.ts";

beforeEach(startService);

const LINK_EVENTS = ["link.create", "link.update", "link.delete", "link.expired"];

interface Event {
  event: string;
  timestamp: number;
  data: Link;
}

const received = () => service.receivedEvents<Event>();
const link = (path: string, method = "GET", body?: unknown) => service.link(key, path, method, body);

const everyField = {
  url: "https://example.com/ä?q=☃#x",
  slug: "Alles-1",
  title: 'Größe "quoted" \\u001f \\ 🚀',
  tags: ["sale", 'a "b" \\u001f', "äöü", "comma,comma"],
  expiresAt: START + 86_400_000,
  expiredUrl: "https://example.com/over",
  maxClicks: 5,
  externalId: "order-1",
  redirectStatus: 307,
  passParameters: false,
  ios: 'acme://spring?ä="☃"',
  android: "https://example.com/android",
  geo: { DE: "https://example.com/de", AT: 'https://example.com/at?"' },
  rules: [
    { countries: ["CH"], languages: ["de", "fr"], startsAt: START, percentage: 12.5, url: "https://example.com/ch" },
    { devices: ["mobile"], os: ["iOS"], regions: ["US-CA"], referrers: ["news.example"], url: "https://example.com/m" },
  ],
  preview: { title: 'A "title" 🚀', description: "ä\\u001f", image: null },
};

describe("the events of links (6.1)", () => {
  beforeEach(() => service.createWebhook(key, { events: LINK_EVENTS }));

  it.each([[everyField], [{ url: "https://example.com/" }]])("report the link itself: %j", async (fields) => {
    const made = await link("/api/links", "POST", fields);
    expect(await received()).toEqual([{ event: "link.create", timestamp: START, data: made }]);

    advance(1_000);
    const changed = await link(`/api/links/${made.id}`, "PATCH", {
      title: null,
      tags: ["new"],
      url: "https://b.example/",
    });
    expect(await received()).toEqual([{ event: "link.update", timestamp: START + 1_000, data: changed }]);

    advance(1_000);
    expect((await service.call("DELETE", `/api/links/${made.id}`, { key })).status).toBe(200);
    expect(await received()).toEqual([{ event: "link.delete", timestamp: START + 2_000, data: changed }]);
  });

  it("contain the same JSON as the API's response", async () => {
    const made = await link("/api/links", "POST", everyField);
    await service.deliver();
    const [{ body } = { body: "" }] = await internet.received();
    expect(body).toBe(JSON.stringify({ event: "link.create", timestamp: START, data: made }));
  });

  it("are emitted by a shorten request with a key, and not without one", async () => {
    const body = { url: "https://example.com/" };
    await service.call("POST", "/api/shorten", { body });
    expect(await received()).toEqual([]);
    const { link: made } = await jsonOf<{ link: Link }>(await service.call("POST", "/api/shorten", { key, body }));
    expect(await received()).toEqual([{ event: "link.create", timestamp: START, data: made }]);
  });

  it("are not emitted if nothing was changed", async () => {
    const made = await link("/api/links", "POST", { url: "https://example.com/", slug: "taken", externalId: "e" });
    const free = await link("/api/links", "POST", { url: "https://example.com/", slug: "free" });
    const replayable = { key, body: { url: "https://example.com/" }, headers: { "Idempotency-Key": "k" } };
    await service.call("POST", "/api/links", replayable);
    expect(await received()).toHaveLength(3);
    const other = await createAccount();
    await service.createWebhook(other.key, { events: LINK_EVENTS });
    const calls: [string, string, string, unknown?][] = [
      ["POST", "/api/links", key, { url: "https://example.com/", slug: "TAKEN" }],
      ["POST", "/api/links", key, { url: "https://example.com/", externalId: "e" }],
      ["POST", "/api/links", key, { url: "nonsense" }],
      ["PATCH", `/api/links/${free.id}`, key, { slug: "taken" }],
      ["PATCH", `/api/links/${free.id}`, key, { externalId: "e" }],
      ["PATCH", `/api/links/${made.id}`, other.key, { title: "x" }],
      ["DELETE", `/api/links/${made.id}`, other.key],
      ["PATCH", `/api/links/${newId(START)}`, key, { title: "x" }],
      ["DELETE", `/api/links/${newId(START)}`, key],
    ];
    for (const [method, path, as, body] of calls) {
      expect((await service.call(method, path, { key: as, body })).status, `${method} ${path}`).toBeGreaterThan(399);
    }
    await service.call("POST", "/api/links", replayable);
    expect(await received()).toEqual([]);
    expect(await countRows("deliveries")).toBe(3);
  });

  it("are stored once if the write is sent twice because its response was lost", async () => {
    expect(await loseFirstResponse("INSERT INTO links", () => service.createLink(key))).toBe(2);
    expect([await countRows("event_bodies"), await countRows("deliveries"), service.messages.length]).toEqual([
      0, 1, 1,
    ]);
  });
});

describe("the recipients", () => {
  it("are none: then nothing is written", async () => {
    await service.createWebhook(key, { events: ["link.delete"] });
    const inactive = await service.createWebhook(key, { events: ["link.create"] });
    await service.call("PATCH", `/api/webhooks/${inactive.id}`, { key, body: { status: "inactive" } });
    await service.createWebhook((await createAccount()).key, { events: ["link.create"] });
    await service.createLink(key);
    expect([await countRows("event_bodies"), await countRows("deliveries"), service.messages]).toEqual([0, 0, []]);
  });

  it("are the subscribed webhooks of the account, and get the same event", async () => {
    for (const host of ["a", "b", "c"]) await service.createWebhook(key, { url: `https://${host}.receiver.dev/` });
    await service.createLink(key);
    await service.deliver();
    const got = await internet.received();
    expect(got.map(({ url }) => new URL(url).host).toSorted()).toEqual(
      ["a", "b", "c"].map((host) => `${host}.receiver.dev`),
    );
    expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
    const bodies = "SELECT (SELECT count(*) FROM event_bodies) AS shared, (SELECT count(body) FROM deliveries) AS own";
    expect(await env.DB.prepare(bodies).first()).toEqual({ shared: 1, own: 0 });
  });

  it("are only the webhooks whose links or tags match", async () => {
    const first = await service.createLink(key, { slug: "first" });
    const webhook = (host: string, fields: object) =>
      service.createWebhook(key, { url: `https://${host}.receiver.dev/`, events: ["link.update"], ...fields });
    await webhook("all", {});
    await webhook("first", { linkIds: [first.id] });
    await webhook("sale", { tags: ["SALE", "x"] });
    await webhook("either", { linkIds: [first.id], tags: ["sale"] });
    const recipientsOf = async (id: string, body: object) => {
      await internet.reset();
      await service.call("PATCH", `/api/links/${id}`, { key, body });
      await service.deliver();
      return (await internet.received()).map(({ url }) => new URL(url).host.split(".", 1).join("")).sort();
    };
    const second = await service.createLink(key, { slug: "second" });
    expect(await recipientsOf(first.id, { title: "x" })).toEqual(["all", "either", "first"]);
    expect(await recipientsOf(second.id, { title: "x" })).toEqual(["all"]);
    expect(await recipientsOf(second.id, { tags: ["Sale", "y"] })).toEqual(["all", "either", "sale"]);
    expect(await recipientsOf(second.id, { tags: ["sales", "xy"] })).toEqual(["all"]);
  });
});

describe("an event whose data is known before the change", () => {
  it("is emitted once if its condition holds in the same transaction", async () => {
    const webhook = await service.createWebhook(key, { events: ["domain.verified"] });
    const emit = (id: string, holds: boolean) => {
      const event = { id, accountId, type: "domain.verified" as const, data: { domain: "go.example" }, now: START };
      const batch = new OutboxBatch(jobContext(START, service.bindings));
      batch.enqueue(
        accountEventSource(event, (parameters) => `${parameters.add(Number(holds))} = 1`),
        id,
      );
      return batch.commit();
    };
    await emit(newId(START), false);
    const id = newId(START);
    for (let n = 0; n < 2; n++) await emit(id, true);
    const { results } = await env.DB.prepare("SELECT webhook_id, event_id, body FROM deliveries").all();
    const body = `{"event":"domain.verified","timestamp":${START},"data":{"domain":"go.example"}}`;
    expect(results).toEqual([{ webhook_id: webhook.id, event_id: id, body }]);
  });
});
