import type { Context } from "hono";
import { writeHostCookie } from "../../platform/http/cookies.ts";
import { DEVICE_COOKIE_TTL_MS, SESSION_TTL_MS } from "../../limits.ts";
import { DEVICE_COOKIE, SECOND_STEP_COOKIE, SESSION_COOKIE } from "../../platform/lib/cookie-names.ts";
import type { BrowserCookies } from "./browser-cookies.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import type { SessionEnv, VisitorEnv } from "../../access/guards/env.ts";
import { toSessionBody } from "./sessions.ts";
import type { Session, User } from "../../access/sessions/session.ts";
import { newDeviceCookie } from "../../access/sessions/start-session.ts";
import { findSession } from "../../access/sessions/store/sessions.ts";
import type { NeededStep } from "./sign-in/first-step.ts";
import type { NewSignIn } from "./sign-up/sign-up.ts";
import { hashToken } from "../../platform/lib/token.ts";
import { SECOND_STEP_TTL_MS } from "./limits.ts";

// Bodies and cookies that several routes for persons have in common.

/** Gives the browser the cookies of a new session. Returns the body of the response. */
export async function admit(c: Context<VisitorEnv>, { session, user }: NewSignIn) {
  const context = c.get("context");
  const { email, deviceEpoch } = user;
  const device = await newDeviceCookie(context, { emailKey: emailKey(email), deviceEpoch });
  setBrowserCookies(c, { session: session.cookie, device });
  const stored = await findSession(context.db, await hashToken(session.cookie), context.now);
  if (stored === null) throw new Error("the new session is not there");
  return toSignedIn(stored);
}

/** The same, or the cookie of the second step if the sign-in needs one. */
export async function admitOrAsk(c: Context<VisitorEnv>, outcome: NewSignIn | NeededStep) {
  if ("session" in outcome) return admit(c, outcome);
  writeHostCookie(c, SECOND_STEP_COOKIE, outcome.cookie, SECOND_STEP_TTL_MS);
  return { mfa: outcome.mfa };
}

type PersonRequest = Context<VisitorEnv> | Context<SessionEnv>;

export function setBrowserCookies(c: PersonRequest, { session, device }: BrowserCookies): void {
  writeHostCookie(c as Context<VisitorEnv>, SESSION_COOKIE, session, SESSION_TTL_MS);
  setDeviceCookie(c, device);
}

export function setDeviceCookie(c: PersonRequest, value: string): void {
  writeHostCookie(c as Context<VisitorEnv>, DEVICE_COOKIE, value, DEVICE_COOKIE_TTL_MS);
}

export function toSignedIn(session: Session) {
  return { session: toSessionBody(session, session.id), user: toUserBody(session.user) };
}

export function toUserBody({ id, email, name, language, createdAt }: User) {
  return { id, email, name, language, createdAt };
}
