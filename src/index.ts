import { describeError, log } from "./lib/log.ts";
import { readAddress } from "./redirect/address.ts";
import { message } from "./redirect/pages.ts";
import { serveShortDomain } from "./redirect/redirect.ts";

export { RateLimiter } from "./rate-limit/limiter.ts";

/**
 * The Worker. Short links are answered before anything of the API is evaluated: a module behind
 * `import()` runs at its first use, also in the single file that wrangler bundles.
 */
export default {
  async fetch(request, env, ctx) {
    const requestId = crypto.randomUUID();
    try {
      const address = readAddress(request.url, env.BASE_URL);
      if (address.domain !== "" || !isApiPath(address.path)) {
        return await serveShortDomain({ request, requestId, address }, env, ctx);
      }
      const { app } = await import("./app.ts");
      return await app.fetch(request, env, ctx);
    } catch (error) {
      log("error", "request_failed", { requestId, method: request.method, ...describeError(error) });
      return message({ request, requestId }, "internal");
    }
  },

  async scheduled(controller, env) {
    const { runCron } = await import("./cron.ts");
    await runCron(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;

function isApiPath(path: string): boolean {
  return path === "api" || path.startsWith("api/");
}
