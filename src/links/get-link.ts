import type { RequestContext } from "../context.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import type { LinkRow } from "./store/row.ts";
import { findLink } from "./store/links.ts";

export const linkNotFound = () => notFound("There is no such link.");
export const linkForbidden = () => forbidden("This link belongs to another account.");

/** The account's link with this id; 404 where there is none, 403 where it is someone else's. */
export async function getLinkRow(
  { env, principal }: Pick<RequestContext, "env" | "principal">,
  id: string,
): Promise<LinkRow> {
  const row = isId(id) ? await findLink(env.DB, id) : null;
  if (row === null) throw linkNotFound();
  if (row.account_id !== principal.accountId) throw linkForbidden();
  return row;
}
