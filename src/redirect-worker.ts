import { mayMeanApi } from "./api-paths.ts";
import { describeError, log } from "./lib/log.ts";
import { CHANGES_HEADER } from "./redirect/lookup/cache-changes.ts";
import { errorResponse } from "./redirect/pages/error-response.ts";
import type { FullWorker, IncomingRequest } from "./redirect/request-url.ts";
import { isApiPath, serveRequest } from "./serve-request.ts";

/**
 * The redirect Worker of a split installation (docs/adr/0043-redirect-worker-in-front.md). It serves short links and what visitors see of
 * links and domains, and passes everything else to the full Worker (index.ts), which alone has the secrets.
 */

/** The bindings of scripts/split.ts. Those in common with the full Worker are the same database, objects and queue. */
export interface RedirectWorkerEnv extends Pick<
  Env,
  "ANONYMOUS_HOST" | "BASE_URL" | "NOT_RECORDED" | "DB" | "CLICK_LOG" | "CLICKS"
> {
  FULL_WORKER: Fetcher;
}

let fullWorker: FullWorker | undefined;

/** Requests that the full Worker has answered. Their bodies are used, and it has added its hints. */
const passedRequests = new WeakSet<Request>();

export default {
  fetch(request, env, ctx) {
    fullWorker ??= behind(env.FULL_WORKER);
    // test/architecture/redirect-worker.test.ts: the modules of this Worker use no other binding.
    return serveRequest(request, env as unknown as Env, ctx, fullWorker);
  },
} satisfies ExportedHandler<RedirectWorkerEnv>;

function behind(full: Fetcher): FullWorker {
  const passOn = (incoming: IncomingRequest, env: Env, ctx: ExecutionContext) => passTo(full, incoming, env, ctx);
  return {
    serveApi: passOn,
    serveReports: passOn,
    servePage: passOn,
    // Passwords are checked where the keys are.
    isUnlocked: () => Promise.resolve(null),
    addApiHint: (incoming, response, env, ctx) =>
      !passedRequests.has(incoming.request) && mayMeanApi(incoming.request, incoming.url.path)
        ? passOn(incoming, env, ctx)
        : response,
  };
}

/** Responds as the full Worker does. What it tells of changes is in the caches before the caller has the response. */
async function passTo(full: Fetcher, incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { requestId } = incoming;
  passedRequests.add(incoming.request);
  let response: Response;
  try {
    response = await full.fetch(withoutChanges(incoming.request));
  } catch (error) {
    log("error", "full_worker_failed", { requestId, method: incoming.request.method, ...describeError(error) });
    return errorResponse({ request: readableFor(incoming), requestId }, "unavailable");
  }
  // A copy of it would not have its WebSocket, and nothing changes while one is opened.
  if (response.webSocket !== null) return response;
  const changes = response.headers.get(CHANGES_HEADER);
  if (changes !== null) {
    const { applyChanges } = await import("./redirect/lookup/apply-changes.ts");
    await applyChanges(changes, requestId, env, ctx);
  }
  const passedOn = new Response(response.body, response);
  passedOn.headers.delete(CHANGES_HEADER);
  return passedOn;
}

/** The request without the header in which only the full Worker may tell something. */
function withoutChanges(request: Request): Request {
  if (!request.headers.has(CHANGES_HEADER)) return request;
  const stripped = new Request(request);
  stripped.headers.delete(CHANGES_HEADER);
  return stripped;
}

/** The request to which an error is a response: callers of the API get JSON, whatever they accept. */
function readableFor({ request, url }: IncomingRequest): Request {
  if (url.domain !== "" || !isApiPath(url.path)) return request;
  return new Request(request.url, { method: request.method, headers: { Accept: "application/json" } });
}
