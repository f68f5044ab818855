import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import { removeHostnameLater } from "./custom-hostnames.ts";
import { findDomain } from "./read.ts";

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
