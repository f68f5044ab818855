import { beforeEach, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { createAccount, jsonOf } from "../../support/api.ts";
import {
  advance,
  countRows,
  internet,
  key,
  service,
  START,
  startService,
  type Received,
} from "../../webhooks/support.ts";

beforeEach(startService);

const EVENTS = ["link.create", "link.update", "link.delete", "link.expired"];

async function bulk<T>(method: string, body: unknown): Promise<T[]> {
  const response = await service.call(method, "/api/links/bulk", { key, body });
  return (await jsonOf<{ results: T[] }>(response)).results;
}

async function createLinks(links: object[]): Promise<Link[]> {
  return (await bulk<{ link: Link }>("POST", { links })).map(({ link }) => link);
}

/** The events that one webhook received, in the order of their links. */
function bodiesOf(received: Received[], path: string) {
  return received
    .filter(({ url }) => url.endsWith(path))
    .map(({ body }) => JSON.parse(body) as { event: string; timestamp: number; data: Link })
    .sort((a, b) => (a.data.id < b.data.id ? -1 : 1));
}

it("reports each of 100 links that are created at once, with one wake-up for each webhook", async () => {
  await service.createWebhook(key, { url: "https://hooks.receiver.dev/all", events: EVENTS });
  await service.createWebhook(key, { url: "https://hooks.receiver.dev/sale", events: EVENTS, tags: ["sale"] });
  await service.createWebhook(key, { url: "https://hooks.receiver.dev/updates", events: ["link.update"] });
  const links = Array.from({ length: 100 }, (_, n) => ({
    url: `https://example.com/${n}?q="ü"`,
    slug: `Many-${n}`,
    tags: n < 3 ? ["Sale", 'a"b'] : [],
    geo: n === 0 ? { DE: "https://example.com/de" } : {},
  }));
  const made = await createLinks(links);
  expect(service.messages).toHaveLength(2);
  await service.deliver();
  const received = await internet.received();
  const event = (data: Link) => ({ event: "link.create", timestamp: START, data });
  expect(bodiesOf(received, "/all")).toEqual(made.map(event));
  expect(bodiesOf(received, "/sale")).toEqual(made.slice(0, 3).map(event));
  expect(bodiesOf(received, "/updates")).toEqual([]);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(100);
});

it("reports no link that was not created", async () => {
  await service.createWebhook(key, { events: EVENTS });
  const [link] = await createLinks([{ url: "https://example.com/", slug: "one" }]);
  await createLinks([{ url: "https://example.com/", slug: "ONE" }, { url: "no" }]);
  await service.deliver();
  expect(bodiesOf(await internet.received(), "/in").map(({ data }) => data)).toEqual([link]);
});

it("reports each link that is updated or deleted, and before that each link that has expired", async () => {
  const made = await createLinks([
    { url: "https://example.com/1" },
    { url: "https://example.com/2", expiresAt: START + 1_000 },
    { url: "https://example.com/3", expiresAt: START + 60_000 },
  ]);
  await service.createWebhook(key, { url: "https://hooks.receiver.dev/all", events: EVENTS });
  const ids = made.map(({ id }) => id);
  advance(1_000);
  const changed = await bulk<{ link: Link }>("PATCH", {
    ids: [...ids, ids[0]],
    changes: { expiresAt: null, title: "x" },
  });
  await service.deliver();
  const first = bodiesOf(await internet.received(), "/all");
  expect(first.filter(({ event }) => event === "link.update").map(({ data }) => data)).toEqual(
    changed.slice(0, 3).map(({ link }) => link),
  );
  expect(first.filter(({ event }) => event === "link.expired").map(({ data }) => data)).toEqual([
    { ...made[1], status: "expired", visitors: "page", reason: "expiresAt" },
  ]);
  expect(first).toHaveLength(4);

  await internet.reset();
  await bulk("DELETE", { ids: [...ids, ids[0]] });
  await service.deliver();
  const deleted = bodiesOf(await internet.received(), "/all");
  expect(deleted.map(({ event, data }) => ({ event, data }))).toEqual(
    changed.slice(0, 3).map(({ link }) => ({ event: "link.delete", data: link })),
  );
});

it("reports nothing to webhooks of another account", async () => {
  const other = await createAccount();
  await service.createWebhook(other.key, { events: EVENTS });
  await createLinks([{ url: "https://example.com/" }]);
  expect(await countRows("deliveries")).toBe(0);
});
