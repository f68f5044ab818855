import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { consumeDeliveries } from "../../../src/webhooks/delivery/consumer.ts";
import type { DeliveryMessage } from "../../../src/outbox/messages.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { jobContext } from "../../support/api.ts";
import { internet, START, startService, type Service } from "../support.ts";

let service: Service;
let key: string;
beforeEach(async () => ({ service, key } = await startService()));

it("concurrent senders make each delivery once, with at most five attempts in flight", async () => {
  await service.createWebhook(key);
  await internet.answers({ "hooks.receiver.dev": { waitMs: 30 } });
  for (let n = 0; n < 30; n++) await service.createLink(key);
  // Records how many slots were in use.
  await env.DB.prepare("CREATE TABLE history (slots INTEGER)").run();
  await env.DB.prepare(
    `CREATE TRIGGER remember AFTER INSERT ON webhook_slots BEGIN
       INSERT INTO history SELECT count(*) FROM webhook_slots;
     END`,
  ).run();
  const messages = service.messages.splice(0);
  await Promise.all(messages.map((message) => service.consume([message])));
  expect(await env.DB.prepare("SELECT max(slots) AS most FROM history").first("most")).toBe(5);
  const ids = (await internet.received()).map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
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
  await service.createWebhook(key);
  await service.createLink(key);
  await env.DB.prepare("UPDATE webhooks SET secret = 'other.AAAA.AAAA'").run();
  await service.deliver();
  expect(await internet.received()).toEqual([]);
  expect(await env.DB.prepare("SELECT status FROM deliveries").first("status")).toBe("pending");
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
