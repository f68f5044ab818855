import { describeError, log } from "./lib/log.ts";
import { HSTS_MAX_AGE_SECONDS } from "./limits.ts";
import { errorResponse } from "./redirect/pages/error-response.ts";
import { serveShortDomain } from "./redirect/redirect.ts";
import { parseRequestUrl, type FullWorker, type IncomingRequest } from "./redirect/request-url.ts";

/**
 * Responds to a request. Short links are served before any module of the API is evaluated: a module behind `import()` runs when
 * it is first used, also in the single file that wrangler bundles. Not async: a link in the memory cache is answered without a
 * promise.
 */
export function serveRequest(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  full: FullWorker,
): Response | Promise<Response> {
  const response = respond(request, env, ctx, full);
  // A response over http must not have the header (RFC 6797, 7.2).
  if (!env.BASE_URL.startsWith("https:") || !request.url.startsWith("https:")) return response;
  return response instanceof Promise ? response.then(requireHttps) : requireHttps(response);
}

function respond(request: Request, env: Env, ctx: ExecutionContext, full: FullWorker): Response | Promise<Response> {
  const requestId = crypto.randomUUID();
  try {
    const url = parseRequestUrl(request.url, env.BASE_URL);
    const incoming = { request, requestId, url, full };
    const response =
      url.domain === "" && isApiPath(url.path)
        ? full.serveApi(incoming, env, ctx)
        : url.domain === "" && REPORT_PATH.test(url.path)
          ? full.serveReports(incoming, env, ctx)
          : withApiHint(incoming, serveShortDomain(incoming, env, ctx), env, ctx);
    return response instanceof Promise
      ? response.catch((error: unknown) => failedResponse(request, requestId, error))
      : response;
  } catch (error) {
    return failedResponse(request, requestId, error);
  }
}

/** On the service domain, a 404 or 405 at a path like one of the API names the API's path. A link with this slug comes first. */
function withApiHint(
  incoming: IncomingRequest,
  response: Response | Promise<Response>,
  env: Env,
  ctx: ExecutionContext,
): Response | Promise<Response> {
  if (incoming.url.domain !== "") return response;
  if (response instanceof Promise) return response.then((settled) => withApiHint(incoming, settled, env, ctx));
  if (response.status !== 404 && response.status !== 405) return response;
  return incoming.full.addApiHint(incoming, response, env, ctx);
}

const TRANSPORT_SECURITY = `max-age=${HSTS_MAX_AGE_SECONDS}`;

/** Lets browsers use only https for the host (RFC 6797). Not for its subdomains, which may belong to other services. */
function requireHttps(response: Response): Response {
  response.headers.set("Strict-Transport-Security", TRANSPORT_SECURITY);
  return response;
}

export function isApiPath(path: string): boolean {
  return API_PATH.test(path);
}

const API_PATH = /^(?:api(?:\/|$)|mcp$|oauth\/|\.well-known\/oauth-)/;

/** The form for reports of links, and its receipts. No link can have these paths. */
const REPORT_PATH = /^abuse(?:\/|$)/;

function failedResponse(request: Request, requestId: string, error: unknown): Promise<Response> {
  log("error", "request_failed", { requestId, method: request.method, ...describeError(error) });
  return errorResponse({ request, requestId }, "internal");
}
