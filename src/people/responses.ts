import type { Context } from "hono";
import { writeHostCookie } from "../http/cookies.ts";
import { DEVICE_COOKIE_TTL_MS, SESSION_TTL_MS } from "../limits.ts";
import { DEVICE_COOKIE, SECOND_STEP_COOKIE, SESSION_COOKIE } from "../sessions/cookies.ts";
import { emailKey } from "./email.ts";
import type { SessionEnv, VisitorEnv } from "../guards/env.ts";
import { toSessionBody } from "./sessions.ts";
import type { Session, User } from "../sessions/session.ts";
import { newDeviceCookie } from "../sessions/start-session.ts";
import { findSession } from "../sessions/store/sessions.ts";
import type { NeededStep } from "./sign-in/first-step.ts";
import type { NewSignIn } from "./sign-up/sign-up.ts";
import { hashToken } from "../lib/token.ts";
import { SECOND_STEP_TTL_MS } from "./limits.ts";

// Bodies and cookies that several routes for persons have in common.

export const SUCCESS = { success: true as const };

/** Gives the browser the cookies of a new session. Returns the body of the response. */
export async function admit(c: Context<VisitorEnv>, { session, user }: NewSignIn) {
  const context = c.get("context");
  setSessionCookie(c, session.cookie);
  writeHostCookie(c, DEVICE_COOKIE, await newDeviceCookie(context, emailKey(user.email)), DEVICE_COOKIE_TTL_MS);
  const stored = await findSession(context.env.DB, await hashToken(session.cookie), context.now);
  if (stored === null) throw new Error("the new session is not there");
  return toSignedIn(stored);
}

/** The same, or the cookie of the second step if the sign-in needs one. */
export async function admitOrAsk(c: Context<VisitorEnv>, outcome: NewSignIn | NeededStep) {
  if ("session" in outcome) return admit(c, outcome);
  writeHostCookie(c, SECOND_STEP_COOKIE, outcome.cookie, SECOND_STEP_TTL_MS);
  return { mfa: outcome.mfa };
}

export function setSessionCookie(c: Context<VisitorEnv> | Context<SessionEnv>, value: string): void {
  writeHostCookie(c as Context<VisitorEnv>, SESSION_COOKIE, value, SESSION_TTL_MS);
}

export function toSignedIn(session: Session) {
  return { session: toSessionBody(session, session.id), user: toUserBody(session.user) };
}

export function toUserBody({ id, email, name, createdAt }: User) {
  return { id, email, name, createdAt };
}
