import type { Context, MiddlewareHandler } from "hono";
import type { MemberPermission, Permission } from "../../platform/auth/permissions.ts";
import { needsConfirmation } from "../../platform/auth/confirmed-operations.ts";
import { requireRecent } from "../../platform/auth/require-confirmed.ts";
import { requireRole } from "../../platform/auth/require-permissions.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { readHostCookie } from "../../platform/http/cookies.ts";
import { accountDeleted, notFound, unauthorized, unavailable } from "../../platform/http/errors.ts";
import { isLocalCall } from "../../platform/http/local-call.ts";
import { rateLimit } from "../../platform/rate-limit/middleware.ts";
import { clientName, routedNetworkName } from "../../platform/rate-limit/client-address.ts";
import {
  countReadForAddress,
  endedSession,
  hasSessionCookie,
  readActingSession,
  readSession,
  recordSessionLater,
  requireOwnOrigin,
  toMember,
  toPrincipal,
} from "./authenticate-person.ts";
import {
  DEVICE_COOKIE,
  PASSKEY_COOKIE,
  SECOND_STEP_COOKIE,
  SESSION_COOKIE,
  SIGN_UP_COOKIE,
} from "../../platform/lib/cookie-names.ts";
import { describeLimit, toLimit, type Access, type Admission, type CallsPerMinute } from "./route.ts";
import type { MemberEnv, SessionEnv, VisitorEnv } from "./env.ts";
import type { Browser } from "../sessions/session.ts";
import { canSignIn } from "../sessions/can-sign-in.ts";
import { findTeamAccess, type ActingSession } from "../sessions/store/accounts.ts";

type AnyPermission = Permission | MemberPermission;

/** Everybody who uses the service's own pages. */
export const allowVisitor: Access<VisitorEnv> = (operation, calls) => ofPages(operation, calls, []);

/** Who has the setup code of an installation. It may have no `BASE_URL` yet. */
export const allowClaimant: Access<VisitorEnv> = (operation, calls) => ofPages(operation, calls, [], fromNewPages);

/** A person who is signed in. An API key is not enough (5). */
export const requireSession: Access<SessionEnv> = (operation, calls) =>
  ofPages(operation, calls, [authenticateSession, refuseDeletedPerson]);

/** As {@link requireSession}, also persons who are deleted. */
export const requireSessionOfAnybody: Access<SessionEnv> = (operation, calls) =>
  ofPages(operation, calls, [authenticateSession]);

/** A person who acts for an account in which their role has the permission. */
export function requireMember(permission: AnyPermission): Access<MemberEnv> {
  return ofMembers(permission, authenticateMember(permission));
}

/** As {@link requireMember}, also for persons and accounts that are deleted. */
export function requireMemberOfDeleted(permission: MemberPermission): Access<MemberEnv> {
  return ofMembers(permission, authenticateMember(permission, toMember));
}

/** Members of the team that the path names, whose role has the permission. */
export function requireTeamMember(permission: MemberPermission): Access<MemberEnv> {
  return ofMembers(permission, authenticateTeamMember(permission));
}

/** As {@link allowVisitor}, on a service that runs on the caller's own machine. Elsewhere the path does not exist. */
export const allowLocally: Access<VisitorEnv> = (operation, calls) => ofPages(operation, calls, [onlyLocally]);

/** The calls are counted, then come the guards, and last the confirmed identity if the operation needs one. */
function ofPages(
  operation: string,
  calls: CallsPerMinute,
  guards: MiddlewareHandler[],
  origin: MiddlewareHandler<HttpEnv> = fromOwnPages,
): Admission {
  const limit = toLimit(operation, calls);
  const passed = [rateLimit(limit), origin, ...guards, ...confirmedFor(operation)];
  return { guards: passed, limits: [limit], description: describeLimit(limit), isOfPages: true };
}

function ofMembers(permission: AnyPermission, guard: MiddlewareHandler<MemberEnv>): Access<MemberEnv> {
  return (operation, calls) => {
    const admission = ofPages(operation, calls, [guard]);
    return { ...admission, description: `Permission: \`${permission}\`. ${admission.description}` };
  };
}

function authenticateMember(
  permission: AnyPermission,
  toCaller: typeof toPrincipal = toPrincipal,
): MiddlewareHandler<MemberEnv> {
  return async (c, next) => {
    await admit(c, permission, await readActingSession(c), toCaller);
    await next();
  };
}

function authenticateTeamMember(permission: MemberPermission): MiddlewareHandler<MemberEnv> {
  return async (c, next) => {
    const session = await readSession(c);
    if (session === null) throw endedSession(c);
    const id = c.req.param("id")?.toLowerCase() ?? "";
    const team = await findTeamAccess(c.get("context").db, id, session.user.id);
    if (team === null) throw teamNotFound();
    await admit(c, permission, { session, account: team.account });
    await next();
  };
}

/** Adds the session and the member to the context. Throws 403 if the role lacks the permission. */
async function admit(
  c: Context<MemberEnv>,
  permission: AnyPermission,
  { session, account }: ActingSession,
  toCaller: typeof toPrincipal = toPrincipal,
): Promise<void> {
  const context = c.get("context");
  c.set("caller", session.id);
  recordSessionLater(context, session);
  const principal = toCaller(session, account);
  requireRole(principal, permission);
  c.set("context", Object.assign(context, { session, principal }));
}

const onlyLocally: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (!isLocalCall(c)) throw notFound("local_only", { value: c.req.path });
  await next();
};

/** Tells only persons who are signed in that a path does not exist. */
export const refuseStrangers: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await countReadForAddress(c);
  if ((await readSession(c)) === null)
    throw unauthorized("This path is only for browser sessions. It does not accept API keys.");
  await next();
};

/** Refuses what other sites make browsers send. Adds the browser to the context. */
const fromOwnPages: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (!canSignIn(c.get("context"))) throw unavailable("no_base_url");
  await fromNewPages(c, next);
};

/** The same, also while the service has no host of its own. */
const fromNewPages: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const context = c.get("context");
  if (c.req.header("Authorization") !== undefined && !hasSessionCookie(c))
    throw unauthorized("This path is only for browser sessions. It does not accept API keys.");
  if (hasSessionCookie(c) || SIGNS_IN.test(c.req.path)) requireOwnOrigin(c);
  c.set("context", Object.assign(context, { sender: browserOf(c) }));
  await next();
};

/** The paths that do something for a browser without a session. */
const SIGNS_IN = /^\/api\/(?:auth\/|claim$)/;

function browserOf(c: Context<HttpEnv>): Browser {
  return {
    userAgent: c.req.header("User-Agent") ?? "",
    network: routedNetworkName(c.req.raw.headers) ?? clientName(c.req.raw.headers),
    session: readHostCookie(c, SESSION_COOKIE),
    device: readHostCookie(c, DEVICE_COOKIE),
    signUp: readHostCookie(c, SIGN_UP_COOKIE),
    secondStep: readHostCookie(c, SECOND_STEP_COOKIE),
    passkey: readHostCookie(c, PASSKEY_COOKIE),
  };
}

const authenticateSession: MiddlewareHandler<SessionEnv> = async (c, next) => {
  const context = c.get("context");
  const session = await readSession(c);
  if (session === null) throw endedSession(c);
  c.set("caller", session.id);
  recordSessionLater(context, session);
  c.set("context", Object.assign(context, { session }));
  await next();
};

/** Refuses a session without a confirmed identity, if the operation needs one. */
function confirmedFor(operation: string): MiddlewareHandler<SessionEnv>[] {
  if (!needsConfirmation(operation)) return [];
  return [
    async (c, next) => {
      const { session, now } = c.get("context");
      requireRecent(session.confirmedAt, now);
      await next();
    },
  ];
}

const refuseDeletedPerson: MiddlewareHandler<SessionEnv> = async (c, next) => {
  if (c.get("context").session.isDeleted) throw accountDeleted();
  await next();
};

export const teamNotFound = () => notFound("not_found", { resource: "team" });
