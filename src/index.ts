import { REPORT_PATH, serveReports } from "#safety";
import { isInWranglerDev } from "./platform/lib/hosts.ts";
import { describeError, log } from "./platform/lib/log.ts";
import { HSTS_MAX_AGE_SECONDS } from "./limits.ts";
import type { QueueMessage } from "./queue.ts";
import { errorResponse } from "./redirect/pages/error-response.ts";
import { serveShortDomain } from "./redirect/redirect.ts";
import { parseRequestUrl, type IncomingRequest } from "./redirect/request-url.ts";

export { ClickLog, JobRunner, PasswordHasher, RateLimiter, Screener } from "./objects.ts";

/**
 * The Worker. Short links are served before any module of the API is evaluated: a module behind `import()` runs when it
 * is first used, also in the single file that wrangler bundles.
 */
export default {
  // Not async: a link in the memory cache is answered without a promise.
  fetch(request, env, ctx) {
    if (isInWranglerDev(env)) repeatCron(env, ctx);
    if (env.BASE_URL !== "") return answer(request, env, ctx);
    return import("./redirect/unnamed-host.ts").then(({ answerUnnamed }) => answerUnnamed(request, env, ctx, answer));
  },

  async queue(batch, env, ctx) {
    const { consumeQueue } = await import("./queue.ts");
    await consumeQueue(batch, env, ctx);
  },

  async scheduled(controller, env, ctx) {
    const { runCronAt } = await import("./cron.ts");
    await runCronAt(controller.scheduledTime, env, ctx);
  },
} satisfies ExportedHandler<Env, QueueMessage>;

function answer(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  const response = respond(request, env, ctx);
  // A response over http must not have the header (RFC 6797, 7.2).
  if (!env.BASE_URL.startsWith("https:") || !request.url.startsWith("https:")) return response;
  return response instanceof Promise ? response.then(requireHttps) : requireHttps(response);
}

let repeatsCron = false;

/** `wrangler dev` does not run the cron, so the Worker does it itself from its first request on. */
function repeatCron(env: Env, ctx: ExecutionContext): void {
  if (repeatsCron) return;
  repeatsCron = true;
  ctx.waitUntil(import("./cron.ts").then(({ runCronForever }) => runCronForever(env, ctx)));
}

function respond(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  const requestId = crypto.randomUUID();
  try {
    const url = parseRequestUrl(request.url, env.BASE_URL);
    const incoming = { request, requestId, url, reportPath: REPORT_PATH };
    const response =
      url.domain === "" && isApiPath(url.path)
        ? import("./app.ts").then(({ app }) => app.fetch(request, env, ctx))
        : url.domain === "" && isReportPath(url.path)
          ? serveReports(incoming, env, ctx)
          : withApiHint(incoming, serveShortDomain(incoming, env, ctx));
    return response instanceof Promise
      ? response.catch((error: unknown) => failedResponse(request, requestId, error))
      : response;
  } catch (error) {
    return failedResponse(request, requestId, error);
  }
}

/** On the service domain, a 404 or 405 at a path like one of the API names the API's path. A link with this slug comes first. */
function withApiHint(incoming: IncomingRequest, response: Response | Promise<Response>): Response | Promise<Response> {
  if (incoming.url.domain !== "") return response;
  if (response instanceof Promise) return response.then((settled) => withApiHint(incoming, settled));
  if (response.status !== 404 && response.status !== 405) return response;
  return import("./api-hint.ts").then(({ addApiHint }) => addApiHint(incoming, response));
}

const TRANSPORT_SECURITY = `max-age=${HSTS_MAX_AGE_SECONDS}`;

/** Lets browsers use only https for the host (RFC 6797). Not for its subdomains, which may belong to other services. */
function requireHttps(response: Response): Response {
  response.headers.set("Strict-Transport-Security", TRANSPORT_SECURITY);
  return response;
}

function isApiPath(path: string): boolean {
  if (path === "api" || path.startsWith("api/") || path === "mcp") return true;
  return path.startsWith("oauth/") || path.startsWith(".well-known/oauth-");
}

/** The form for reports of links, and its receipts. */
function isReportPath(path: string): boolean {
  if (REPORT_PATH === null || !path.startsWith(REPORT_PATH)) return false;
  return path.length === REPORT_PATH.length || path[REPORT_PATH.length] === "/";
}

function failedResponse(request: Request, requestId: string, error: unknown): Promise<Response> {
  log("error", "request_failed", { requestId, method: request.method, ...describeError(error) });
  return errorResponse({ request, requestId }, "internal");
}
