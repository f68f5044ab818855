import type { ServiceContext } from "../context.ts";
import { log } from "../lib/log.ts";
import { BACKLOG_REPORTED_AFTER_MS } from "../limits.ts";

/**
 * Says in the log which queues do not get on with their work, and that messages were given up; answers how many lines
 * that took. A queue is fine while its oldest message is young, however many there are.
 */
export async function reportBacklog({ env, now }: ServiceContext): Promise<number> {
  const queues = { clicks: env.CLICKS, deliveries: env.DELIVERIES };
  const deadLetters = { clicks: env.DEAD_CLICKS, deliveries: env.DEAD_DELIVERIES };
  let lines = 0;
  for (const [queue, binding] of Object.entries(queues)) {
    const { backlogCount: messages, backlogBytes: bytes, oldestMessageTimestamp } = await binding.metrics();
    const ageMs = oldestMessageTimestamp === undefined ? 0 : now - new Date(oldestMessageTimestamp).getTime();
    if (ageMs <= BACKLOG_REPORTED_AFTER_MS) continue;
    log("warn", "queue_backlog", { queue, messages, bytes, ageMs });
    lines++;
  }
  for (const [queue, binding] of Object.entries(deadLetters)) {
    const { backlogCount: messages, backlogBytes: bytes } = await binding.metrics();
    if (messages === 0) continue;
    log("error", "dead_letters", { queue, messages, bytes });
    lines++;
  }
  return lines;
}
