import type { Principal, RequestContext } from "../context.ts";
import type { HttpEnv } from "../http/context.ts";

/** Hono's environment of a route that requires a key. */
export interface AuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext };
}

/** Hono's environment of a route that also accepts anonymous callers. */
export interface MaybeAuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext<Principal | null> };
}
