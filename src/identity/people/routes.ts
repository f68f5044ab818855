import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../access/guards/route.ts";
import {
  allowLocally,
  allowVisitor,
  requireSession,
  requireSessionOfAnybody,
} from "../../access/guards/session-guards.ts";
import { deleteHostCookie, writeHostCookie } from "../../platform/http/cookies.ts";
import { SUCCESS } from "../../platform/http/contract.ts";
import { notFound } from "../../platform/http/errors.ts";
import { isLocalCall } from "../../platform/http/local-call.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as accessContract from "./access/contract.ts";
import { readAccess } from "./access/store.ts";
import * as contract from "./contract.ts";
import { SESSION_COOKIE, SIGN_UP_COOKIE } from "../../platform/lib/cookie-names.ts";
import * as email from "./email/change-email.ts";
import type { SessionEnv, VisitorEnv } from "../../access/guards/env.ts";
import * as invitations from "./invitations/answers.ts";
import * as invitationContract from "./invitations/contract.ts";
import * as mailContract from "./mail-contract.ts";
import { readKeptMails } from "../../platform/mail/send.ts";
import { readNotices } from "./notices/notices.ts";
import { dismissNotices } from "./notices/store.ts";
import * as password from "./password/change-password.ts";
import { admit, admitOrAsk, setBrowserCookies, setDeviceCookie, toSignedIn, toUserBody } from "./responses.ts";
import * as sessions from "./sessions.ts";
import { listAccounts } from "../../access/sessions/store/accounts.ts";
import { isOperator } from "../../access/sessions/store/operators.ts";
import { listSessions as findSessions } from "../../access/sessions/store/sessions.ts";
import { confirmIdentity } from "./sign-in/confirm.ts";
import * as signIns from "./sign-in/sign-in.ts";
import { signUpInvited } from "./sign-up/sign-up-invited.ts";
import * as signUps from "./sign-up/sign-up.ts";
import { undo } from "./undo/undo.ts";
import * as tokens from "./tokens/check.ts";
import * as tokenContract from "./tokens/contract.ts";
import * as userContract from "./users/contract.ts";
import { renameUser, setLanguage } from "./users/store.ts";
import { VERIFY_EMAIL_TTL_MS } from "./limits.ts";

const signUp: RouteHandler<typeof contract.signUp, VisitorEnv> = async (c) => {
  const { invitation, ...person } = c.req.valid("json");
  if (invitation !== undefined) {
    const signedIn = await signUpInvited(c.get("context"), { ...person, invitation });
    return c.json(await admit(c, signedIn), 200);
  }
  const browser = await signUps.signUp(c.get("context"), person);
  writeHostCookie(c, SIGN_UP_COOKIE, browser, VERIFY_EMAIL_TTL_MS);
  return c.json(SUCCESS, 202);
};

const verifyEmail: RouteHandler<typeof contract.verifyEmail, VisitorEnv> = async (c) => {
  const signedIn = await signUps.verifyEmail(c.get("context"), c.req.valid("json"));
  deleteHostCookie(c, SIGN_UP_COOKIE);
  return c.json(await admit(c, signedIn), 200);
};

const checkToken: RouteHandler<typeof tokenContract.checkToken, VisitorEnv> = async (c) =>
  c.json({ valid: await tokens.checkToken(c.get("context"), c.req.valid("json")) }, 200);

const readInvitation: RouteHandler<typeof invitationContract.readInvitation, VisitorEnv> = async (c) =>
  c.json({ invitation: await invitations.readInvitation(c.get("context"), c.req.valid("json").token) }, 200);

const signIn: RouteHandler<typeof contract.signIn, VisitorEnv> = async (c) => {
  const outcome = await signIns.signIn(c.get("context"), c.req.valid("json"));
  return c.json(await admitOrAsk(c, outcome), 200);
};

const signInByLink: RouteHandler<typeof contract.signInByLink, VisitorEnv> = async (c) => {
  const outcome = await signIns.signInByLink(c.get("context"), c.req.valid("json").token, isLocalCall(c));
  return c.json(await admitOrAsk(c, outcome), 200);
};

const signOut: RouteHandler<typeof contract.signOut, SessionEnv> = async (c) => {
  const context = c.get("context");
  await sessions.endSession(context, context.session.id);
  deleteHostCookie(c, SESSION_COOKIE);
  // What pages of the service have stored in the browser is the person's.
  c.header("Clear-Site-Data", '"cache", "storage"');
  return c.json(SUCCESS, 200);
};

const getSession: RouteHandler<typeof contract.getSession, SessionEnv> = async (c) => {
  const context = c.get("context");
  const { db, session } = context;
  const { id } = session.user;
  const [accounts, isOperatorNow, notices] = await Promise.all([
    listAccounts(db, id),
    isOperator(db, id),
    readNotices(context),
  ]);
  return c.json({ ...toSignedIn(session), accounts, isOperator: isOperatorNow, notices }, 200);
};

const updateUser: RouteHandler<typeof userContract.updateUser, SessionEnv> = async (c) => {
  const { db, now, country, session } = c.get("context");
  const { name = session.user.name, language = session.user.language, noticesReadAt } = c.req.valid("json");
  const { id } = session.user;
  if (name !== session.user.name) await renameUser(db, { id, name, country }, now);
  if (language !== session.user.language) await setLanguage(db, id, language);
  if (noticesReadAt !== undefined) await dismissNotices(db, id, noticesReadAt, now);
  return c.json({ user: toUserBody({ ...session.user, name, language }) }, 200);
};

const ORDER = "sessions";

const listSessions: RouteHandler<typeof contract.listSessions, SessionEnv> = async (c) => {
  const { db, now, session } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const found = await findSessions(db, session.user.id, page, now);
  const { items, nextCursor } = toPage(found, page, ORDER, ({ id }) => id);
  return c.json({ sessions: items.map((each) => sessions.toSessionBody(each, session.id)), nextCursor }, 200);
};

const endSession: RouteHandler<typeof contract.endSession, SessionEnv> = async (c) => {
  await sessions.endSession(c.get("context"), c.req.valid("param").id);
  return c.json(SUCCESS, 200);
};

const endOtherSessions: RouteHandler<typeof contract.endOtherSessions, SessionEnv> = async (c) => {
  const { endAccess = true } = c.req.valid("query");
  setDeviceCookie(c, await sessions.endOtherSessions(c.get("context"), endAccess));
  return c.json(SUCCESS, 200);
};

const getAccess: RouteHandler<typeof accessContract.readAccess, SessionEnv> = async (c) => {
  const { db, session, now } = c.get("context");
  return c.json({ access: await readAccess(db, session.user.id, now) }, 200);
};

const confirm: RouteHandler<typeof contract.confirm, SessionEnv> = async (c) => {
  const proof = c.req.valid("json");
  if (proof.local === true && !isLocalCall(c)) throw notFound("local_only", { value: "local" });
  await confirmIdentity(c.get("context"), proof);
  return c.json(SUCCESS, 200);
};

const forgotPassword: RouteHandler<typeof contract.forgotPassword, VisitorEnv> = async (c) => {
  await password.forgotPassword(c.get("context"), c.req.valid("json").email);
  return c.json(SUCCESS, 202);
};

const resetPassword: RouteHandler<typeof contract.resetPassword, VisitorEnv> = async (c) => {
  setDeviceCookie(c, await password.resetPassword(c.get("context"), c.req.valid("json")));
  return c.json(SUCCESS, 200);
};

const changePassword: RouteHandler<typeof contract.changePassword, SessionEnv> = async (c) => {
  setBrowserCookies(c, await password.changePassword(c.get("context"), c.req.valid("json")));
  return c.json(SUCCESS, 200);
};

const changeEmail: RouteHandler<typeof contract.changeEmail, SessionEnv> = async (c) => {
  await email.requestEmailChange(c.get("context"), c.req.valid("json").email);
  return c.json(SUCCESS, 202);
};

const confirmEmail: RouteHandler<typeof contract.confirmEmail, SessionEnv> = async (c) => {
  setBrowserCookies(c, await email.confirmEmailChange(c.get("context"), c.req.valid("json").token));
  return c.json(SUCCESS, 200);
};

const undoEmail: RouteHandler<typeof contract.undoEmail, VisitorEnv> = async (c) => {
  await undo(c.get("context"), c.req.valid("json").token, "undo_email");
  return c.json(SUCCESS, 200);
};

const listMails: RouteHandler<typeof mailContract.listMails, VisitorEnv> = async (c) =>
  c.json({ mails: await readKeptMails(c.get("context")) }, 200);

export const ROUTES = [
  route(contract.signUp, allowVisitor, 5, signUp),
  route(contract.verifyEmail, allowVisitor, 10, verifyEmail),
  route(tokenContract.checkToken, allowVisitor, 10, checkToken),
  route(invitationContract.readInvitation, allowVisitor, 10, readInvitation),
  route(contract.signIn, allowVisitor, 10, signIn),
  route(contract.signInByLink, allowVisitor, 10, signInByLink),
  route(contract.signOut, requireSessionOfAnybody, 20, signOut),
  route(contract.getSession, requireSession, 60, getSession),
  route(userContract.updateUser, requireSession, 20, updateUser),
  route(contract.listSessions, requireSession, 60, listSessions),
  route(contract.endSession, requireSession, 20, endSession),
  route(contract.endOtherSessions, requireSession, 20, endOtherSessions),
  route(accessContract.readAccess, requireSession, 60, getAccess),
  route(contract.confirm, requireSession, 10, confirm),
  route(contract.forgotPassword, allowVisitor, 5, forgotPassword),
  route(contract.resetPassword, allowVisitor, 10, resetPassword),
  route(contract.changePassword, requireSession, 10, changePassword),
  route(contract.changeEmail, requireSession, 5, changeEmail),
  route(contract.confirmEmail, requireSession, 10, confirmEmail),
  route(contract.undoEmail, allowVisitor, 10, undoEmail),
  route(mailContract.listMails, allowLocally, 60, listMails),
];
