import { prepareChange } from "../../access/audit/change.ts";
import { accessChanged } from "../../platform/auth/require-permissions.ts";
import { requireConfirmedFor } from "../../platform/auth/confirmed-operations.ts";
import { forbidden, limitReached, notFound, invalidField } from "../../platform/http/errors.ts";
import { hashPassword } from "../../platform/lib/password.ts";
import { noSubject } from "../../links/refusal.ts";
import { deliverMails, prepareMail } from "../../platform/mail/send.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import type { CreateSharedPage, UpdateSharedPage } from "./contract.ts";
import * as store from "./store/pages.ts";
import type { SharedPageRow } from "./store/row.ts";
import { createToken } from "./token.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "./limits.ts";

/** Creates, changes and deletes shared pages of the caller's account. */

// In the roles, it includes `clicks:read`.
const PERMISSION = "links:write";

const pageNotFound = () => notFound("not_found", { resource: "shared_page" });

export async function createSharedPage(context: RequestContext, fields: CreateSharedPage): Promise<SharedPageRow> {
  const { env, db, now, principal } = context;
  const { linkId, tag, title = null, password, showDestination } = fields;
  const id = newId(now);
  const page: store.NewSharedPage = {
    id,
    subject: linkId === undefined ? { tag: tag ?? "" } : { linkId },
    title,
    ...(await createToken(env.ENCRYPTION_KEYS, id)),
    passwordHash: password == null ? null : await hashPassword(env.ENCRYPTION_KEYS, id, password),
    showDestination: showDestination ?? false,
  };
  const change = prepareChange(context, PERMISSION);
  // A stranger with the cookie of a session could share what goes on without the session.
  const mail = principal.type === "person" ? await prepareMail(context, "page_shared", principal.user.email) : null;
  const result = await store.insertSharedPage(db, change, page, mail);
  if (result.outcome === "created") {
    if (mail !== null) deliverMails(context, mail.id);
    return result.row;
  }
  if (result.outcome === "demoted") throw accessChanged(context.principal);
  if (result.outcome === "no_subject") throw noSubject({ linkId, tag });
  throw limitReached("limit_reached", { resource: "shared_page", max: MAX_SHARED_PAGES_PER_ACCOUNT });
}

/** Returns the account's page. Throws 404 if it does not exist, and 403 if it belongs to another account. */
export async function getSharedPage(
  { db, principal }: Pick<RequestContext, "db" | "principal">,
  id: string,
): Promise<SharedPageRow> {
  const row = isId(id) ? await store.findSharedPage(db, id) : null;
  if (row === null) throw pageNotFound();
  if (row.account_id !== principal.accountId) throw forbidden("of_another_account", { resource: "shared_page" });
  return row;
}

export async function updateSharedPage(
  context: RequestContext,
  id: string,
  { title, password, showDestination }: UpdateSharedPage,
): Promise<SharedPageRow> {
  const { env, db } = context;
  if (password !== undefined || showDestination === true) requireConfirmedFor("PATCH /api/shared-pages/:id", context);
  const { tag } = await getSharedPage(context, id);
  if (tag !== null && showDestination === true) throw invalidField("showDestination", "no_destination_of_tag");
  const changes: store.SharedPageChanges = {
    title,
    // Always a new hash, so that the cookies of viewers end.
    passwordHash: password == null ? password : await hashPassword(env.ENCRYPTION_KEYS, id, password),
    showDestination: showDestination === null ? false : showDestination,
  };
  const result = await store.updateSharedPage(db, prepareChange(context, PERMISSION), id, changes);
  if (result.outcome === "changed") return result.row;
  throw result.outcome === "demoted" ? accessChanged(context.principal) : pageNotFound();
}

export async function deleteSharedPage(context: RequestContext, id: string): Promise<void> {
  await getSharedPage(context, id);
  const outcome = await store.deleteSharedPage(context.db, prepareChange(context, PERMISSION), id);
  if (outcome === "demoted") throw accessChanged(context.principal);
}
