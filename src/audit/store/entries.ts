import type { Batch } from "../../database/batch.ts";
import { ALWAYS, Parameters, type Condition } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import { firstIdAt, newId } from "../../lib/uuid.ts";
import { selectTargetName } from "./target-name.ts";
import type { AuditAction } from "../actions.ts";
import { AUDIT_RETENTION_MS } from "../limits.ts";

export interface AuditEntry {
  /** For a batch that may run again: then the entry is there once. By default a new id. */
  id?: string;
  /** The account by one of its ids, or the personal account of a user. */
  account: { id: number } | { uuid: string } | { personalOf: string };
  actor: { type: "user" | "key"; id: string };
  action: AuditAction;
  /** The id of what was changed. Never a secret. */
  targetId: string | null;
  /** From which country; null: unknown. */
  country: string | null;
}

/**
 * Adds an entry to the batch of the change that it records. `condition` is that of the change. The entry keeps the name that
 * its target has at this place of the batch: after a creation, before a change or a deletion.
 */
export function addAuditEntry(batch: Batch, entry: AuditEntry, now: number, condition: Condition = ALWAYS): void {
  const { id = newId(now), account, actor, action, targetId, country } = entry;
  const parameters = new Parameters([id, actor.type, actor.id, action, targetId, country, now]);
  const [accountId, source] = sourceOf(account, parameters);
  const name = targetId === null ? "NULL" : selectTargetName(action, "?5");
  batch.add(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, country, created_at, target_name)
     SELECT ?1, ${accountId}, ?2, ?3, ?4, ?5, ?6, ?7, ${name} ${source} ${condition(parameters)} ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
}

/** SQL for the internal id of the account, and for the rows that it is read from, up to a further condition. */
function sourceOf(account: AuditEntry["account"], parameters: Parameters): [id: string, source: string] {
  if ("id" in account) return [parameters.add(account.id), "WHERE"];
  const [column, value] = "uuid" in account ? ["uuid", account.uuid] : ["personal_user_id", account.personalOf];
  return ["accounts.id", `FROM accounts WHERE accounts.${column} = ${parameters.add(value)} AND`];
}

/** An entry as the account's members read it. */
export interface StoredEntry {
  id: string;
  actor_type: "user" | "key" | "operator";
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  target_id: string | null;
  target_name: string | null;
  country: string | null;
  created_at: number;
}

/** The entries of the account, newest first; one more than the page holds. */
export async function listAuditEntries(db: D1Database, accountId: number, page: Page): Promise<StoredEntry[]> {
  const { results } = await db
    .prepare(
      `SELECT e.id, e.actor_type, e.actor_id, coalesce(u.name, k.name) AS actor_name, e.action, e.target_id,
         coalesce(e.target_name, p.name, i.email) AS target_name, e.country, e.created_at
       FROM audit_entries e LEFT JOIN users u ON e.actor_type = 'user' AND u.id = e.actor_id
         LEFT JOIN api_keys k ON e.actor_type = 'key' AND k.id = e.actor_id
         LEFT JOIN users p ON (e.action GLOB 'member.*' OR e.action = 'team.transfer') AND p.id = e.target_id
         LEFT JOIN invitations i ON e.action GLOB 'invitation.*' AND i.id = e.target_id
       WHERE e.account_id = ?1 AND e.id < ?2 ORDER BY e.id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, page.after ?? "~", page.limit + 1, page.offset)
    .all<StoredEntry>();
  return results;
}

/** Deletes up to `limit` entries that are past their retention, and returns their number. */
export async function deleteOldAuditEntries(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE id < ?1 ORDER BY id LIMIT ?2)")
    .bind(firstIdAt(now - AUDIT_RETENTION_MS), limit)
    .run();
  return meta.changes;
}
