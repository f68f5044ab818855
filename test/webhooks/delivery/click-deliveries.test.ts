import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { clickMessages, findSubscribers } from "../../../src/platform/outbox/subscribers.ts";
import { queueClickEvents } from "../../../src/platform/outbox/messages.ts";
import { accountId, countRows, internet, key, service, START, startService } from "../support.ts";

beforeEach(startService);

const HOST = "hooks.receiver.dev";
const CLICKS = { events: ["link.click"] };

/** Queues clicks like the consumer of clicks. Returns the ids of the events. */
async function send(count: number): Promise<string[]> {
  const { active: subscribers = [] } = (await findSubscribers(env.DB, accountId, "link.click", Date.now())) ?? {};
  const eventIds = Array.from({ length: count }, () => newId(Date.now()));
  const messages = eventIds.flatMap((eventId) =>
    clickMessages(subscribers, { eventId, linkId: newId(START), tagKeys: [], data: {}, at: Date.now() }),
  );
  await queueClickEvents(service.bindings.CLICK_EVENTS as Queue, messages);
  return eventIds;
}

describe("a click that cannot be sent now", () => {
  it("is requeued when the database fails to store it for a webhook with an open circuit", async () => {
    await service.createWebhook(key, CLICKS);
    await internet.answers({ [HOST]: { status: 500 } });
    await send(5);
    await service.deliver();
    service.messages = [];
    const eventIds = await send(3);
    await service.consume(service.messages.splice(0), { DB: failingAfter(1) });
    expect(
      service.messages.map(({ body, attempts }) => [body.kind === "click_event" && body.eventId, attempts]),
    ).toEqual(eventIds.map((eventId) => [eventId, 2]));
  });

  it("is requeued once when the database fails to store others that were tried often", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    await env.DB.batch([
      env.DB.prepare("INSERT INTO waiting_clicks VALUES (?1, 'busy', 1, 'lease', ?2, '[]')").bind(id, START + 600_000),
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 50)
         INSERT INTO waiting_clicks SELECT ?1, 'waits' || n, 0, NULL, 0, '[]' FROM n`,
      ).bind(id),
    ]);
    await send(2);
    const [often, other] = service.messages.splice(0);
    if (often === undefined || other === undefined) throw new Error("two clicks are queued");
    await service.consume([{ ...often, attempts: 20 }, other], { DB: failingAfter(1) });
    expect(service.messages.map(({ attempts }) => attempts).toSorted((a, b) => a - b)).toEqual([2, 21]);
    expect(await countRows("deliveries")).toBe(0);
  });

  it("waits in a row while the webhook has no free connection, and in the queue while too many rows wait", async () => {
    const { id } = await service.createWebhook(key, CLICKS);
    // A sender that has the only connection.
    await env.DB.prepare("INSERT INTO waiting_clicks VALUES (?1, 'busy', 1, 'lease', ?2, '[]')")
      .bind(id, START + 600_000)
      .run();
    const sent = await send(50 * 5 + 1);
    await service.deliver();
    expect(await countRows("waiting_clicks")).toBe(51);
    expect(service.messages).toMatchObject([{ body: { eventId: sent.at(-1) }, attempts: 2 }]);
    let tries = 0;
    while (Date.now() < START + 600_000) {
      tries += await service.deliver();
      vi.setSystemTime(service.messages[0]?.at ?? Number.NaN);
    }
    expect(tries).toBeLessThan(20);
    expect([await countRows("deliveries"), await internet.received()]).toEqual([0, []]);
    // The lease has ended.
    await service.deliver();
    await service.cron();
    await service.deliver();
    const got = (await internet.received()).map(({ headers }) => headers["webhook-id"]);
    expect([got.length, new Set(got)]).toEqual([sent.length, new Set(sent)]);
    expect(await countRows("waiting_clicks")).toBe(0);
  });

  it("survives a database failure of hours within the queue's retries", async () => {
    await service.createWebhook(key, CLICKS);
    await send(1);
    let tries = 0;
    for (const end = Date.now() + 12 * 3_600_000; Date.now() < end; tries++) {
      const [message] = service.messages.splice(0);
      await service.consume([message as NonNullable<typeof message>], { DB: failingAfter(0) });
      vi.setSystemTime(service.messages[0]?.at ?? Number.NaN);
    }
    expect(tries).toBeLessThan(100);
    await service.deliver();
    expect(await internet.received()).toHaveLength(1);
  });
});

/** A database that fails after this number of batches. */
function failingAfter(batches: number): D1Database {
  let left = batches;
  const batch = (statements: D1PreparedStatement[]) =>
    left-- > 0 ? env.DB.batch(statements) : Promise.reject(new Error("D1_ERROR: broken"));
  return { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as D1Database;
}
