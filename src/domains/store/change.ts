import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf, ALWAYS, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import { isNestedSql } from "../../platform/lib/slug.ts";
import { caseOfLinks } from "./read.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";

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
