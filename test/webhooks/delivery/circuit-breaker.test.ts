import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { consumeDeliveries } from "../../../src/webhooks/delivery/consumer.ts";
import type { DeliveryMessage } from "../../../src/platform/outbox/messages.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { jobContext } from "../../support/api.ts";
import { advance, internet, key, service, START, startService } from "../support.ts";

beforeEach(startService);

/** Emits an event for each of 100 links, with one wake-up. */
async function createLinks(): Promise<void> {
  const links = Array.from({ length: 100 }, () => ({ url: "https://example.com/" }));
  const response = await service.call("POST", "/api/links/bulk", { key, body: { links } });
  expect(response.status).toBe(200);
}

it("sends to a healthy webhook with 25 attempts in flight, at most five in an invocation", async () => {
  await service.createWebhook(key);
  await createLinks();
  await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
  await internet.answers({ "hooks.receiver.dev": { hangs: true } });
  const countReceived = async () => (await internet.received()).length;
  const consumers = await service.deliverConcurrently(async () => (await countReceived()) >= 25);
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS connections FROM deliveries WHERE status = 'sending' GROUP BY lease",
  ).all();
  expect(results).toEqual(Array.from({ length: 5 }, () => ({ connections: 5 })));
  expect([await countReceived(), service.messages]).toEqual([25, []]);
  await internet.answers({ "hooks.receiver.dev": {} });
  await consumers.end();
  await service.deliver();
  const ids = (await internet.received()).map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
  expect(await env.DB.prepare("SELECT DISTINCT status FROM deliveries").raw()).toEqual([["delivered"]]);
});

it("raises the number of attempts in flight with each success, and starts again with one after a failure", async () => {
  await service.createWebhook(key);
  await createLinks();
  await env.DB.prepare("CREATE TABLE history (n INTEGER PRIMARY KEY, lease TEXT)").run();
  await env.DB.prepare(
    `CREATE TRIGGER remember AFTER UPDATE ON deliveries WHEN NEW.status = 'sending' BEGIN
       INSERT INTO history (lease) VALUES (NEW.lease);
     END`,
  ).run();
  // Each turn is one invocation's: 1, 2, 4 and 5 attempts, of which the last fails.
  await internet.answers({ "hooks.receiver.dev": [...Array.from({ length: 11 }, () => ({})), { status: 500 }, {}] });
  const [message] = service.messages.splice(0);
  await service.consume([message as NonNullable<typeof message>]);
  const { results } = await env.DB.prepare("SELECT count(*) AS c FROM history GROUP BY lease ORDER BY min(n)").all<{
    c: number;
  }>();
  expect(results.map(({ c }) => c).slice(0, 8)).toEqual([1, 2, 4, 5, 1, 2, 4, 5]);
});

it("counts failures that were in flight together once towards the circuit breaker and the end of the webhook", async () => {
  service.bindings.WEBHOOK_MAX_FAILURES = "6";
  const { id } = await service.createWebhook(key);
  await createLinks();
  await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
  await internet.answers({ "hooks.receiver.dev": { hangs: true } });
  const consumers = await service.deliverConcurrently(async () => (await internet.received()).length >= 25);
  await internet.answers({ "hooks.receiver.dev": { status: 500 } });
  await consumers.end();
  await service.deliver();
  // 25 together, then four one by one until the circuit is open.
  expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 29, status: "active" });
  expect(await internet.received()).toHaveLength(29);
  advance(6_000);
  await service.deliver();
  expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 30, disabledReason: "failures" });
});

it("concurrent senders make exactly five failures before the circuit opens", async () => {
  const { id } = await service.createWebhook(key);
  await internet.answers({ "hooks.receiver.dev": { status: 500, waitMs: 20 } });
  for (let n = 0; n < 30; n++) await service.createLink(key);
  const messages = service.messages.splice(0);
  await Promise.all(messages.map((message) => service.consume([message])));
  expect(await internet.received()).toHaveLength(5);
  expect((await service.getWebhook(key, id)).failureCount).toBe(5);
});

it("concurrent successes, failures and PATCHes leave the webhook in a consistent state", async () => {
  const { id } = await service.createWebhook(key);
  await internet.answers({
    "hooks.receiver.dev": [
      ...Array.from({ length: 12 }, (_, n) => ({ status: n % 2 === 0 ? 200 : 500 })),
      { status: 200 },
    ],
  });
  const patch = (status: string) => service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status } });
  await Promise.all([
    ...Array.from({ length: 12 }, () => service.call("POST", `/api/webhooks/${id}`, { key })),
    ...Array.from({ length: 28 }, (_, n) => patch(n % 2 === 0 ? "active" : "inactive")),
  ]);
  const { status, failureCount, disabledReason, disabledAt } = await service.getWebhook(key, id);
  expect(failureCount).toBeLessThanOrEqual(6);
  expect([status, disabledReason, disabledAt]).toEqual(
    status === "active" ? ["active", null, null] : ["inactive", "manual", START],
  );
});

it("messages of unknown webhooks are dropped", async () => {
  const bodies = [
    { kind: "wake_up", webhookId: "nonsense" },
    { kind: "wake_up", webhookId: newId(START) },
    { kind: "click_event", webhookId: newId(START), eventId: newId(START), body: "{}", createdAt: START },
  ] as DeliveryMessage[];
  await service.consume(bodies.map((body) => ({ body, attempts: 1 })));
  expect([service.messages, await internet.received()]).toEqual([[], []]);
  await consumeDeliveries([], jobContext(START));
});

it("a webhook whose secret cannot be decrypted is not called, and its deliveries stay pending", async () => {
  const { id } = await service.createWebhook(key);
  await service.createLink(key);
  await env.DB.prepare("UPDATE webhooks SET secret = 'other.AAAA.AAAA'").run();
  await service.deliver();
  expect(await internet.received()).toEqual([]);
  expect(await service.listDeliveries(key, id)).toMatchObject([{ status: "pending", attempts: [] }]);
});

it("the log does not contain the query string of a URL that cannot be reached", async () => {
  const lines = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const { id } = await service.createWebhook(key, { url: "https://hooks'.receiver.dev/in?token=hidden" });
  await service.call("POST", `/api/webhooks/${id}`, { key });
  const logged = lines.mock.calls.flat().join("\n");
  expect(logged).toContain("webhook_connection_failed");
  expect(logged).not.toContain("hidden");
});

it("a batch that is repeated after a lost response leases one delivery", async () => {
  await service.createWebhook(key);
  for (let n = 0; n < 3; n++) await service.createLink(key);
  let lost = 0;
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch(statements);
    if (lost++ < 2) throw new Error("D1_ERROR: Network connection lost.");
    return results;
  };
  const DB = {
    prepare: (sql: string) => env.DB.prepare(sql),
    withSession: () => env.DB.withSession(),
    batch,
  } as unknown as D1Database;
  const [message] = service.messages.splice(0);
  await service.consume([message as NonNullable<typeof message>], { DB });
  expect(await internet.received()).toHaveLength(3);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries WHERE status = 'delivered'").first("n")).toBe(3);
});
