import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { ALWAYS, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";

import {
  isFirst,
  storeResponse,
  type ResponseToStore,
  type StoredResponse,
} from "../../platform/idempotency/store/responses.ts";
import { MAX_DOMAINS_PER_ACCOUNT } from "../../limits.ts";
import { caseOfLinks } from "./read.ts";
import type { DomainRow } from "./row.ts";

export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "exists" }
  /** Deleted links of the account at the domain can be restored, and they are not as case-sensitive as this domain. */
  | { outcome: "case_is_set" }
  | { outcome: "being_deleted" }
  | { outcome: "limit_reached" }
  /** The person has lost the role that permits it. */
  | { outcome: "demoted" }
  | ({ outcome: "repeated" } & StoredResponse);

/** Stores a pending domain and, for a request with an Idempotency-Key, its response, in one transaction. */
export async function insertDomain(
  db: D1Database,
  { isAllowed, record }: AccountChange,
  row: DomainRow,
  response: ResponseToStore | null,
): Promise<InsertOutcome> {
  const { id, account_id: accountId, domain } = row;
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  addInsert(batch, row, response, isAllowed);
  record(batch, "domain.add", id, holds`EXISTS (SELECT 1 FROM domains WHERE id = ${id})`);
  const stored = batch.add<{ id: string }>("SELECT id FROM domains WHERE account_id = ?1 AND domain = ?2", [
    accountId,
    domain,
  ]);
  const used = batch.add<CaseOfLinks>(`SELECT ${caseOfLinks("?1", "?2")} AS case_sensitive`, [accountId, domain]);
  const deleted = batch.add("SELECT 1 FROM deleted_domains WHERE account_id = ?1 AND domain = ?2", [accountId, domain]);
  const earlier = response === null ? null : storeCreated(batch, row, response);
  await batch.commitWithRetry();
  if (earlier?.first !== undefined) return { outcome: "repeated", ...earlier.first };
  if (stored.first !== undefined) return { outcome: stored.first.id === id ? "created" : "exists" };
  if (check.first === undefined) return { outcome: "demoted" };
  if (deleted.first !== undefined) return { outcome: "being_deleted" };
  const isOther = (used.first?.case_sensitive ?? row.case_sensitive) !== row.case_sensitive;
  return { outcome: isOther ? "case_is_set" : "limit_reached" };
}

function storeCreated(batch: Batch, { id, created_at: now }: DomainRow, { idempotency, response }: ResponseToStore) {
  const parameters = new Parameters([JSON.stringify(response), id]);
  const created = { select: "SELECT 201, ?1 FROM domains WHERE id = ?2", parameters };
  return storeResponse(batch, { idempotency, requestId: id }, created, now);
}

interface CaseOfLinks {
  case_sensitive: 0 | 1 | null;
}

function addInsert(batch: Batch, row: DomainRow, response: ResponseToStore | null, isAllowed: Condition): void {
  const parameters = new Parameters([
    row.id,
    row.account_id,
    row.domain,
    row.token,
    row.created_at,
    MAX_DOMAINS_PER_ACCOUNT,
    row.case_sensitive,
  ]);
  const { idempotency } = response ?? {};
  const isNew = idempotency === undefined ? ALWAYS : isFirst({ idempotency, requestId: row.id }, row.created_at);
  batch.add(
    `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at, case_sensitive)
     SELECT ?1, ?2, ?3, ?4, 'pending', ?5, ?5, ?7
     WHERE (SELECT count(*) FROM domains WHERE account_id = ?2) < ?6
       AND NOT EXISTS (SELECT 1 FROM deleted_domains WHERE account_id = ?2 AND domain = ?3)
       AND coalesce(${caseOfLinks("?2", "?3")}, ?7) = ?7 AND ${isNew(parameters)} AND ${isAllowed(parameters)}
     ON CONFLICT DO NOTHING`,
    parameters.values,
  );
}
