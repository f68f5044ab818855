import type { AccountContext } from "../context.ts";
import { requireLinkId } from "./link-id.ts";
import { refuse } from "./outcome.ts";
import type { LinkRow } from "./store/row.ts";
import { findLink } from "./store/links.ts";

/** Returns the account's link. Throws a 404 if it does not exist and a 403 if it belongs to another account. */
export async function getLinkRow(
  { env, principal }: Pick<AccountContext, "env" | "principal">,
  id: string,
): Promise<LinkRow> {
  requireLinkId(id);
  const row = await findLink(env.DB, id);
  if (row === null) throw refuse("not_found").error;
  if (row.account_id !== principal.accountId) throw refuse("forbidden").error;
  return row;
}
