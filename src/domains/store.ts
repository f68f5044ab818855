import type { Idempotency } from "../idempotency/store.ts";
import { storeResponse, notAnsweredYet, oldestKept, readResponse } from "../idempotency/store.ts";
import type { Page } from "../http/pagination.ts";
import { batchWithRetry } from "../database/retry.ts";
import { CUSTOM_HOSTNAME_REMOVAL_DELAY_MS, MAX_DOMAINS_PER_ACCOUNT } from "../limits.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";

type Value = string | number | null;

export async function findDomain(db: D1Database, id: string): Promise<DomainRow | null> {
  return db.prepare(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?1`).bind(id).first<DomainRow>();
}

/** The account's domains, newest first; one more than the page holds. */
export async function listDomains(db: D1Database, accountId: number, page: Page): Promise<DomainRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, page.after ?? "~", page.limit + 1, page.offset)
    .all<DomainRow>();
  return results;
}

export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "has_it" }
  | { outcome: "being_deleted" }
  | { outcome: "limit_reached" }
  | { outcome: "answered"; fingerprint: string; response: string };

/** Stores a pending domain, and with `answer` the answer to the request, in one transaction. */
export async function insertDomain(
  db: D1Database,
  row: DomainRow,
  answer: { idempotency: Idempotency; response: unknown } | null,
): Promise<InsertOutcome> {
  const { id, account_id: accountId, domain, created_at: now } = row;
  const results = await batchWithRetry(db, [
    insertStatement(db, row, answer?.idempotency),
    db.prepare("SELECT id FROM domains WHERE account_id = ?1 AND domain = ?2").bind(accountId, domain),
    db.prepare("SELECT 1 FROM deleted_domains WHERE account_id = ?1 AND domain = ?2").bind(accountId, domain),
    ...(answer === null
      ? []
      : [
          storeResponse(
            db,
            answer.idempotency,
            // The key is not needed: the id alone finds the row.
            { id, key: id, made: "SELECT 1 FROM domains WHERE id = ?4 AND id = ?7" },
            answer.response,
            now,
          ),
          readResponse(db, answer.idempotency, now),
        ]),
  ]);
  const [, stored, deleted, , kept] = results;
  const earlier = kept?.results[0] as { fingerprint: string; resource_id: string; response: string } | undefined;
  if (earlier !== undefined && earlier.resource_id !== id) return { outcome: "answered", ...earlier };
  const found = stored?.results[0]?.["id"];
  if (found === id) return { outcome: "created" };
  if (found !== undefined) return { outcome: "has_it" };
  return { outcome: deleted?.results[0] === undefined ? "limit_reached" : "being_deleted" };
}

function insertStatement(db: D1Database, row: DomainRow, idempotency: Idempotency | undefined): D1PreparedStatement {
  const parameters: Value[] = [row.id, row.account_id, row.domain, row.token, row.created_at, MAX_DOMAINS_PER_ACCOUNT];
  const bound = (value: Value) => `?${parameters.push(value)}`;
  const unanswered =
    idempotency === undefined
      ? "true"
      : notAnsweredYet(bound(idempotency.accountId), bound(idempotency.key), bound(oldestKept(row.created_at)));
  return db
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, 'pending', ?5, ?5
       WHERE (SELECT count(*) FROM domains WHERE account_id = ?2) < ?6
         AND NOT EXISTS (SELECT 1 FROM deleted_domains WHERE account_id = ?2 AND domain = ?3) AND ${unanswered}
       ON CONFLICT DO NOTHING`,
    )
    .bind(...parameters);
}

/** The columns that a change may set; those absent stay as they are. */
export type DomainChanges = Partial<
  Pick<DomainRow, "root_url" | "not_found_url" | "apple_app_site_association" | "asset_links">
>;

/** Changes an account's domain; null where it has no such domain any more. */
export async function updateDomain(
  db: D1Database,
  accountId: number,
  id: string,
  changes: DomainChanges,
  now: number,
): Promise<DomainRow | null> {
  const parameters: Value[] = [id, accountId, now];
  const assignments = Object.entries(changes).map(([column, value]) => `${column} = ?${parameters.push(value)}`);
  return db
    .prepare(
      `UPDATE domains SET ${assignments.join(", ")}, updated_at = max(?3, updated_at + 1)
       WHERE id = ?1 AND account_id = ?2 RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(...parameters)
    .first<DomainRow>();
}

/** Notes that the custom hostname of the domain that `where` names is to be removed, if it has one. */
export function noteHostname(db: D1Database, where: string, parameters: Value[], now: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO removed_hostnames (hostname, due_at)
       SELECT domain, ?${parameters.length + 1} FROM domains WHERE hostname_status IS NOT NULL AND ${where}
       ON CONFLICT (hostname) DO UPDATE SET due_at = excluded.due_at`,
    )
    .bind(...parameters, now + CUSTOM_HOSTNAME_REMOVAL_DELAY_MS);
}

export type DeleteOutcome = "deleted" | "in_use";

/**
 * Deletes an account's domain unless links use it; with `force`, then too, and notes that its links are to be
 * deleted (src/links/store/domain-links.ts). From here on none of them answers.
 */
export async function deleteDomain(
  db: D1Database,
  { id, account_id: accountId, domain }: DomainRow,
  force: boolean,
  now: number,
): Promise<DeleteOutcome> {
  const used = "EXISTS (SELECT 1 FROM links WHERE account_id = ?2 AND domain = ?3)";
  const own = `id = ?1 AND account_id = ?2 AND domain = ?3 AND ${force ? "true" : `NOT ${used}`}`;
  const [, , deleted] = await db.batch([
    noteHostname(db, own, [id, accountId, domain], now),
    db
      .prepare(
        `INSERT INTO deleted_domains (account_id, domain)
         SELECT account_id, domain FROM domains WHERE ${own} AND ${used} ON CONFLICT DO NOTHING`,
      )
      .bind(id, accountId, domain),
    db.prepare(`DELETE FROM domains WHERE ${own} RETURNING 1 AS gone`).bind(id, accountId, domain),
  ]);
  // Deleted by another request in the meantime is deleted all the same.
  if (deleted?.results[0] !== undefined || (await findDomain(db, id)) === null) return "deleted";
  return "in_use";
}
