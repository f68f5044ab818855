import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { createAccount } from "../../support/api.ts";
import { internet, key, service, startService } from "../support.ts";

beforeEach(startService);

const HOST = "hooks.receiver.dev";
const urlOf = (port: number) => `https://${HOST}:${port}/in`;

async function createLinks(count: number, owner = key): Promise<void> {
  const links = Array.from({ length: count }, () => ({ url: "https://example.com/" }));
  const response = await service.call("POST", "/api/links/bulk", { key: owner, body: { links } });
  expect(response.status).toBe(200);
}

/** No webhook gets more than one attempt in flight. */
const keepOneConnection = () =>
  env.DB.prepare(
    `CREATE TRIGGER stay AFTER UPDATE OF in_flight_limit ON webhooks BEGIN
       UPDATE webhooks SET in_flight_limit = 1 WHERE id = NEW.id AND in_flight_limit > 1;
     END`,
  ).run();

const allowConcurrency = () => env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();

/** The ports of the receivers in the order of arrival. */
const arrivals = async () => (await internet.received()).map(({ url }) => Number(new URL(url).port));

const countPending = () => env.DB.prepare("SELECT count(*) AS n FROM deliveries WHERE status = 'pending'").first("n");

describe("webhooks of an account at one host", () => {
  it("share 25 attempts in flight, and take turns; others are not affected", async () => {
    await service.createWebhook(key, { url: urlOf(2_001) });
    await createLinks(100);
    await allowConcurrency();
    await internet.answers({ [`${HOST}:2001`]: { hangs: true } });
    const busy = await service.deliverConcurrently(async () => (await arrivals()).length >= 25);

    // Two more at this host have to wait. One at another host and one of another account do not.
    const ports = [2_002, 2_003];
    for (const port of ports) await service.createWebhook(key, { url: urlOf(port) });
    await service.createWebhook(key, { url: "https://other.receiver.dev:2004/in" });
    const other = await createAccount();
    await service.createWebhook(other.key, { url: urlOf(2_005) });
    await createLinks(1);
    await createLinks(1, other.key);
    const later = await service.deliverConcurrently(async () => (await arrivals()).length >= 27);
    expect((await arrivals()).slice(25).toSorted((a, b) => a - b)).toEqual([2_004, 2_005]);

    await internet.answers({ [`${HOST}:2001`]: {} });
    await busy.end();
    await later.end();
    await service.deliver();
    const order = await arrivals();
    expect(order).toHaveLength(25 + 2 + 2 + 76);
    // The first sender that ends its turn takes the next webhook: at most the other four have gone on before.
    for (const port of ports) expect(order.indexOf(port)).toBeLessThan(27 + 5 * 5 + 1);
    expect(await countPending()).toBe(0);
  });

  it("take turns also with one connection each, in the order of their ids", async () => {
    const ports = [2_001, 2_002, 2_003];
    for (const port of ports) await service.createWebhook(key, { url: urlOf(port) });
    await createLinks(20);
    // One sender has the only connection of the host.
    await keepOneConnection();
    const [message] = service.messages;
    await service.consume([message as NonNullable<typeof message>]);
    const order = await arrivals();
    expect(order).toHaveLength(60);
    expect(order.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, n) => order[n % 3]));
    expect(new Set(order.slice(0, 3)).size).toBe(3);
  });

  it.each([2_001, 2_002, 2_003])("a sender begins with the one that it was woken up for (%i)", async (port) => {
    const ids = new Map<number, string>();
    for (const each of [2_001, 2_002, 2_003])
      ids.set(each, (await service.createWebhook(key, { url: urlOf(each) })).id);
    await createLinks(2);
    await service.consume([{ body: { kind: "wake_up", webhookId: ids.get(port) ?? "" }, attempts: 1 }]);
    expect((await arrivals())[0]).toBe(port);
  });

  it("get their clicks and their stored deliveries in the order in which these began to wait", async () => {
    const hooks = [];
    for (const port of [2_001, 2_002]) hooks.push((await service.createWebhook(key, { url: urlOf(port) })).id);
    await keepOneConnection();
    const now = Date.now();
    for (const webhookId of hooks)
      for (const n of [1, 2, 3, 4, 5, 6]) {
        const [id, body] = [newId(now - 1_000 + n), JSON.stringify({ event: n })];
        const click = JSON.stringify([{ id, body, createdAt: now }]);
        await (
          n % 2 === 1
            ? env.DB.prepare("INSERT INTO waiting_clicks VALUES (?1, ?2, 0, NULL, 0, ?3)").bind(webhookId, id, click)
            : env.DB.prepare(
                `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
               VALUES (?1, ?2, 'link.update', 'pending', ?3, ?3, ?4)`,
              ).bind(webhookId, id, now - 1_000 + n, body)
        ).run();
      }
    await service.consume([{ body: { kind: "wake_up", webhookId: hooks[1] ?? "" }, attempts: 1 }]);
    const received = await internet.received();
    const of = (port: number) =>
      received
        .filter(({ url }) => url === urlOf(port))
        .map(({ body }) => (JSON.parse(body) as { event: number }).event);
    expect([of(2_001), of(2_002)]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
    ]);
  });

  it.each([
    ["is deleted", "DELETE", undefined],
    ["gets another host", "PATCH", { url: "https://other.receiver.dev/in" }],
  ])("do not wait for one that %s", async (_change, method, body) => {
    const busy = await service.createWebhook(key, { url: urlOf(2_001), events: ["link.update"] });
    const { id } = await service.createWebhook(key, { url: urlOf(2_002) });
    await env.DB.prepare("INSERT INTO waiting_clicks VALUES (?1, 'busy', 25, 'lease', ?2, '[]')")
      .bind(busy.id, Date.now() + 10_000)
      .run();
    await createLinks(1);
    await service.deliver();
    expect([await countPending(), await arrivals()]).toEqual([1, []]);
    await service.call(method, `/api/webhooks/${busy.id}`, { key, body });
    expect(service.messages.map((message) => message.body.webhookId)).toContain(id);
    await service.deliver();
    expect(await arrivals()).toEqual([2_002]);
  });

  it("are those with the same host name: a change of the URL moves a webhook", async () => {
    const { id } = await service.createWebhook(key, { url: urlOf(2_001) });
    const host = () => env.DB.prepare("SELECT host FROM webhooks WHERE id = ?1").bind(id).first("host");
    expect(await host()).toBe(HOST);
    await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { url: "https://B.Receiver.dev.:8443/in" } });
    expect(await host()).toBe("b.receiver.dev");
  });
});

it("an invocation has at most five connections open, look-ups of names included, whatever it is given", async () => {
  for (let n = 0; n < 10; n++) await service.createWebhook(key, { url: `https://r${n}.receiver.dev/in` });
  await createLinks(3);
  await allowConcurrency();
  const waits = Array.from({ length: 10 }, (_, n) => [`r${n}.receiver.dev`, { waitMs: 20 }]);
  await internet.answers({ ...Object.fromEntries(waits), "cloudflare-dns.com": { waitMs: 20 } });
  await service.consume(service.messages.splice(0));
  expect(await internet.received()).toHaveLength(30);
  expect(await internet.mostInFlight()).toBe(5);
});
