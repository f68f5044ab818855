import type { AccountContext } from "../../platform/context.ts";
import { invalidField } from "../../platform/http/errors.ts";
import { toStoredDomain } from "../../links/domain.ts";
import { findListedIds, findSelectedIds } from "../../links/store/selected-links.ts";
import type { LinkSelection } from "../../click-log/log/selected-rows.ts";
import type { SelectionQuery } from "./query-contract.ts";
import { MAX_SELECTED_LINKS } from "./limits.ts";

/** The account's links that the query selects. Throws a 400 if there are too many, or if an id is not that of a link. */
export async function selectLinks(
  { db, principal, baseUrl }: Pick<AccountContext, "db" | "principal" | "baseUrl">,
  { tag: tags = [], domain, linkIds }: SelectionQuery,
): Promise<LinkSelection> {
  const { accountId } = principal;
  const listed = linkIds === undefined ? null : await findListed(db, accountId, linkIds);
  if (tags.length === 0 && domain === undefined) return listed;
  const wanted = { tags, domain: domain === undefined ? undefined : toStoredDomain(domain, baseUrl) };
  const selected = await findSelectedIds(db, accountId, wanted, MAX_SELECTED_LINKS + 1);
  if (selected.length > MAX_SELECTED_LINKS) {
    const path = tags.length > 0 ? "tag" : "domain";
    throw invalidField(path, "too_many_selected", { max: MAX_SELECTED_LINKS, resource: "link" });
  }
  if (listed === null) return selected;
  const isSelected = new Set(selected);
  return listed.filter((id) => isSelected.has(id));
}

async function findListed(db: D1Database, accountId: number, ids: readonly string[]): Promise<string[]> {
  const distinct = [...new Set(ids)];
  const found = await findListedIds(db, accountId, distinct);
  const unknown = distinct.find((id) => !found.includes(id));
  if (unknown === undefined) return found;
  throw invalidField("linkIds", "unknown", { resource: "link", value: unknown });
}
