import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../../access/guards/route.ts";
import { allowVisitor, requireSession } from "../../../access/guards/session-guards.ts";
import { SUCCESS } from "../../../platform/http/contract.ts";
import { deleteHostCookie, writeHostCookie } from "../../../platform/http/cookies.ts";
import { PASSKEY_COOKIE, SECOND_STEP_COOKIE } from "../../../platform/lib/cookie-names.ts";
import type { SessionEnv, VisitorEnv } from "../../../access/guards/env.ts";
import { admit, setBrowserCookies } from "../responses.ts";
import * as confirmations from "../sign-in/confirm.ts";
import * as passkeySignIns from "../sign-in/passkey-sign-in.ts";
import * as secondSteps from "../sign-in/second-step.ts";
import * as contract from "./contract.ts";
import * as passkeys from "./passkeys.ts";
import * as recoveryCodes from "./recovery-codes.ts";
import { listPasskeys } from "./store/passkeys.ts";
import { countRecoveryCodes } from "./store/recovery-codes.ts";
import { findTotp } from "./store/totp.ts";
import { undo } from "../undo/undo.ts";
import * as totp from "./totp.ts";
import { findUser } from "../users/store.ts";
import { WEBAUTHN_CHALLENGE_TTL_MS } from "../limits.ts";

const startSecondStep: RouteHandler<typeof contract.startSecondStep, VisitorEnv> = async (c) =>
  c.json(await secondSteps.startSecondStep(c.get("context")), 200);

const takeSecondStep: RouteHandler<typeof contract.takeSecondStep, VisitorEnv> = async (c) => {
  const signedIn = await secondSteps.takeSecondStep(c.get("context"), c.req.valid("json"));
  deleteHostCookie(c, SECOND_STEP_COOKIE);
  return c.json(await admit(c, signedIn), 200);
};

const startConfirmation: RouteHandler<typeof contract.startConfirmation, SessionEnv> = async (c) =>
  c.json(await confirmations.startConfirmation(c.get("context")), 200);

const getFactors: RouteHandler<typeof contract.getFactors, SessionEnv> = async (c) => {
  const { db, session } = c.get("context");
  const { id } = session.user;
  const [factor, recoveryCodesLeft, list, user] = await Promise.all([
    findTotp(db, id),
    countRecoveryCodes(db, id),
    listPasskeys(db, id),
    findUser(db, id),
  ]);
  return c.json(
    {
      totp: factor?.isConfirmed === true,
      recoveryCodesLeft,
      passkeys: list.map(passkeys.toPasskeyBody),
      password: (user?.passwordHash ?? null) !== null,
    },
    200,
  );
};

const enrolTotp: RouteHandler<typeof contract.enrolTotp, SessionEnv> = async (c) =>
  c.json(await totp.enrol(c.get("context")), 200);

const confirmTotp: RouteHandler<typeof contract.confirmTotp, SessionEnv> = async (c) => {
  const { cookies, recoveryCodes } = await totp.confirmEnrolment(c.get("context"), c.req.valid("json").code);
  setBrowserCookies(c, cookies);
  return c.json({ recoveryCodes }, 200);
};

const removeTotp: RouteHandler<typeof contract.removeTotp, SessionEnv> = async (c) => {
  setBrowserCookies(c, await totp.removeTotp(c.get("context")));
  return c.json(SUCCESS, 200);
};

const replaceRecoveryCodes: RouteHandler<typeof contract.replaceRecoveryCodes, SessionEnv> = async (c) => {
  const { cookies, recoveryCodes: codes } = await recoveryCodes.replaceRecoveryCodes(c.get("context"));
  setBrowserCookies(c, cookies);
  return c.json({ recoveryCodes: codes }, 200);
};

const undoFactors: RouteHandler<typeof contract.undoFactors, VisitorEnv> = async (c) => {
  await undo(c.get("context"), c.req.valid("json").token, "undo_factor");
  return c.json(SUCCESS, 200);
};

const startPasskey: RouteHandler<typeof contract.startPasskey, SessionEnv> = async (c) =>
  c.json(await passkeys.startPasskey(c.get("context")), 200);

const addPasskey: RouteHandler<typeof contract.addPasskey, SessionEnv> = async (c) => {
  const added = await passkeys.addPasskey(c.get("context"), c.req.valid("json"));
  setBrowserCookies(c, added.cookies);
  return c.json({ passkey: passkeys.toPasskeyBody(added.passkey), recoveryCodes: added.recoveryCodes }, 201);
};

const renamePasskey: RouteHandler<typeof contract.renamePasskey, SessionEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const passkey = await passkeys.renamePasskey(c.get("context"), id, c.req.valid("json").name);
  return c.json({ passkey: passkeys.toPasskeyBody(passkey) }, 200);
};

const removePasskey: RouteHandler<typeof contract.removePasskey, SessionEnv> = async (c) => {
  setBrowserCookies(c, await passkeys.removePasskey(c.get("context"), c.req.valid("param").id));
  return c.json(SUCCESS, 200);
};

const startPasskeySignIn: RouteHandler<typeof contract.startPasskeySignIn, VisitorEnv> = async (c) => {
  const { cookie, options } = await passkeySignIns.startPasskeySignIn(c.get("context"));
  writeHostCookie(c, PASSKEY_COOKIE, cookie, WEBAUTHN_CHALLENGE_TTL_MS);
  return c.json(options, 200);
};

const signInByPasskey: RouteHandler<typeof contract.signInByPasskey, VisitorEnv> = async (c) => {
  const signedIn = await passkeySignIns.signInByPasskey(c.get("context"), c.req.valid("json"));
  deleteHostCookie(c, PASSKEY_COOKIE);
  return c.json(await admit(c, signedIn), 200);
};

export const ROUTES = [
  route(contract.startSecondStep, allowVisitor, 10, startSecondStep),
  route(contract.takeSecondStep, allowVisitor, 10, takeSecondStep),
  route(contract.startConfirmation, requireSession, 10, startConfirmation),
  route(contract.getFactors, requireSession, 60, getFactors),
  route(contract.enrolTotp, requireSession, 20, enrolTotp),
  route(contract.confirmTotp, requireSession, 10, confirmTotp),
  route(contract.removeTotp, requireSession, 20, removeTotp),
  route(contract.replaceRecoveryCodes, requireSession, 20, replaceRecoveryCodes),
  route(contract.undoFactors, allowVisitor, 10, undoFactors),
  route(contract.startPasskey, requireSession, 20, startPasskey),
  route(contract.addPasskey, requireSession, 20, addPasskey),
  route(contract.renamePasskey, requireSession, 20, renamePasskey),
  route(contract.removePasskey, requireSession, 20, removePasskey),
  route(contract.startPasskeySignIn, allowVisitor, 10, startPasskeySignIn),
  route(contract.signInByPasskey, allowVisitor, 10, signInByPasskey),
];
