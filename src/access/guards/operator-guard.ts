import type { MiddlewareHandler } from "hono";
import { requireRecent } from "../../platform/auth/require-confirmed.ts";
import { mfaRequired, notFound } from "../../platform/http/errors.ts";
import { rateLimit } from "../../platform/rate-limit/middleware.ts";
import { canSignIn } from "../sessions/can-sign-in.ts";
import { isOperator } from "../sessions/store/operators.ts";
import { hasSessionCookie, readSession, recordSessionLater, requireOwnOrigin } from "./authenticate-person.ts";
import type { SessionEnv } from "./env.ts";
import { describeLimit, toLimit, type Access } from "./route.ts";

/**
 * An operator of the service, with a second factor and a confirmed identity. For everybody else the path does not exist. The
 * role is read at each request.
 */
export const requireOperator: Access<SessionEnv> = (operation, calls) => {
  const limit = toLimit(operation, calls);
  return {
    guards: [rateLimit(limit), authenticateOperator],
    limits: [limit],
    description: `Only for operators of the service, who have a second factor. For others the path does not exist (404). A session needs a confirmed identity. ${describeLimit(limit)}`,
    isOfPages: true,
  };
};

const authenticateOperator: MiddlewareHandler<SessionEnv> = async (c, next) => {
  const context = c.get("context");
  const isOfBrowser = canSignIn(context) && c.req.header("Authorization") === undefined && hasSessionCookie(c);
  const session = isOfBrowser ? await readSession(c) : null;
  if (session === null || session.isDeleted || !(await isOperator(context.db, session.user.id)))
    throw notFound("no_such_path", { value: c.req.path });
  c.set("caller", session.id);
  requireOwnOrigin(c);
  if (!session.hasFactor) throw mfaRequired("operators_need_factor");
  if (!session.gaveFactor) throw mfaRequired("operators_need_proof");
  requireRecent(session.confirmedAt, context.now);
  recordSessionLater(context, session);
  c.set("context", Object.assign(context, { session }));
  await next();
};
