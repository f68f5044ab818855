import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { addAuditEntry } from "../../access/audit/store/entries.ts";
import { accessChanged } from "../../platform/auth/require-permissions.ts";
import { roleHas } from "../../platform/auth/roles.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf } from "../../platform/database/parameters.ts";
import type { CallContext } from "../../platform/context.ts";
import { notFound } from "../../platform/http/errors.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import { sessionActs } from "../../platform/auth/store/conditions.ts";
import { endGrant, findConnectedApp, grantExists } from "./store/grants.ts";
import type { StoredToken } from "./store/tokens.ts";

/** Who may see and disconnect the apps of other members: those who manage the keys of the account. */
export const MANAGES_APPS = "keys:write";

/** Disconnects an app: an own one, or one of another member with the permission {@link MANAGES_APPS}. The person is told by mail. */
export async function disconnectApp(context: MemberContext, id: string): Promise<void> {
  const { db, now, principal } = context;
  const { accountId, user, role, sessionId } = principal;
  const app = isId(id) ? await findConnectedApp(db, accountId, id) : null;
  const isManager = roleHas(role, MANAGES_APPS);
  // Others learn of no app that is not theirs.
  if (app === null || (app.person.id !== user.id && !isManager)) throw notFound("not_found", { resource: "app" });
  const batch = new Batch(db);
  const condition = allOf(grantExists(id), sessionActs(accountId, sessionId, [role], now));
  const entry = { account: { id: accountId }, action: "app.disconnect", targetId: id } as const;
  addPersonEntry(batch, context, user.id, entry, condition);
  const mailId = await addNotice(batch, context, "app_disconnected", app.person.email, condition);
  endGrant(batch, id, condition);
  const rest = addCheck(batch, grantExists(id));
  await batch.commit();
  if (rest.first !== undefined) throw accessChanged(principal);
  deliverMails(context, mailId);
}

/** Ends a grant whose app asked for it. */
export async function disconnectBySelf(context: CallContext, grant: StoredToken): Promise<void> {
  const batch = new Batch(context.db);
  addEndBySelf(batch, context, grant);
  await batch.commitWithRetry();
}

/** Ends a grant of which a code or token came again, so that others seem to have it. The person is told by mail. */
export async function disconnectReused(context: CallContext, grant: StoredToken): Promise<void> {
  const { db } = context;
  const { grantId, accountId } = grant;
  const app = await findConnectedApp(db, accountId, grantId);
  if (app === null) return;
  const batch = new Batch(db);
  const mailId = await addNotice(batch, context, "app_token_reused", app.person.email, grantExists(grantId));
  addEndBySelf(batch, context, grant);
  await batch.commitWithRetry();
  deliverMails(context, mailId);
}

/** The person of the grant is the actor of the entry. */
function addEndBySelf(batch: Batch, { now, country }: CallContext, grant: StoredToken): void {
  const { grantId, accountId, userId, clientName } = grant;
  const actor = { type: "user", id: userId, app: clientName } as const;
  const entry = { account: { id: accountId }, actor, action: "app.disconnect", targetId: grantId, country } as const;
  addAuditEntry(batch, entry, now, grantExists(grantId));
  endGrant(batch, grantId, grantExists(grantId));
}
