import { encodeQR } from "qr";
import { addConfirmation, requireRecent } from "../../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf, anyOf } from "../../../platform/database/parameters.ts";
import { conflict, notFound, invalidField } from "../../../platform/http/errors.ts";
import { deliverMails } from "../../../platform/mail/send.ts";
import type { BrowserCookies } from "../browser-cookies.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { findStep, newRecoveryCodes, newTotpSecret, openTotpSecret, sealTotpSecret, totpUri } from "./codes.ts";
import { addFactorChange } from "./factor-change.ts";
import { prepareUndoMail, tooManyMails } from "../undo/undo-mail.ts";
import { hasFactor } from "./store/factors.ts";
import { addRecoveryCodes, deleteNeedlessRecoveryCodes, hasRecoveryCode } from "./store/recovery-codes.ts";
import { codeTaken, confirmTotp, deleteTotp, enrolTotp, findTotp, hasTotp } from "./store/totp.ts";
import { TOTP_ENROLMENT_TTL_MS, TOTP_QR_MARGIN_MODULES } from "../limits.ts";

/** Begins the enrolment of an authenticator app. It counts once {@link confirmEnrolment} got a code. */
export async function enrol(context: SessionContext): Promise<{ secret: string; uri: string; qr: string }> {
  const { env, db, now, session } = context;
  requireRecent(session.confirmedAt, now);
  const { user } = session;
  const secret = await newTotpSecret();
  if (!(await enrolTotp(db, user.id, await sealTotpSecret(env, user.id, secret), now)))
    throw conflict("exists", { resource: "authenticator_app" });
  const uri = await totpUri(secret, user.email);
  const code = encodeQR(uri, "svg", { ecc: "medium", border: TOTP_QR_MARGIN_MODULES });
  // Its ground is transparent, and phones cannot read it on that of a dark page.
  return { secret, uri, qr: code.replace("<path", '<rect width="100%" height="100%" fill="#fff"/><path') };
}

/** What the person gets for a new factor. */
export interface AddedFactor {
  cookies: BrowserCookies;
  /** null: the person has some already. */
  recoveryCodes: string[] | null;
}

/** Ends the enrolment with the app's first code. */
export async function confirmEnrolment(context: SessionContext, code: string): Promise<AddedFactor> {
  const { env, db, now, session, requestId } = context;
  requireRecent(session.confirmedAt, now);
  const { id: userId } = session.user;
  const factor = await findTotp(db, userId);
  if (factor === null || factor.isConfirmed || now - factor.createdAt >= TOTP_ENROLMENT_TTL_MS)
    throw conflict("not_found", { resource: "enrolment" });
  const step = await findStep(await openTotpSecret(env, userId, factor.secret), code, now);
  if (step === null) throw invalidField("code", "wrong_code");

  const use = { userId, secret: factor.secret, step, useId: requestId };
  const recovery = await newRecoveryCodes();
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const undo = await prepareUndoMail(context, "first_totp_added");
  const canTell = anyOf(hasFactor(userId), undo.fits);
  const fits = addCheck(batch, canTell);
  confirmTotp(batch, use, now, allOf(confirmation.holds, canTell));
  const added = codeTaken(use);
  addRecoveryCodes(batch, userId, recovery.hashes, now, added);
  const told = { effect: "added", undo, notice: "totp_added" } as const;
  const change = { action: "totp.add", targetId: null, told } as const;
  const { cookies, mailIds } = await addFactorChange(batch, context, change, added);
  const stored = addCheck(batch, added);
  const isFirst = addCheck(batch, hasRecoveryCode(userId, recovery.hashes[0]));
  await batch.commitWithRetry();
  confirmation.require();
  if (fits.first === undefined) throw tooManyMails();
  if (stored.first === undefined) throw conflict("changed_meanwhile", { resource: "authenticator_app" });
  deliverMails(context, ...mailIds);
  return { cookies, recoveryCodes: isFirst.first === undefined ? null : recovery.codes };
}

/** Removes the authenticator app. Returns the new cookies of the browser. */
export async function removeTotp(context: SessionContext): Promise<BrowserCookies> {
  const { db, now, session } = context;
  const { id: userId } = session.user;
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const told = { effect: "removed", notice: "totp_removed" } as const;
  const change = { action: "totp.remove", targetId: null, told } as const;
  const condition = allOf(hasTotp(userId), confirmation.holds);
  const { cookies, mailIds } = await addFactorChange(batch, context, change, condition);
  const deleted = deleteTotp(batch, userId, condition);
  deleteNeedlessRecoveryCodes(batch, userId);
  await batch.commit();
  confirmation.require();
  if (deleted.first === undefined) throw notFound("not_found", { resource: "authenticator_app" });
  deliverMails(context, ...mailIds);
  return cookies;
}
