import { describeError, log } from "./lib/log.ts";
import type { QueueMessage } from "./queue.ts";
import { errorPage } from "./redirect/pages/pages.ts";
import { serveShortDomain } from "./redirect/redirect.ts";
import { parseRequestUrl } from "./redirect/request-url.ts";

export { ClickLog } from "./clicks/click-log/object.ts";
export { RateLimiter } from "./rate-limit/limiter.ts";

/**
 * The Worker. Short links are served before any module of the API is evaluated: a module behind `import()` runs when it
 * is first used, also in the single file that wrangler bundles.
 */
export default {
  // Not async: a link in the memory cache is answered without a promise.
  fetch(request, env, ctx) {
    const requestId = crypto.randomUUID();
    try {
      const url = parseRequestUrl(request.url, env.BASE_URL);
      const response =
        url.domain === "" && isApiPath(url.path)
          ? import("./app.ts").then(({ app }) => app.fetch(request, env, ctx))
          : serveShortDomain({ request, requestId, url }, env, ctx);
      return response instanceof Promise
        ? response.catch((error: unknown) => failedResponse(request, requestId, error))
        : response;
    } catch (error) {
      return failedResponse(request, requestId, error);
    }
  },

  async queue(batch, env, ctx) {
    const { consumeQueue } = await import("./queue.ts");
    await consumeQueue(batch, env, ctx);
  },

  async scheduled(controller, env, ctx) {
    const [{ runCron }, { createJobContext }] = await Promise.all([import("./cron.ts"), import("./context.ts")]);
    await runCron(createJobContext(env, ctx, controller.scheduledTime));
  },
} satisfies ExportedHandler<Env, QueueMessage>;

function isApiPath(path: string): boolean {
  return path === "api" || path.startsWith("api/");
}

function failedResponse(request: Request, requestId: string, error: unknown): Response {
  log("error", "request_failed", { requestId, method: request.method, ...describeError(error) });
  return errorPage({ request, requestId }, "internal");
}
