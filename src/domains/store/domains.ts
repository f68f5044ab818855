import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf, ALWAYS, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import { selectPage } from "../../platform/database/rows.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import {
  isFirst,
  storeResponse,
  type ResponseToStore,
  type StoredResponse,
} from "../../platform/idempotency/store/responses.ts";
import { MAX_DOMAINS_PER_ACCOUNT } from "../../limits.ts";
import { isNestedSql } from "../../platform/lib/slug.ts";
import { removeHostnameLater } from "./custom-hostnames.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";

export async function findDomain(db: D1Database, id: string): Promise<DomainRow | null> {
  return db.prepare(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?1`).bind(id).first<DomainRow>();
}

/** The account's domains, newest first; one more than the page holds. */
export async function listDomains(db: D1Database, accountId: number, page: Page): Promise<DomainRow[]> {
  return selectPage(db, `SELECT ${DOMAIN_COLUMNS} FROM domains`, accountId, boundsOf(page));
}

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

/**
 * SQL for whether the account's links at a domain are case-sensitive, deleted links that can be restored included: 1 or 0, or
 * NULL if it has none. They are all the same, so one is read. A deleted link that can be restored has a row in `aliases`.
 */
function caseOfLinks(account: string, domain: string): string {
  const ofLinks = (archived: 0 | 1) => `(SELECT l.case_sensitive FROM links l INDEXED BY links_by_domain
    WHERE l.account_id = ${account} AND l.archived = ${archived} AND l.domain = ${domain} AND l.domain <> '' LIMIT 1)`;
  return `coalesce(${ofLinks(0)}, ${ofLinks(1)}, (SELECT dl.link ->> 'case_sensitive'
    FROM aliases a INDEXED BY aliases_by_link CROSS JOIN deleted_links dl ON dl.seq = a.link_seq
    WHERE a.account_id = ${account} AND a.domain = ${domain} LIMIT 1))`;
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

/** The columns that an update may set. Columns that are not given keep their values. */
export type DomainChanges = Partial<
  Pick<
    DomainRow,
    | "root_url"
    | "not_found_url"
    | "apple_app_site_association"
    | "asset_links"
    | "case_sensitive"
    | "path_forwarding"
    | "nested_slugs"
    | "brand_name"
    | "brand_logo"
    | "brand_color"
  >
>;

/** Why a domain is not updated. */
export type DomainRefusal =
  | "not_found"
  /** The person has lost the role that permits it. */
  | "demoted"
  /** Its links are not as case-sensitive as it would be: their slugs were compared the other way. */
  | "case_is_set"
  /** It would have nested slugs and forward paths. */
  | "both_path_options"
  /** Links have nested slugs, or deleted links that can be restored do. */
  | "has_nested_slugs";

/** SQL for why a row of `domains` cannot be changed in this way: a {@link DomainRefusal} or NULL. null: it can be in any case. */
function refusalSql({ case_sensitive, path_forwarding, nested_slugs }: DomainChanges): string | null {
  const refusals: [DomainRefusal, isRefused: string][] = [];
  if (case_sensitive !== undefined) {
    const present = caseOfLinks("domains.account_id", "domains.domain");
    refusals.push(["case_is_set", `coalesce(${present}, ${case_sensitive}) <> ${case_sensitive}`]);
  }
  if (path_forwarding === 1 || nested_slugs === 1)
    refusals.push([
      "both_path_options",
      `${path_forwarding ?? "path_forwarding"} = 1 AND ${nested_slugs ?? "nested_slugs"} = 1`,
    ]);
  if (nested_slugs === 0) refusals.push(["has_nested_slugs", HAS_NESTED_SLUGS]);
  const cases = refusals.map(([refusal, isRefused]) => `WHEN ${isRefused} THEN '${refusal}'`);
  return cases.length === 0 ? null : `CASE ${cases.join(" ")} END`;
}

/** SQL that holds if links of the account of the domain have nested slugs there, aliases and deleted links included. */
const HAS_NESTED_SLUGS = `(
  EXISTS (SELECT 1 FROM links l INDEXED BY links_nested
    WHERE l.account_id = domains.account_id AND l.domain = domains.domain AND ${isNestedSql("l.slug")})
  OR EXISTS (SELECT 1 FROM aliases a INDEXED BY aliases_nested
    WHERE a.account_id = domains.account_id AND a.domain = domains.domain AND ${isNestedSql("a.slug_key")}))`;

/** Updates an account's domain. Returns the row, or why it is not updated. */
export async function updateDomain(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
  changes: DomainChanges,
): Promise<DomainRow | DomainRefusal> {
  const batch = new Batch(db);
  const refusal = refusalSql(changes);
  const isPossible: Condition = refusal === null ? ALWAYS : () => `${refusal} IS NULL`;
  const isOwn = holds`EXISTS (SELECT 1 FROM domains WHERE id = ${id} AND account_id = ${accountId} AND ${isPossible})`;
  const check = addCheck(batch, isAllowed);
  const found =
    refusal === null
      ? null
      : batch.add<{ refusal: DomainRefusal | null }>(
          `SELECT ${refusal} AS refusal FROM domains WHERE id = ?1 AND account_id = ?2`,
          [id, accountId],
        );
  record(batch, "domain.update", id, allOf(isAllowed, isOwn));
  const parameters = new Parameters([id, accountId, now]);
  const assignments = Object.entries(changes).map(([column, value]) => `${column} = ${parameters.add(value)}`);
  const updated = batch.add<DomainRow>(
    `UPDATE domains SET ${assignments.join(", ")}, updated_at = max(?3, updated_at + 1)
     WHERE id = ?1 AND account_id = ?2 AND ${allOf(isPossible, isAllowed)(parameters)} RETURNING ${DOMAIN_COLUMNS}`,
    parameters.values,
  );
  await batch.commit();
  if (check.first === undefined) return "demoted";
  return updated.first ?? found?.first?.refusal ?? "not_found";
}

/** `demoted`: the person has lost the role that permits it. */
export type DeleteOutcome = "deleted" | "in_use" | "demoted";

/** SQL that holds if the account of the domain has links there, archived or not. */
const HAS_LINKS = `(
  EXISTS (SELECT 1 FROM links INDEXED BY links_by_domain
    WHERE account_id = domains.account_id AND archived = 0 AND domain = domains.domain AND domain <> '')
  OR EXISTS (SELECT 1 FROM links INDEXED BY links_by_domain
    WHERE account_id = domains.account_id AND archived = 1 AND domain = domains.domain AND domain <> ''))`;

/**
 * Deletes an account's domain unless links use it. With `force` it deletes the domain in any case and schedules the
 * deletion of its links (src/links/store/domain-links.ts), which stop redirecting at once.
 */
export async function deleteDomain(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
  force: boolean,
): Promise<DeleteOutcome> {
  const isUnused: Condition = () => (force ? "true" : `NOT ${HAS_LINKS}`);
  const isDeletable = holds`id = ${id} AND account_id = ${accountId} AND ${isUnused} AND ${isAllowed}`;
  const parameters = new Parameters();
  const sql = isDeletable(parameters);
  const { values } = parameters;
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  removeHostnameLater(batch, { sql, values }, now);
  record(batch, "domain.delete", id, holds`EXISTS (SELECT 1 FROM domains WHERE ${isDeletable})`);
  batch.add(
    `INSERT INTO deleted_domains (account_id, domain)
     SELECT account_id, domain FROM domains WHERE ${sql} AND ${HAS_LINKS} ON CONFLICT DO NOTHING`,
    values,
  );
  const deleted = batch.add(`DELETE FROM domains WHERE ${sql} RETURNING 1 AS deleted`, values);
  await batch.commit();
  // If another request has deleted it meanwhile, the outcome is the same.
  if (deleted.first !== undefined || (await findDomain(db, id)) === null) return "deleted";
  return check.first === undefined ? "demoted" : "in_use";
}
