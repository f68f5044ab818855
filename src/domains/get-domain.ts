import type { RequestContext } from "../context.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import type { DomainRow } from "./row.ts";
import { findDomain } from "./store.ts";

export const domainNotFound = () => notFound("There is no such domain.");

/** The account's domain with this id; 404 where there is none, 403 where it is someone else's. */
export async function getDomainRow(
  { env, principal }: Pick<RequestContext, "env" | "principal">,
  id: string,
): Promise<DomainRow> {
  const row = isId(id) ? await findDomain(env.DB, id) : null;
  if (row === null) throw domainNotFound();
  if (row.account_id !== principal.accountId) throw forbidden("This domain belongs to another account.");
  return row;
}
