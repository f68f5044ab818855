import type { IncomingRequest } from "../redirect/request-url.ts";
import type { ScreenerCalls } from "./screening/calls.ts";

// All that the rest of the Worker knows of this wing, as `#safety`. A build without the wing has src/no-safety.ts in its place.
// Every isolate evaluates this module, so it imports everything on demand.

/** The path of the form for reports, on the service domain, without the leading slash; null: there is none. */
export const REPORT_PATH: string | null = "abuse";

/** Responds to {@link REPORT_PATH} and the paths below it. No link can have them. */
export async function serveReports(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  return (await import("./reports/form/serve.ts")).serveReports(incoming, env, ctx);
}

export async function loadChecks() {
  return (await import("./checks.ts")).CHECKS;
}

export async function loadRoutes() {
  return (await import("./routes.ts")).ROUTES;
}

/** The tasks of the cron. */
export const loadTasks = () => import("./tasks.ts");

export async function startScreener(ctx: DurableObjectState, env: Env): Promise<ScreenerCalls> {
  return new (await import("./screening/calls.ts")).ScreenerCalls(env, ctx);
}
