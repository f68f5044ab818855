// The service with a clock that can be set back, and a path that takes clicks: they go to the consumer of the queue as
// redirects would send them. So the demo data can have a past.

import { ClickMessageBuilder } from "../../../src/click-log/capture/message.ts";
import worker, { ClickLog as RealClickLog, RateLimiter as RealRateLimiter } from "../../../src/index.ts";
import { delayAlarms } from "../instrumented/delay-alarms.js";

export { JobRunner, PasswordHasher, Screener } from "../../../src/index.ts";

const realNow = Date.now;
let behindMs = 0;
Date.now = () => realNow() - behindMs;

export class ClickLog extends RealClickLog {
  constructor(state, env) {
    super(delayAlarms(state), env);
  }
}

export class RateLimiter extends RealRateLimiter {
  constructor(state, env) {
    super(delayAlarms(state), env);
  }
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== "/bench/past") return worker.fetch(request, env, ctx);
    const past = await request.json();
    behindMs = past.behindMs;
    if (past.clicks.length > 0) await takeClicks(past.clicks, env);
    return new Response(null, { status: 204 });
  },
  scheduled: (_controller, env, ctx) => worker.scheduled({ scheduledTime: Date.now() }, env, ctx),
};

/** `clicks` are as redirects capture them, without the account. */
async function takeClicks(clicks, env) {
  const builder = new ClickMessageBuilder();
  const { results } = await env.DB.prepare("SELECT id, account_id FROM links").all();
  const accounts = new Map(results.map(({ id, account_id }) => [id, account_id]));
  for (const [at, linkId, , ...rest] of clicks) builder.add([at, linkId, accounts.get(linkId), ...rest]);
  const retry = () => {
    throw new Error("The consumer retried the clicks.");
  };
  const message = { id: crypto.randomUUID(), attempts: 1, body: builder.toMessage(), ack() {}, retry };
  await worker.queue({ queue: "tern-clicks", messages: [message] }, env, {});
}
