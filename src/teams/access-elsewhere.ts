import { Batch } from "../database/batch.ts";
import { databaseOf, hasSeveralDatabases } from "../database/databases.ts";
import { ALWAYS } from "../database/parameters.ts";
import { describeError, log } from "../lib/log.ts";
import { sendWakeUps } from "../outbox/messages.ts";
import { MAX_ENDED_AT_ONCE } from "./limits.ts";
import type { LastingAccess } from "./schemas.ts";
import { deleteAccessToEnd, findAccessToEnd, findLineKeys, type AccessToEnd } from "./store/access-to-end.ts";
import { endLastingAccess, readLastingAccess } from "./store/lasting-access.ts";

// What a person made in an account whose database is not the core (ADR 0042).

interface Place {
  db: D1Database;
  subject: { accountId: number; userId: string; keys: string[] };
}

/** Null: the account is in the core. */
async function placeOf(env: Env, accountId: number, userId: string): Promise<Place | null> {
  const db = await databaseOf(env, accountId);
  if (db === env.DB) return null;
  return { db, subject: { accountId, userId, keys: await findLineKeys(env.DB, accountId, userId) } };
}

/** Reads what the person made and what goes on in the account's database; null: that is the core. */
export async function readAccessElsewhere(
  env: Env,
  { accountId, userId }: { accountId: number; userId: string },
  now: number,
): Promise<LastingAccess | null> {
  const place = await placeOf(env, accountId, userId);
  if (place === null) return null;
  const batch = new Batch(place.db);
  const read = readLastingAccess(batch, place.subject, now);
  await batch.commit();
  return read();
}

/**
 * Ends what is noted as to be ended, of one account or of all. What fails is repeated by the cron, because the note stays. Returns for
 * each person of the account what was ended.
 */
export async function endAccessElsewhere(
  env: Env,
  accountId: number | null,
  now: number,
): Promise<Map<string, LastingAccess>> {
  const ended = new Map<string, LastingAccess>();
  if (!hasSeveralDatabases(env)) return ended;
  for (const note of await findAccessToEnd(env.DB, accountId, MAX_ENDED_AT_ONCE)) {
    try {
      const lists = await endOne(env, note, now);
      if (lists !== null) ended.set(note.user_id, lists);
      await deleteAccessToEnd(env.DB, note);
    } catch (error) {
      log("warn", "access_not_ended", { accountId: note.account_id, userId: note.user_id, ...describeError(error) });
    }
  }
  return ended;
}

async function endOne(env: Env, note: AccessToEnd, now: number): Promise<LastingAccess | null> {
  const place = await placeOf(env, note.account_id, note.user_id);
  if (place === null) return null;
  const batch = new Batch(place.db);
  const ender = { actor: { type: "user", id: note.actor_id }, country: note.country, now } as const;
  const { ended, webhooksLeft } = endLastingAccess(batch, place.subject, note.role, ender, ALWAYS);
  await batch.commitWithRetry();
  const lists = ended();
  // Webhooks at the host of one that has ended may have waited for its connections.
  if (lists.webhooks.length > 0) {
    const ids = webhooksLeft.rows.map(({ id }) => id);
    await sendWakeUps({ env, db: place.db }, ids);
  }
  return lists;
}

/** The lists of both databases. */
export function joinAccess(first: LastingAccess, second: LastingAccess | null | undefined): LastingAccess {
  if (second == null) return first;
  return {
    keys: [...first.keys, ...second.keys],
    webhooks: [...first.webhooks, ...second.webhooks],
    listeners: [...first.listeners, ...second.listeners],
    sharedPages: [...first.sharedPages, ...second.sharedPages],
  };
}
