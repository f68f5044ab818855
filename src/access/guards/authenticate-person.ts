import type { Context, MiddlewareHandler } from "hono";
import type { Permission } from "../../platform/auth/permissions.ts";
import type { AuthEnv, PersonPrincipal, RequestContext } from "../../platform/auth/principal.ts";
import { needsConfirmation } from "../../platform/auth/confirmed-operations.ts";
import { requireRecent } from "../../platform/auth/require-confirmed.ts";
import { accountDisabled, requirePermissions } from "../../platform/auth/require-permissions.ts";
import { permissionsOf } from "../../platform/auth/roles.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { deleteHostCookie, readHostCookie } from "../../platform/http/cookies.ts";
import {
  accountDeleted,
  crossSite,
  forbidden,
  invalidField,
  mfaRequired,
  unauthorized,
} from "../../platform/http/errors.ts";
import { isSameSite } from "../../platform/http/origin.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { clientName } from "../../platform/rate-limit/client-address.ts";
import { countInWindow, type CallWindow, type OperationLimit } from "../../platform/rate-limit/middleware.ts";
import { SESSION_COOKIE } from "../../platform/lib/cookie-names.ts";
import type { ActingAccount, Session } from "../sessions/session.ts";
import { findActingSession, type ActingSession } from "../sessions/store/accounts.ts";
import { findSession, recordSession } from "../sessions/store/sessions.ts";
import { hashToken } from "../../platform/lib/token.ts";
import {
  SESSION_CALLS_PER_ADDRESS_FACTOR,
  SESSION_CHANGES,
  SESSION_READS,
  SESSION_SEEN_RESOLUTION_MS,
} from "./limits.ts";

const ACCOUNT_HEADER = "X-Account-Id";
const ACCOUNT_PARAMETER = "accountId";

const READS = { kind: "reads of sessions", limit: SESSION_READS };
const CHANGES = { kind: "changes of sessions", limit: SESSION_CHANGES };
const BULK_READS = { ...READS, kind: "bulk reads of sessions" };
const BULK_CHANGES = { ...CHANGES, kind: "bulk changes of sessions" };

/** Operations on many links at once. They leave the windows of single calls whole (section 8.2 of the specification). */
const BULK_OPERATION = /^[A-Z]+ \/api\/(?:bulk|exports|imports|jobs|links\/bulk|tags)(?:\/|$)/;

/** Whether the request has the cookie of a session, which may have ended. */
export function hasSessionCookie<E extends HttpEnv>(c: Context<E>): boolean {
  return readHostCookie(c, SESSION_COOKIE) !== undefined;
}

/**
 * Authenticates a person on the public API by the cookie of a session, for one of their accounts. The order is: calls of
 * the address, origin, session, calls of the session, role. So every answer has the rate limit headers.
 */
export function authenticatePerson(
  { operation, failsClosed }: OperationLimit,
  permissions: readonly Permission[],
): MiddlewareHandler<AuthEnv> {
  const [reads, changes] = BULK_OPERATION.test(operation) ? [BULK_READS, BULK_CHANGES] : [READS, CHANGES];
  return async (c, next) => {
    const context = c.get("context");
    const window = isChangeOf(c) ? changes : reads;
    await countInWindow(c, failsClosed, ofAddress(c.req.raw.headers, window));
    requireOwnOrigin(c);
    const { session, account } = await readActingSession(c);
    c.set("caller", session.id);
    await countInWindow(c, failsClosed, { name: `session ${session.id}`, ...window });
    recordSessionLater(context, session);
    const principal = toPrincipal(session, account);
    requirePermissions(principal, permissions);
    if (needsConfirmation(operation)) requireRecent(session.confirmedAt, context.now);
    c.set("context", { ...context, principal });
    await next();
  };
}

/** Counts a read with the cookie of a session for its address, before the session is read. */
export async function countReadForAddress(c: Context<HttpEnv>): Promise<void> {
  if (hasSessionCookie(c)) await countInWindow(c, false, ofAddress(c.req.raw.headers, READS));
}

/** The window that all sessions of the address share. */
const ofAddress = (headers: Headers, { kind, limit }: typeof READS): CallWindow => ({
  name: clientName(headers),
  kind,
  limit: limit * SESSION_CALLS_PER_ADDRESS_FACTOR,
});

/** The session of the request, with the account that it names. Throws 401 if the session has ended. */
export async function readActingSession<E extends HttpEnv>(c: Context<E>): Promise<ActingSession> {
  const accountUuid = takeAccountId(c);
  const hash = await hashToken(readHostCookie(c, SESSION_COOKIE) ?? "");
  const { db, now } = c.get("context");
  const acting = await findActingSession(db, hash, accountUuid, now);
  if (acting === null) throw endedSession(c);
  return acting;
}

/** The person as a member of the account. Throws 403 for strangers, and for members without the second factor it needs. */
export function toPrincipal(session: Session, account: ActingAccount | null): PersonPrincipal {
  if (session.isDeleted || account?.isDeleted === true) throw accountDeleted();
  return toMember(session, account);
}

/** As {@link toPrincipal}, also for a person or an account that is deleted. */
export function toMember(
  { id: sessionId, user, confirmedAt, hasFactor, gaveFactor }: Session,
  account: ActingAccount | null,
): PersonPrincipal {
  if (account === null) throw forbidden("not_a_member");
  if (account.isDisabled) throw accountDisabled();
  if (account.requiresMfa && !gaveFactor) throw hasFactor ? factorNotGiven() : lacksFactor();
  const { id: accountId, role, linkDefaults, isUntrusted } = account;
  return {
    type: "person",
    accountId,
    user,
    sessionId,
    role,
    permissions: permissionsOf(role),
    confirmedAt,
    gaveFactor,
    linkDefaults,
    isUntrusted,
  };
}

const lacksFactor = () => mfaRequired("team_needs_factor");
const factorNotGiven = () => mfaRequired("team_needs_proof");

/** The session whose cookie the request has, unless it has ended. */
export async function readSession<E extends HttpEnv>(c: Context<E>): Promise<Session | null> {
  const cookie = readHostCookie(c, SESSION_COOKIE);
  const { db, now } = c.get("context");
  return cookie === undefined ? null : findSession(db, await hashToken(cookie), now);
}

/** The error without a session. The browser forgets the cookie of one that has ended. */
export function endedSession<E extends HttpEnv>(c: Context<E>): Error {
  if (hasSessionCookie(c)) deleteHostCookie(c, SESSION_COOKIE);
  return unauthorized("Sign in first. No session was sent, or it has ended.");
}

/** Throws a 403 for a change that another site made the browser send. */
export function requireOwnOrigin<E extends HttpEnv>(c: Context<E>): void {
  const { baseUrl } = c.get("context");
  if (isChangeOf(c) && !isSameSite(c.req.raw.headers, baseUrl))
    throw crossSite(`Requests with a session must come from ${baseUrl}, as the header Origin says.`);
}

/** A WebSocket is opened by a GET, and then changes whatever its messages say. */
function isChangeOf<E extends HttpEnv>(c: Context<E>): boolean {
  return !isRead(c) || c.req.header("Upgrade") !== undefined;
}

function isRead<E extends HttpEnv>(c: Context<E>): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}

type Caller = Pick<RequestContext, "db" | "now" | "country" | "waitUntil">;

/** Records that the session is used, at most once in {@link SESSION_SEEN_RESOLUTION_MS}. */
export function recordSessionLater({ db, now, country, waitUntil }: Caller, session: Session): void {
  if (now - session.lastSeenAt < SESSION_SEEN_RESOLUTION_MS) return;
  waitUntil(
    recordSession(db, session.hash, now, country).catch((error: unknown) =>
      log("warn", "record_session_use_failed", describeError(error)),
    ),
  );
}

/**
 * Returns the account that the person acts for; null: the personal one. Downloads and images cannot send the header, so a
 * GET may have a query parameter, which is removed from the request: no route knows it.
 */
function takeAccountId<E extends HttpEnv>(c: Context<E>): string | null {
  const url = new URL(c.req.url);
  const given = isRead(c) ? url.searchParams.getAll(ACCOUNT_PARAMETER) : [];
  if (given.length > 0) {
    url.searchParams.delete(ACCOUNT_PARAMETER);
    c.req.raw = new Request(url, c.req.raw);
  }
  const named = new Set([c.req.header(ACCOUNT_HEADER), ...given].flatMap((id) => id?.toLowerCase() ?? []));
  if (named.size > 1) throw invalidField(ACCOUNT_PARAMETER, "differs", { field: ACCOUNT_HEADER });
  return [...named][0] ?? null;
}
