import { addConfirmation, requireRecent } from "../../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf, anyOf } from "../../../platform/database/parameters.ts";
import { conflict, limitReached, notFound } from "../../../platform/http/errors.ts";
import { toBase64Url } from "../../../platform/lib/base64url.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { deliverMails } from "../../../platform/mail/send.ts";
import type { BrowserCookies } from "../browser-cookies.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { newChallenge, takeChallenge, type ChallengeUse } from "./challenges.ts";
import { newRecoveryCodes } from "./codes.ts";
import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import { addFactorChange } from "./factor-change.ts";
import type { PasskeyBody, RegistrationAnswer } from "./schemas.ts";
import { prepareUndoMail, tooManyMails } from "../undo/undo-mail.ts";
import { hasFactor } from "./store/factors.ts";
import * as store from "./store/passkeys.ts";
import { addRecoveryCodes, deleteNeedlessRecoveryCodes, hasRecoveryCode } from "./store/recovery-codes.ts";
import type { AddedFactor } from "./totp.ts";
import { registrationOptions, verifyRegistration } from "./webauthn.ts";
import { MAX_PASSKEYS_PER_USER, USER_HANDLE_BYTES } from "../limits.ts";

/** The passkey on the wire. */
export function toPasskeyBody({ id, name, isSynced, createdAt, lastUsedAt }: store.Passkey): PasskeyBody {
  return { id, name, synced: isSynced, createdAt, lastUsedAt };
}

const challengeUse = ({ session }: SessionContext): ChallengeUse => ({
  purpose: "passkey_add",
  userId: session.user.id,
  binding: session.id,
});

/** Begins the addition of a passkey. */
export async function startPasskey(context: SessionContext) {
  const { db, now, session } = context;
  requireRecent(session.confirmedAt, now);
  const existing = await store.listPasskeys(db, session.user.id);
  if (existing.length >= MAX_PASSKEYS_PER_USER) throw tooManyPasskeys();
  const userHandle = existing[0]?.userHandle ?? toBase64Url(crypto.getRandomValues(new Uint8Array(USER_HANDLE_BYTES)));
  const challenge = await newChallenge(context, challengeUse(context), userHandle);
  return registrationOptions(context, { ...session.user, userHandle }, challenge, existing);
}

/** Adds the passkey that the browser has made. */
export async function addPasskey(
  context: SessionContext,
  answer: RegistrationAnswer,
): Promise<AddedFactor & { passkey: store.Passkey }> {
  const { db, now, session } = context;
  requireRecent(session.confirmedAt, now);
  const { id: userId } = session.user;
  const taken = await takeChallenge(context, answer.response.clientDataJSON, challengeUse(context));
  const credential = await verifyRegistration(context, answer, taken.challenge);
  const passkey: store.NewPasskey = {
    id: newId(now),
    userId,
    name: answer.name,
    userHandle: taken.userHandle ?? "",
    transports: answer.response.transports ?? [],
    ...credential,
  };
  const recovery = await newRecoveryCodes();
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const undo = await prepareUndoMail(context, "first_passkey_added");
  const canTell = anyOf(hasFactor(userId), undo.fits);
  const fits = addCheck(batch, canTell);
  store.addPasskey(batch, passkey, now, allOf(confirmation.holds, canTell));
  const added = store.hasPasskey(userId, passkey.id);
  addRecoveryCodes(batch, userId, recovery.hashes, now, added);
  const told = { effect: "added", undo, notice: "passkey_added" } as const;
  const change = { action: "passkey.add", targetId: passkey.id, told } as const;
  const { cookies, mailIds } = await addFactorChange(batch, context, change, added);
  const stored = addCheck(batch, added);
  const isFirst = addCheck(batch, hasRecoveryCode(userId, recovery.hashes[0]));
  await batch.commitWithRetry();
  confirmation.require();
  if (fits.first === undefined) throw tooManyMails();
  if (stored.first === undefined) throw await reasonOfRefusal(db, credential.credentialId);
  deliverMails(context, ...mailIds);
  const recoveryCodes = isFirst.first === undefined ? null : recovery.codes;
  return { cookies, recoveryCodes, passkey: { ...passkey, createdAt: now, lastUsedAt: null } };
}

/** A credential belongs to one person for good: otherwise it would sign in as somebody else. */
async function reasonOfRefusal(db: D1Database, credentialId: string): Promise<Error> {
  const isKnown = (await store.findPasskey(db, credentialId)) !== null;
  return isKnown ? conflict("exists", { resource: "passkey" }) : tooManyPasskeys();
}

const tooManyPasskeys = () => limitReached("limit_reached", { resource: "passkey", max: MAX_PASSKEYS_PER_USER });

const passkeyNotFound = () => notFound("not_found", { resource: "passkey" });

export async function renamePasskey(context: SessionContext, id: string, name: string): Promise<store.Passkey> {
  const { db, session } = context;
  const { id: userId } = session.user;
  const batch = new Batch(db);
  const entry = { action: "passkey.rename", targetId: id } as const;
  addPersonEntry(batch, context, userId, entry, store.hasPasskey(userId, id));
  const renamed = store.renamePasskey(batch, userId, id, name);
  await batch.commitWithRetry();
  const passkey = store.passkeyOf(renamed);
  if (passkey === null) throw passkeyNotFound();
  return passkey;
}

/** Removes a passkey. Returns the new cookies of the browser. */
export async function removePasskey(context: SessionContext, id: string): Promise<BrowserCookies> {
  const { db, now, session } = context;
  const { id: userId } = session.user;
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const told = { effect: "removed", notice: "passkey_removed" } as const;
  const change = { action: "passkey.remove", targetId: id, told } as const;
  const condition = allOf(store.hasPasskey(userId, id), confirmation.holds);
  const { cookies, mailIds } = await addFactorChange(batch, context, change, condition);
  const deleted = store.deletePasskey(batch, userId, id, condition);
  deleteNeedlessRecoveryCodes(batch, userId);
  await batch.commit();
  confirmation.require();
  if (deleted.first === undefined) throw passkeyNotFound();
  deliverMails(context, ...mailIds);
  return cookies;
}
