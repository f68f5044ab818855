// The service, and a path that takes clicks of the past: they go to the consumer of the queue as redirects would send them.

import { ClickMessageBuilder } from "../../src/clicks/capture/message.ts";
import worker from "../../src/index.ts";

export { ClickLog, Exporter, JobRunner, PasswordHasher, RateLimiter } from "../../src/index.ts";

/** How many clicks one message has. */
const CLICKS_PER_MESSAGE = 100;

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== "/bench/clicks") return worker.fetch(request, env, ctx);
    const clicks = await request.json();
    for (let from = 0; from < clicks.length; from += CLICKS_PER_MESSAGE)
      await takeClicks(clicks.slice(from, from + CLICKS_PER_MESSAGE), env);
    return new Response(null, { status: 204 });
  },
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
