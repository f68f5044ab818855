import { addConfirmation } from "../../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf } from "../../../platform/database/parameters.ts";
import { conflict } from "../../../platform/http/errors.ts";
import { deliverMails } from "../../../platform/mail/send.ts";
import type { BrowserCookies } from "../browser-cookies.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { prepareUndoMail, tooManyMails } from "../undo/undo-mail.ts";
import { newRecoveryCodes } from "./codes.ts";
import { addFactorChange } from "./factor-change.ts";
import { hasFactor } from "./store/factors.ts";
import { addRecoveryCodes, deleteOtherRecoveryCodes, hasRecoveryCode } from "./store/recovery-codes.ts";

/** Replaces the recovery codes of a person who has a factor. */
export async function replaceRecoveryCodes(
  context: SessionContext,
): Promise<{ cookies: BrowserCookies; recoveryCodes: string[] }> {
  const { db, now, session } = context;
  const { id: userId } = session.user;
  const { codes, hashes } = await newRecoveryCodes();
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const undo = await prepareUndoMail(context, "recovery_codes_replaced");
  const fits = addCheck(batch, undo.fits);
  const condition = allOf(hasFactor(userId), confirmation.holds, undo.fits);
  deleteOtherRecoveryCodes(batch, userId, hashes, condition);
  addRecoveryCodes(batch, userId, hashes, now, condition);
  const replaced = hasRecoveryCode(userId, hashes[0]);
  const told = { effect: "recovery codes replaced", undo } as const;
  const change = { action: "recovery_codes.replace", targetId: null, told } as const;
  const { cookies, mailIds } = await addFactorChange(batch, context, change, replaced);
  const stored = addCheck(batch, replaced);
  await batch.commitWithRetry();
  confirmation.require();
  if (fits.first === undefined) throw tooManyMails();
  if (stored.first === undefined) throw conflict("no_factor");
  deliverMails(context, ...mailIds);
  return { cookies, recoveryCodes: codes };
}
