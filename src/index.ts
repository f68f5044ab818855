import type { QueueMessage } from "./queue.ts";
import type { FullWorker } from "./redirect/request-url.ts";
import { serveRequest } from "./serve-request.ts";

export { ClickLog, JobRunner, PasswordHasher, RateLimiter, Screener } from "./objects.ts";

/** The modules are loaded on demand: redirects need none of them. */
const FULL_WORKER: FullWorker = {
  async serveApi({ request }, env, ctx) {
    const { serveApi } = await import("./serve-api.ts");
    return serveApi(request, env, ctx);
  },
  async servePage(incoming, env, ctx) {
    const { servePage } = await import("./redirect/service-pages.ts");
    return servePage(incoming, env, ctx);
  },
  async serveReports(incoming, env, ctx) {
    const { serveReports } = await import("./reports/serve.ts");
    return serveReports(incoming, env, ctx);
  },
  async isUnlocked(request, link, now, env) {
    const { hasPasswordCookie } = await import("./redirect/password/password-cookie.ts");
    return hasPasswordCookie(env, request, link, now);
  },
  async addApiHint(incoming, response) {
    const { addApiHint } = await import("./api-hint.ts");
    return addApiHint(incoming, response);
  },
};

/** The Worker. In a split installation it is the full Worker, behind the redirect Worker (redirect-worker.ts). */
export default {
  fetch: (request, env, ctx) => serveRequest(request, env, ctx, FULL_WORKER),

  async queue(batch, env, ctx) {
    const { consumeQueue } = await import("./queue.ts");
    await consumeQueue(batch, env, ctx);
  },

  async scheduled(controller, env, ctx) {
    const [{ runCron }, { createJobContext }] = await Promise.all([import("./cron.ts"), import("./context.ts")]);
    await runCron(createJobContext(env, ctx, controller.scheduledTime));
  },
} satisfies ExportedHandler<Env, QueueMessage>;
