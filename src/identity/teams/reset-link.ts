import { addPersonEntry } from "../../access/audit/person-entry.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf } from "../../platform/database/parameters.ts";
import { conflict, forbidden, notFound, rateLimited } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { newToken } from "../../platform/lib/token.ts";
import { MAIL_WINDOW_MS } from "../../limits.ts";
import { MAX_MAILS_PER_KIND } from "../../platform/mail/limits.ts";
import { linkOf } from "../../platform/mail/messages.ts";
import { canSendMail, prepareMail } from "../../platform/mail/send.ts";
import { addMail, mailStored } from "../../platform/mail/store.ts";
import { resetToken } from "../people/password/change-password.ts";
import { mayMakeLink } from "../people/password/store.ts";
import { addToken, voidTokens } from "../people/tokens/store.ts";
import { requireLowerRole } from "./access.ts";
import type { ResetLink } from "./schemas.ts";
import { findMember } from "./store/members.ts";

/**
 * Makes a link with which a member sets a new password, where no mail can be sent. Whoever has it can become the member, whose
 * second factors are still asked for. The member is told, and both audit logs have it.
 */
export async function makeResetLink(context: MemberContext, memberId: string): Promise<ResetLink> {
  const { db, now, principal, session, baseUrl } = context;
  if (canSendMail(context)) throw conflict("mail_works");
  const { accountId, user } = principal;
  const member = await findMember(db, accountId, memberId);
  if (member === null) throw notFound("not_found", { resource: "member" });
  requireLowerRole(principal, member.role);
  const by = { accountId, userId: user.id };
  const [token, notice] = [newToken(), await prepareMail(context, "reset_link_made", member.email)];
  const stored = await resetToken(token, memberId, now, { by });

  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const mayMake = mayMakeLink(by, memberId);
  const permitted = addCheck(batch, mayMake);
  // Nobody gets a link of which the member is not told.
  addMail(batch, notice, now, allOf(confirmation.holds, mayMake));
  const isTold = mailStored(notice.id);
  voidTokens(batch, memberId, ["reset_password"], isTold);
  addToken(batch, stored, now, isTold);
  for (const account of [{ id: accountId }, { personalOf: memberId }])
    addPersonEntry(batch, context, user.id, { account, action: "password.reset_link", targetId: memberId }, isTold);
  const told = addCheck(batch, isTold);
  await batch.commitWithRetry();
  confirmation.require();
  if (permitted.first === undefined) throw forbidden("has_more_access");
  if (told.first === undefined)
    throw rateLimited(fault("", "too_many_reset_links", { max: MAX_MAILS_PER_KIND }), MAIL_WINDOW_MS / 1_000);
  return { link: linkOf("reset_password", baseUrl, token), expiresAt: stored.expiresAt };
}
