import { beforeAll, beforeEach, expect, it } from "vitest";
import { createJobContext } from "../../src/context.ts";
import { runCron } from "../../src/cron.ts";
import { newId } from "../../src/lib/uuid.ts";
import { sendWakeUps } from "../../src/outbox/messages.ts";
import { consumeQueue, type QueueMessage } from "../../src/queue.ts";
import { newDatabase } from "../scripts/support/database.ts";

const NOW = Date.now();
const WEBHOOK = newId(NOW);

let databases: [D1Database, D1Database, D1Database];
const sent: unknown[] = [];

beforeAll(async () => {
  databases = await Promise.all([newDatabase(), newDatabase(), newDatabase()]);
});

beforeEach(async () => {
  sent.length = 0;
  for (const db of databases)
    await db.batch([
      ...["webhook_slots", "deliveries", "webhooks", "account_usage", "accounts"].map((table) =>
        db.prepare(`DELETE FROM ${table}`),
      ),
      db.prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (1, 'a', 'Acme', 0)"),
    ]);
});

/** The bindings that the code under test uses. The queue keeps what is sent. */
function environment(): Env {
  const [DB, DB_2, DB_3] = databases;
  const queue = {
    sendBatch: (messages: Iterable<{ body: unknown }>) =>
      Promise.resolve(void sent.push(...[...messages].map(({ body }) => body))),
    metrics: () => Promise.resolve({ backlogCount: 0, backlogBytes: 0 }),
  };
  return {
    DB,
    DB_2,
    DB_3,
    DELIVERIES: queue,
    BASE_URL: "https://tern.test",
    WEBHOOK_MAX_FAILURES: "20",
  } as unknown as Env;
}

const invocation = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };

/** A webhook of the database with a delivery that is due, but whose circuit is open: nothing is sent to it. */
async function insertDelivery(db: D1Database, resumeAt: number | null): Promise<void> {
  await db
    .prepare(
      `INSERT INTO webhooks (id, account_id, url, host, events, secret, secret_start, status, created_at, resume_at)
       VALUES (?1, 1, 'https://example.com/', 'example.com', '["link.create"]', 's', 'whsec_', 'active', 0, ?2)`,
    )
    .bind(WEBHOOK, resumeAt)
    .run();
  await db
    .prepare(
      `INSERT INTO deliveries (event_id, webhook_id, type, status, due_at, created_at, body)
       VALUES (?1, ?2, 'link.create', 'pending', ?3, ?3, '{}')`,
    )
    .bind(newId(NOW), WEBHOOK, NOW - 1)
    .run();
}

async function consume(body: QueueMessage): Promise<{ acknowledged: boolean }> {
  let acknowledged = true;
  const message = {
    id: "1",
    attempts: 1,
    timestamp: new Date(NOW),
    body,
    ack: () => undefined,
    retry: () => void (acknowledged = false),
  };
  const batch = { queue: "tern-deliveries", messages: [message], ackAll: () => undefined, retryAll: () => undefined };
  await consumeQueue(batch as unknown as MessageBatch, environment(), invocation as unknown as ExecutionContext);
  return { acknowledged };
}

it("names the database in a wake-up, and none for the core", async () => {
  const env = environment();
  for (const db of databases) await sendWakeUps({ env, db }, [WEBHOOK]);
  expect(sent).toEqual([
    { kind: "wake_up", webhookId: WEBHOOK },
    { kind: "wake_up", webhookId: WEBHOOK, database: 1 },
    { kind: "wake_up", webhookId: WEBHOOK, database: 2 },
  ]);
});

it("starts the sender in the database of the message", async () => {
  const [core, second] = databases;
  for (const db of [core, second]) await insertDelivery(db, null);
  expect(await consume({ kind: "wake_up", webhookId: WEBHOOK, database: 1 })).toEqual({ acknowledged: true });
  const slots = async (db: D1Database) =>
    (await db.prepare("SELECT count(*) AS n FROM webhook_slots").first<number>("n")) ?? 0;
  const leases = async (db: D1Database) =>
    (await db.prepare("SELECT count(*) AS n FROM deliveries WHERE lease IS NOT NULL").first<number>("n")) ?? 0;
  expect([(await slots(core)) + (await leases(core)), (await slots(second)) + (await leases(second)) > 0]).toEqual([
    0,
    true,
  ]);
});

it("leaves a message in the queue whose database has no binding", async () => {
  expect(await consume({ kind: "wake_up", webhookId: WEBHOOK, database: 3 })).toEqual({ acknowledged: false });
});

it("wakes up the webhooks of each database by the cron", async () => {
  const [, second, third] = databases;
  for (const db of [second, third]) await insertDelivery(db, null);
  await runCron(createJobContext(environment(), invocation, NOW));
  expect(sent).toEqual([
    { kind: "wake_up", webhookId: WEBHOOK, database: 1 },
    { kind: "wake_up", webhookId: WEBHOOK, database: 2 },
  ]);
});

it("expires the links of each database by the cron", async () => {
  for (const db of databases)
    await db
      .prepare(
        `INSERT OR REPLACE INTO links (seq, id, account_id, domain, slug, url, status, redirect_status, created_at, updated_at, expires_at)
         VALUES (1, 'l', 1, '', 'old', 'https://example.com/', 'active', 302, 0, 0, ?1)`,
      )
      .bind(NOW - 1)
      .run();
  await runCron(createJobContext(environment(), invocation, NOW));
  const statuses = await Promise.all(databases.map((db) => db.prepare("SELECT status FROM links").first("status")));
  expect(statuses).toEqual(["expired", "expired", "expired"]);
  for (const db of databases) await db.prepare("DELETE FROM links").run();
});
