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
    const address = readAddress(request.url, env.BASE_URL);
    if (address.domain === "" && (address.path === "api" || address.path.startsWith("api/"))) {
      const { app } = await import("./app.ts");
      return app.fetch(request, env, ctx);
    }
    try {
      return await serveShortDomain(request, address, env, ctx);
    } catch (error) {
      log("error", "redirect_failed", describeError(error));
      return message(request, "unavailable");
    }
  },

  async scheduled(controller, env) {
    const { runCron } = await import("./cron.ts");
    await runCron(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
