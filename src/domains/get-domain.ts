import { forbidden, notFound } from "../platform/http/errors.ts";
import { isId } from "../platform/lib/uuid.ts";
import { findDomain } from "./store/read.ts";
import type { DomainRow } from "./store/row.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

export const domainNotFound = () => notFound("not_found", { resource: "domain" });

/** The account's domain with this id. Throws a 404 if it does not exist, a 403 if it belongs to another account. */
export async function getDomainRow(
  { db, principal }: Pick<RequestContext, "db" | "principal">,
  id: string,
): Promise<DomainRow> {
  const row = isId(id) ? await findDomain(db, id) : null;
  if (row === null) throw domainNotFound();
  if (row.account_id !== principal.accountId) throw forbidden("of_another_account", { resource: "domain" });
  return row;
}
