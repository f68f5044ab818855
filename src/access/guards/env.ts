import type { HttpEnv } from "../../platform/http/context.ts";
import type { MemberContext, SessionContext, VisitorContext } from "../sessions/session.ts";

/** Hono's environment of a route under `/api/auth` for everybody. */
export interface VisitorEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: VisitorContext };
}

/** Hono's environment of a route for persons who are signed in. */
export interface SessionEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: SessionContext };
}

/** Hono's environment of a route for the members of an account. */
export interface MemberEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: MemberContext };
}
