import type { AccountContext } from "../platform/context.ts";
import { notFound } from "../platform/http/errors.ts";
import { refuse } from "./refusal.ts";
import type { LinkRow } from "./store/row.ts";
import { findLink } from "./store/links.ts";
import { isId } from "../platform/lib/uuid.ts";

/** Returns the account's link. Throws a 404 if it does not exist and a 403 if it belongs to another account. */
export async function getLinkRow(
  { db, principal }: Pick<AccountContext, "db" | "principal">,
  id: string,
): Promise<LinkRow> {
  requireLinkId(id);
  const row = await findLink(db, id);
  if (row === null) throw refuse("not_found").error;
  if (row.account_id !== principal.accountId) throw refuse("forbidden").error;
  return row;
}

/** Throws a 404 for a text that is no id. It may be a slug or a short URL, so the error says how to find the link. */
export function requireLinkId(text: string): void {
  if (!isId(text)) throw notFound("not_a_link_id");
}
