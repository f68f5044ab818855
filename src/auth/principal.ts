import type { Principal, RequestContext } from "../context.ts";
import type { HttpEnv } from "../http/context.ts";

/** Hono's environment behind {@link authenticate}. */
export interface AuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext };
}

/** Hono's environment of a route that anonymous callers may use too. */
export interface MaybeAuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext<Principal | null> };
}
