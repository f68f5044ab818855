import type { ClickMessage } from "./clicks/capture/message.ts";
import { describeError, log } from "./lib/log.ts";
import { parseRequestUrl } from "./redirect/request-url.ts";
import { message } from "./redirect/pages/pages.ts";
import { serveShortDomain } from "./redirect/redirect.ts";
import type { DeliveryMessage } from "./outbox/messages.ts";

export { ClickLog } from "./clicks/click-log/object.ts";
export { RateLimiter } from "./rate-limit/limiter.ts";

/**
 * The Worker. Short links are answered before anything of the API is evaluated: a module behind
 * `import()` runs at its first use, also in the single file that wrangler bundles.
 */
export default {
  // Not async: a hot link is answered without a promise.
  fetch(request, env, ctx) {
    const requestId = crypto.randomUUID();
    try {
      const address = parseRequestUrl(request.url, env.BASE_URL);
      const answer =
        address.domain === "" && isApiPath(address.path)
          ? import("./app.ts").then(({ app }) => app.fetch(request, env, ctx))
          : serveShortDomain({ request, requestId, address }, env, ctx);
      return answer instanceof Promise ? answer.catch((error: unknown) => fail(request, requestId, error)) : answer;
    } catch (error) {
      return fail(request, requestId, error);
    }
  },

  async queue(batch, env, ctx) {
    // Whoever has the messages that were given up consumed again, has them treated as they were.
    const queue = batch.queue.replace(/-dead$/, "");
    if (queue === "tern-clicks") {
      const { consumeClicks } = await import("./clicks/ingest/consumer.ts");
      await consumeClicks(batch as MessageBatch<ClickMessage>, env);
    } else if (queue === "tern-deliveries") {
      const [{ consumeDeliveries }, { createJobContext }] = await Promise.all([
        import("./webhooks/delivery/consumer.ts"),
        import("./context.ts"),
      ]);
      await consumeDeliveries(batch as MessageBatch<DeliveryMessage>, createJobContext(env, ctx, Date.now()));
    } else {
      throw new Error(`nobody consumes the queue ${batch.queue}`);
    }
  },

  async scheduled(controller, env, ctx) {
    const [{ runCron }, { createJobContext }] = await Promise.all([import("./cron.ts"), import("./context.ts")]);
    await runCron(createJobContext(env, ctx, controller.scheduledTime));
  },
} satisfies ExportedHandler<Env, ClickMessage | DeliveryMessage>;

function isApiPath(path: string): boolean {
  return path === "api" || path.startsWith("api/");
}

function fail(request: Request, requestId: string, error: unknown): Response {
  log("error", "request_failed", { requestId, method: request.method, ...describeError(error) });
  return message({ request, requestId }, "internal");
}
