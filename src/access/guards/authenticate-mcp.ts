import type { MiddlewareHandler } from "hono";
import { challengeOf } from "../../platform/auth/challenge.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { unauthorized, withChallenge } from "../../platform/http/errors.ts";
import { publicOrigin } from "../../platform/http/origin.ts";
import type { OperationLimit } from "../../platform/rate-limit/middleware.ts";
import { canSignIn } from "../sessions/can-sign-in.ts";
import { hasAppToken, readApp } from "./authenticate-app.ts";
import { authenticateKey } from "./authenticate.ts";
import { GRANT_MESSAGES } from "./limits.ts";

/**
 * Authenticates the sender of a message to `/mcp`: an app by its access token, or a key. The response to everybody else says
 * where an app can be connected, and names all scopes.
 */
export function authenticateMcp(limit: OperationLimit): MiddlewareHandler<AuthEnv> {
  const byKey = authenticateKey(limit, []);
  const window = { kind: "messages of apps", limit: GRANT_MESSAGES };
  return async (c, next) => {
    if (!canSignIn(c.get("context"))) return byKey(c, next);
    // Not counted: an address may be that of all users of one assistant, and all of them begin like this.
    if (c.req.header("Authorization") === undefined)
      throw unauthorized("Send an access token or an API key.", challengeOf(publicOrigin(c), "/mcp"));
    if (!hasAppToken(c))
      return byKey(c, next).catch((error: unknown) => {
        throw withChallenge(error, challengeOf(publicOrigin(c), "/mcp", "invalid_token"));
      });
    const principal = await readApp(c, limit, "/mcp", window);
    c.set("context", { ...c.get("context"), principal });
    await next();
  };
}
