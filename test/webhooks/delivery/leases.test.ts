import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CRON_BATCH_ROWS } from "../../../src/limits.ts";
import { LONGEST_ATTEMPT_MS } from "../../../src/webhooks/limits.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { advance, countRows, internet, key, service, START, startWithoutJitter } from "../support.ts";
import { arrivals, commit, countSending, create, HOST, receivedIds, statuses, wakeUps } from "./first-attempt.ts";

beforeEach(startWithoutJitter);

const LEASE = 30_000;

describe("a delivery is stored without a lease", () => {
  it.each([
    ["while the circuit breaker is open", "UPDATE webhooks SET resume_at = 1800000060000"],
    ["while the webhook has as many attempts in flight as it may", "UPDATE webhooks SET in_flight_limit = 0"],
    [
      "while clicks wait at its host",
      "INSERT INTO waiting_clicks SELECT id, 'waits', 0, NULL, 0, '[]' FROM webhooks WHERE events = '[]'",
    ],
    [
      "while its host has 25 attempts in flight",
      "INSERT INTO waiting_clicks SELECT id, 'busy', 25, 'lease', 1800000030000, '[]' FROM webhooks WHERE events = '[]'",
    ],
    [
      "while a delivery is due at its host",
      `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
       SELECT id, 'due', 'link.update', 'pending', 1800000000000, 0, '{}' FROM webhooks WHERE events = '[]'`,
    ],
  ])("%s", async (_, sql) => {
    const other = await service.createWebhook(key, { url: `https://${HOST}:8443/`, events: ["link.delete"] });
    await env.DB.prepare("UPDATE webhooks SET events = '[]' WHERE id = ?1").bind(other.id).run();
    const { id } = await service.createWebhook(key);
    await env.DB.prepare(sql).run();
    await commit();
    expect([await countSending(), await statuses(id)]).toEqual([0, ["pending"]]);
    expect(wakeUps()).toEqual([{ kind: "wake_up", webhookId: id }]);
  });

  it("if it has several recipients or belongs to a bulk change, or for a listener", async () => {
    await service.createWebhook(key, { events: ["link.create", "link.delete"] });
    await service.createWebhook(key, { events: ["link.delete"] });
    const links = [1, 2].map((n) => ({ url: `https://example.com/${n}` }));
    await service.call("POST", "/api/links/bulk", { key, body: { links } });
    expect([wakeUps().length, await countSending()]).toEqual([1, 0]);
    await service.deliver();
    const [first] = (await internet.received()).map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data);
    await internet.forget();
    await service.call("DELETE", `/api/links/${first?.id}`, { key });
    expect([wakeUps().length, await countSending()]).toEqual([2, 0]);
    await service.deliver();
    expect(await receivedIds()).toHaveLength(2);
    await service.call("POST", "/api/listeners", { key, body: { events: ["link.update"] } });
    const { id } = await service.createLink(key);
    await service.deliver();
    await service.call("PATCH", `/api/links/${id}`, { key, body: { title: "x" } });
    expect([wakeUps().length, await countSending()]).toEqual([1, 0]);
  });
});

it("a delivery is stored without a lease while an ended lease of its webhook has not been made due, not of another one", async () => {
  const other = await service.createWebhook(key, { url: `https://${HOST}:8443/`, events: ["link.delete"] });
  const { id } = await service.createWebhook(key);
  await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 25").run();
  const endLeaseOf = (webhookId: string) =>
    env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, type, status, sending_until, lease, created_at, body)
       VALUES (?1, 'ended', 'link.update', 'sending', ?2, 'lease', 0, '{}')`,
    )
      .bind(webhookId, Date.now())
      .run();
  await endLeaseOf(other.id);
  await commit();
  expect(wakeUps()).toMatchObject([{ webhookId: id, leased: {} }]);
  await service.deliver();
  await endLeaseOf(id);
  await commit();
  expect(wakeUps()).toEqual([{ kind: "wake_up", webhookId: id }]);
});

it.each(["comes", "is read"])("a wake-up that %s when the lease could end leases the delivery anew", async (when) => {
  const { id } = await service.createWebhook(key);
  await commit();
  const isLate = when === "comes";
  const waitLong = () => advance(LEASE - LONGEST_ATTEMPT_MS + 1);
  if (isLate) waitLong();
  await internet.answers({ [HOST]: { hangs: true } });
  let reads = 0;
  let delivered: Promise<unknown> = Promise.resolve();
  await interceptD1(
    async (sql, send) => {
      const result = await send();
      if (!isLate && String(sql).includes("sending_until < ?5") && reads++ === 0) waitLong();
      return result;
    },
    async () => {
      delivered = service.deliver();
      await arrivals(1);
    },
  );
  const until = await env.DB.prepare("SELECT sending_until FROM deliveries").raw();
  expect(until).toEqual([[Date.now() + LEASE]]);
  await internet.answers({ [HOST]: {} });
  await delivered;
  expect([(await receivedIds()).length, await statuses(id)]).toEqual([1, ["delivered"]]);
});

describe("a crash", () => {
  /** The statement that reads a leased delivery begins with this condition. */
  const BEFORE_ATTEMPT = "sending_until < ?5";
  /** Loses the connection to the database for good before the statement that has `text`. */
  const crashBefore = (text: string, run: () => Promise<unknown>) =>
    interceptD1(async (sql, send) => {
      if (String(sql).includes(text)) throw new Error("the isolate has crashed");
      return send();
    }, run);

  it.each([
    ["between the commit and the attempt", BEFORE_ATTEMPT, 0],
    ["between the attempt and its record", "SET failure_count = 0", 1],
  ])("%s: the event is sent after the lease, in the order of turns", async (_, text, before) => {
    const { id } = await service.createWebhook(key);
    await crashBefore(text, create);
    expect([(await receivedIds()).length, await countSending(), service.messages]).toEqual([before, 1, []]);
    advance(LEASE - 1);
    await service.cron();
    await service.deliver();
    expect([(await receivedIds()).length, await countSending()]).toEqual([before, 1]);
    advance(1);
    await service.cron();
    await service.deliver();
    const ids = await receivedIds();
    expect([ids.length, new Set(ids).size, await statuses(id)]).toEqual([before + 1, 1, ["delivered"]]);
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 0, lastTriggeredAt: START + LEASE });
    const totals =
      "SELECT kept, bytes - octet_length(body) AS rest FROM delivery_totals JOIN deliveries USING (webhook_id)";
    expect(await env.DB.prepare(totals).first()).toEqual({ kept: 1, rest: 0 });
  });

  it("of many senders is made up for by one run of the cron", async () => {
    const { id } = await service.createWebhook(key);
    await env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, type, status, sending_until, lease, created_at, body)
       SELECT ?3, printf('event-%04d', n.value), 'link.create', 'sending', ?1, 'crashed', 0, '{}' FROM json_each(?2) n`,
    )
      .bind(START, JSON.stringify([...Array(CRON_BATCH_ROWS + 1).keys()]), id)
      .run();
    await service.cron();
    await service.deliver();
    const { results } = await env.DB.prepare("SELECT status, count(*) AS n FROM deliveries GROUP BY status").all();
    expect(results).toEqual([{ status: "delivered", n: CRON_BATCH_ROWS + 1 }]);
  });

  it("frees its connection when the lease ends, also before the cron", async () => {
    const { id } = await service.createWebhook(key);
    await crashBefore(BEFORE_ATTEMPT, create);
    await create();
    await service.deliver();
    expect(await receivedIds()).toEqual([]);
    advance(LEASE);
    await service.consume([{ body: { kind: "wake_up", webhookId: id }, attempts: 1 }]);
    expect(await receivedIds()).toHaveLength(2);
  });

  it("does not count a result that arrives when another sender has the delivery", async () => {
    const { id } = await service.createWebhook(key);
    await internet.answers({ [HOST]: { hangs: true } });
    await commit();
    const first = service.consume(service.messages.splice(0));
    await arrivals(1);
    advance(LEASE);
    await service.cron();
    const second = service.deliver();
    await arrivals(2);
    await internet.answers({ [HOST]: { status: 500 } });
    await Promise.all([first, second]);
    expect(await service.getWebhook(key, id)).toMatchObject({ failureCount: 1 });
    expect(await service.listDeliveries(key, id)).toMatchObject([{ status: "pending", attempts: [{ status: 500 }] }]);
  });
});

describe("a webhook that is changed between the commit and the attempt", () => {
  /** Creates a link and runs `change` before its wake-up is delivered. */
  async function createAnd(change: () => Promise<unknown>): Promise<void> {
    await commit();
    await change();
    await service.deliver();
  }

  it("gets nothing while it is inactive, and the event when it is active again", async () => {
    const { id } = await service.createWebhook(key);
    const patch = (status: string) => service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status } });
    await createAnd(() => patch("inactive"));
    await service.deliver();
    expect([await receivedIds(), await statuses(id)]).toEqual([[], ["pending"]]);
    await patch("active");
    await service.deliver();
    expect([(await receivedIds()).length, await statuses(id)]).toEqual([1, ["delivered"]]);
  });

  it("gets nothing after its deletion, and leaves nothing", async () => {
    const { id } = await service.createWebhook(key);
    await createAnd(() => service.call("DELETE", `/api/webhooks/${id}`, { key }));
    for (let run = 0; run < 2; run++) await service.cron();
    expect([await receivedIds(), await countRows("deliveries"), await countRows("delivery_totals")]).toEqual([
      [],
      0,
      0,
    ]);
  });

  it("gets the event at its new URL", async () => {
    const { id } = await service.createWebhook(key);
    const body = { url: "https://other.receiver.dev/in" };
    await createAnd(() => service.call("PATCH", `/api/webhooks/${id}`, { key, body }));
    expect((await internet.received()).map(({ url }) => url)).toEqual([body.url]);
  });
});
