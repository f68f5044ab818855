import type { AccountChange } from "../../access/audit/change.ts";
import type { ServiceContext } from "../../platform/context.ts";
import { addCheck, type Result } from "../../platform/database/batch.ts";
import { isDeletedAccount } from "../../platform/database/account-states.ts";
import { allOf, ALWAYS, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { accountEventSource } from "../../platform/outbox/statements.ts";
import {
  applyDnsResult,
  statusChangeOf,
  type CheckOptions,
  type DnsResult,
  type StatusChange,
} from "../verification-state.ts";
import { removeHostnameLater } from "./custom-hostnames.ts";
import { DOMAIN_COLUMNS, toDomain, type DomainRow } from "./row.ts";
import { DOMAIN_CHECK_RETRY_MS, DOMAINS_CHECKED_PER_RUN, MAX_DOMAIN_CHANGE_ATTEMPTS } from "../limits.ts";

/**
 * Returns the verified domains whose check is due and postpones them, so that a failed check is repeated later. The domains of
 * deleted accounts stay as they are.
 */
export async function claimDueDomains(db: D1Database, now: number): Promise<DomainRow[]> {
  const { results } = await db
    .prepare(
      `UPDATE domains SET check_at = ?2 WHERE id IN (SELECT id FROM domains INDEXED BY domains_to_check
         WHERE check_at IS NOT NULL AND check_at <= ?1 AND NOT ${isDeletedAccount("domains.account_id")}
         ORDER BY check_at LIMIT ?3) RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(now, now + DOMAIN_CHECK_RETRY_MS, DOMAINS_CHECKED_PER_RUN)
    .all<DomainRow>();
  return results;
}

export type RecordOutcome =
  | { outcome: "recorded"; row: DomainRow }
  | { outcome: "verified_elsewhere" }
  /** The caller has lost the role that permits the check. */
  | { outcome: "demoted" }
  | { outcome: "deleted" };

/**
 * Records the result of a DNS check and the event that follows from it, in one transaction. `updated_at` is the row's
 * version (optimistic locking): after a conflicting change the result is applied again to the new row. So each event is
 * emitted once and describes the domain as it is. If a caller asked for the check, the audit log gets an entry of a change of
 * the status.
 */
export async function recordDnsResult(
  context: ServiceContext,
  before: DomainRow,
  found: DnsResult,
  options: CheckOptions,
  caller: AccountChange | null,
): Promise<RecordOutcome> {
  const isAllowed = caller?.isAllowed ?? ALWAYS;
  for (let row = before, attempt = 1; attempt <= MAX_DOMAIN_CHANGE_ATTEMPTS; attempt++) {
    const batch = new OutboxBatch(context);
    const after = applyDnsResult(row, found, options);
    const change = statusChangeOf(row, found, options.now);
    const mayChange = allOf(isAllowed, isUnchanged(row));
    const check = addCheck(batch, isAllowed);
    if (change === "unverified") removeHostname(batch, row, mayChange, options.now);
    enqueueEvent(batch, EVENTS[change], row, toDomain(after, context.baseUrl), options.now, mayChange);
    if (change !== "none") caller?.record(batch, "domain.verify", row.id, mayChange);
    const updated = updateRow(batch, row, after, isAllowed);
    const current = batch.add<DomainRow>(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?1`, [row.id]);
    const elsewhere = batch.add(VERIFIED_ELSEWHERE, [row.id, row.domain]);
    await batch.commitWithRetry();
    if (updated.first !== undefined) return { outcome: "recorded", row: updated.first };
    if (current.first === undefined) return { outcome: "deleted" };
    if (check.first === undefined) return { outcome: "demoted" };
    if (current.first.updated_at === row.updated_at && elsewhere.first !== undefined)
      return { outcome: "verified_elsewhere" };
    row = current.first;
  }
  throw new Error(`a domain was changed ${MAX_DOMAIN_CHANGE_ATTEMPTS} times while its DNS check was recorded`);
}

type DomainEvent = "domain.verified" | "domain.lost";

const EVENTS: Partial<Record<StatusChange, DomainEvent>> = { verified: "domain.verified", lost: "domain.lost" };

const VERIFIED_ELSEWHERE = "SELECT 1 FROM domains WHERE domain = ?2 AND status = 'verified' AND id <> ?1";

/** Holds if the domain is as it was read, and no other account has verified it. */
function isUnchanged(row: DomainRow): Condition {
  return holds`EXISTS (SELECT 1 FROM domains WHERE id = ${row.id} AND updated_at = ${row.updated_at})
    AND NOT EXISTS (SELECT 1 FROM domains WHERE domain = ${row.domain} AND status = 'verified'
      AND id <> ${row.id})`;
}

/** Called before the update, which changes the version that the event depends on. */
function enqueueEvent(
  batch: OutboxBatch,
  type: DomainEvent | undefined,
  row: DomainRow,
  data: unknown,
  now: number,
  condition: Condition,
): void {
  if (type === undefined) return;
  const id = newId(now);
  batch.enqueue(accountEventSource({ id, accountId: row.account_id, type, data, now }, condition), id);
}

function removeHostname(batch: OutboxBatch, row: DomainRow, condition: Condition, now: number): void {
  const parameters = new Parameters([row.id]);
  removeHostnameLater(batch, { sql: `id = ?1 AND ${condition(parameters)}`, values: parameters.values }, now);
}

function updateRow(batch: OutboxBatch, row: DomainRow, after: DomainRow, isAllowed: Condition): Result<DomainRow> {
  const parameters = new Parameters([
    row.id,
    row.domain,
    row.updated_at,
    after.status,
    after.txt_found,
    after.cname_found,
    after.checked_at,
    after.check_at,
    after.verified_at,
    after.lost_at,
    after.updated_at,
    after.hostname_status,
    after.hostname_at,
  ]);
  return batch.add<DomainRow>(
    `UPDATE domains SET status = ?4, txt_found = ?5, cname_found = ?6, checked_at = ?7, check_at = ?8,
       verified_at = ?9, lost_at = ?10, updated_at = ?11,
       hostname_id = iif(?12 IS NULL, NULL, hostname_id), hostname_error = iif(?12 IS NULL, NULL, hostname_error),
       hostname_at = iif(hostname_status IS NULL OR ?12 IS NULL, ?13, hostname_at),
       hostname_status = iif(hostname_status IS NULL OR ?12 IS NULL, ?12, hostname_status)
     WHERE id = ?1 AND updated_at = ?3 AND (?4 = 'pending' OR NOT EXISTS (${VERIFIED_ELSEWHERE}))
       AND ${isAllowed(parameters)}
     RETURNING ${DOMAIN_COLUMNS}`,
    parameters.values,
  );
}
