import type { Context, Handler, MiddlewareHandler } from "hono";
import { describeLimit, operationOf, protect, type Contract, type Guarded, type Limited } from "../auth/guard.ts";
import { BODY_BOUNDS } from "../http/body.ts";
import type { HttpEnv } from "../http/context.ts";
import { readHostCookie } from "../http/cookies.ts";
import { crossSite, notFound, onNotFound, unauthorized, unavailable } from "../http/errors.ts";
import { isSameSite } from "../http/same-site.ts";
import { isLoopbackName } from "../lib/hosts.ts";
import { describeError, log } from "../lib/log.ts";
import { SESSION_SEEN_RESOLUTION_MS } from "../limits.ts";
import { rateLimit } from "../rate-limit/middleware.ts";
import { DEVICE_COOKIE, SESSION_COOKIE, SIGN_UP_COOKIE } from "./cookies.ts";
import type { SessionEnv, VisitorEnv } from "./env.ts";
import type { Browser, Session } from "./sessions/session.ts";
import { findSession, recordSession } from "./sessions/store.ts";
import { hashToken } from "./tokens/token.ts";

/** The route for everybody who uses the service's own pages. */
export function allowVisitor<R extends Contract>(route: R & Limited<R>): Guarded<R, VisitorEnv> {
  const operation = operationOf(route);
  return protect(route, describeLimit(operation), [fromOwnPages, rateLimit(operation)], BODY_BOUNDS);
}

/** The route for a person who is signed in. An API key is not enough (5). */
export function requireSession<R extends Contract>(route: R & Limited<R>): Guarded<R, SessionEnv> {
  const operation = operationOf(route);
  const guards = [fromOwnPages, rateLimit(operation), authenticateSession];
  return protect(route, describeLimit(operation), guards as unknown as MiddlewareHandler<HttpEnv>[], BODY_BOUNDS);
}

/** As {@link allowVisitor}, on a service that runs on the caller's own machine. Elsewhere the path does not exist. */
export function allowLocally<R extends Contract>(route: R & Limited<R>): Guarded<R, VisitorEnv> {
  const operation = operationOf(route);
  return protect(route, describeLimit(operation), [onlyLocally, fromOwnPages, rateLimit(operation)], BODY_BOUNDS);
}

const onlyLocally: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const client = c.req.header("CF-Connecting-IP") ?? "127.0.0.1";
  const hosts = [c.get("context").baseUrl, c.req.url].map((url) => new URL(url).hostname);
  // With `--ip`, other machines reach the service too, and can name localhost as its host.
  if (!hosts.every(isLoopbackName) || !LOOPBACK_ADDRESSES.has(client))
    throw notFound(`There is no ${c.req.path} here: it exists on localhost only.`);
  await next();
};

const LOOPBACK_ADDRESSES = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** Answers on paths that do not exist, and tells only persons who are signed in. */
export const answerUnknownPath: Handler<HttpEnv> = async (c) => {
  if ((await readSession(c)) !== null) return onNotFound(c);
  throw unauthorized("This path is only for browser sessions. It does not accept API keys.");
};

/** Refuses what other sites make browsers send. Adds the browser to the context. */
const fromOwnPages: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const context = c.get("context");
  if (c.env.BASE_URL === "" && !isLoopbackName(new URL(context.baseUrl).hostname))
    throw unavailable("This service has no BASE_URL, so nobody can sign in. The operator must set it.");
  if (c.req.header("Authorization") !== undefined && readHostCookie(c, SESSION_COOKIE) === undefined)
    throw unauthorized("This path is only for browser sessions. It does not accept API keys.");
  const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
  if (changes && !isSameSite(c.req.raw.headers, context.baseUrl))
    throw crossSite(`Requests to this path must come from ${context.baseUrl}: the header Origin says so.`);
  c.set("context", Object.assign(context, { sender: browserOf(c) }));
  await next();
};

function browserOf(c: Context<HttpEnv>): Browser {
  return {
    userAgent: c.req.header("User-Agent") ?? "",
    country: typeof c.req.raw.cf?.country === "string" ? c.req.raw.cf.country : null,
    device: readHostCookie(c, DEVICE_COOKIE),
    signUp: readHostCookie(c, SIGN_UP_COOKIE),
  };
}

const authenticateSession: MiddlewareHandler<SessionEnv> = async (c, next) => {
  const context = c.get("context");
  const session = await readSession(c);
  if (session === null) throw unauthorized("Sign in first. This path is only for browser sessions.");
  c.set("caller", session.id);
  noteUse(context, session);
  c.set("context", Object.assign(context, { session }));
  await next();
};

async function readSession<E extends HttpEnv>(c: Context<E>): Promise<Session | null> {
  const cookie = readHostCookie(c, SESSION_COOKIE);
  return cookie === undefined ? null : findSession(c.env.DB, await hashToken(cookie), c.get("context").now);
}

/** Records that the session is used, at most once in {@link SESSION_SEEN_RESOLUTION_MS}. */
function noteUse({ env, now, waitUntil, sender }: SessionEnv["Variables"]["context"], session: Session): void {
  if (now - session.lastSeenAt < SESSION_SEEN_RESOLUTION_MS) return;
  waitUntil(
    recordSession(env.DB, session.hash, now, sender.country).catch((error: unknown) =>
      log("warn", "record_session_use_failed", describeError(error)),
    ),
  );
}
