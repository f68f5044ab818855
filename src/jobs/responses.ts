import type { Context } from "hono";
import type { AuthEnv } from "../platform/auth/principal.ts";

/** The context of a request for an action on a job. */
export type JobActionContext = Context<
  AuthEnv,
  string,
  { in: { param: { id: string } }; out: { param: { id: string } } }
>;
