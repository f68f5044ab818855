import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf } from "../../../platform/database/parameters.ts";
import { endGrantsOfPerson } from "../../../access/grants/store.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { endSessions } from "../../../access/sessions/store/sessions.ts";
import { deleteNeedlessRecoveryCodes } from "../factors/store/recovery-codes.ts";
import { deliverMails, prepareMail } from "../../../platform/mail/send.ts";
import { addMail, mailStored } from "../../../platform/mail/store.ts";
import { resetToken } from "../password/change-password.ts";
import { VOIDED_PURPOSES } from "../credential-change.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { addToken, claimed, claimToken, findToken, voidTokens, voidTokensSince } from "../tokens/store.ts";
import { findUser, hasEmail, setDeviceEpoch, setEmail, setPassword } from "../users/store.ts";
import { deleteNewFactors, UNDO_PURPOSES, type UndoPayload } from "./store.ts";

/** What the person learns of the undo, by what was undone. */
const OUTCOMES = {
  undo_email: { mail: "email_restored", action: "email.undo" },
  undo_factor: { mail: "factors_undone", action: "factors.undo" },
} as const;

/**
 * Takes back what happened to a person since the mail with this token: restores the address to which it was sent and removes
 * the factors that were added. Somebody else may have had a session and the password, so both end; a mail has a link to set
 * a new password. Throws a 400 if the token does not work, or if another person has the address by now.
 */
export async function undo(context: VisitorContext, token: string, purpose: keyof typeof OUTCOMES): Promise<void> {
  const { db, now, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<UndoPayload>(db, claim.hash, purpose, now);
  const user = found === null ? null : await findUser(db, found.subject);
  if (found === null || user === null) throw deadToken();
  const { id: userId } = user;
  const { email } = found.payload;
  const { mail: kind, action } = OUTCOMES[purpose];
  const reset = newToken();
  const mail = await prepareMail(context, kind, email, { token: reset });

  const batch = new Batch(db);
  claimToken(batch, claim, now);
  setEmail(batch, userId, email, claimed(claim));
  const undone = allOf(claimed(claim), hasEmail(userId, email));
  setPassword(batch, userId, null, undone);
  endSessions(batch, userId, null, undone);
  endGrantsOfPerson(batch, userId, undone);
  setDeviceEpoch(batch, userId, newId(now), undone);
  // Factors from before the mail are the person's own: with the old mailbox alone, nobody may get past them.
  deleteNewFactors(batch, claim, { purpose, userId }, now, undone);
  deleteNeedlessRecoveryCodes(batch, userId);
  voidTokens(batch, userId, VOIDED_PURPOSES, undone);
  // Otherwise a stranger who changed the address could undo this with the mails to the stranger's own address.
  voidTokensSince(batch, userId, UNDO_PURPOSES, found.createdAt, undone);
  addMail(batch, mail, now, undone);
  addToken(batch, await resetToken(reset, userId, now), now, mailStored(mail.id));
  addPersonEntry(batch, context, userId, { action, targetId: userId }, undone);
  const check = addCheck(batch, undone);
  await batch.commitWithRetry();
  // Another user has the address by now, or another request has used the token.
  if (check.first === undefined) throw deadToken();
  deliverMails(context, mail.id);
}
