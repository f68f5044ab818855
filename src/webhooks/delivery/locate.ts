import { databasesOf } from "../../database/databases.ts";
import { describeError, log } from "../../lib/log.ts";
import { retryLater } from "../../lib/retry-later.ts";
import type { DeliveryMessage } from "../../outbox/messages.ts";
import { findWebhooks } from "../store/locate.ts";

/**
 * Groups messages by the database that has the webhook now: the one that the message names, unless the account has moved since
 * (ADR 0042). Messages of a webhook that no database has stay with the one that they name. What cannot be read is delivered again.
 */
export async function groupByDatabase(
  env: Env,
  messages: readonly Message<DeliveryMessage>[],
): Promise<Map<D1Database, Message<DeliveryMessage>[]>> {
  const databases = databasesOf(env);
  const groups = new Map<D1Database, Message<DeliveryMessage>[]>();
  for (const [number, named] of Map.groupBy(messages, ({ body }) => body.database ?? 0)) {
    const first = databases[number];
    if (first === undefined) {
      log("error", "database_missing", { messages: named.length });
      for (const message of named) retryLater(message);
      continue;
    }
    try {
      const places = await locate([first, ...databases.filter((each) => each !== first)], named);
      for (const message of named) {
        const db = places.get(message.body.webhookId) ?? first;
        groups.set(db, [...(groups.get(db) ?? []), message]);
      }
    } catch (error) {
      log("error", "sender_failed", { webhooks: named.length, ...describeError(error) });
      for (const message of named) retryLater(message);
    }
  }
  return groups;
}

/** Asks one database after the other, until all webhooks are found. */
async function locate(
  databases: readonly D1Database[],
  messages: readonly Message<DeliveryMessage>[],
): Promise<Map<string, D1Database>> {
  const places = new Map<string, D1Database>();
  let missing = [...new Set(messages.map(({ body }) => body.webhookId))];
  for (const db of databases) {
    if (missing.length === 0) break;
    for (const id of await findWebhooks(db, missing)) places.set(id, db);
    missing = missing.filter((id) => !places.has(id));
  }
  return places;
}
