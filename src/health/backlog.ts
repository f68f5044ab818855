import type { ServiceContext } from "../context.ts";
import { log } from "../lib/log.ts";
import { BACKLOG_REPORTED_AFTER_MS } from "./limits.ts";

/**
 * Logs backlogged queues and dead letters. Returns the number of log lines. A queue is backlogged if its oldest message
 * is old; the number of messages does not matter.
 */
export async function reportBacklog({ env, now }: ServiceContext): Promise<number> {
  const queues = { clicks: env.CLICKS, deliveries: env.DELIVERIES, clickEvents: env.CLICK_EVENTS };
  const deadLetterQueues = {
    clicks: env.DEAD_CLICKS,
    deliveries: env.DEAD_DELIVERIES,
    clickEvents: env.DEAD_CLICK_EVENTS,
  };
  let lines = 0;
  for (const [queue, binding] of Object.entries(queues)) {
    const { backlogCount: messages, backlogBytes: bytes, oldestMessageTimestamp } = await binding.metrics();
    const ageMs = oldestMessageTimestamp === undefined ? 0 : now - new Date(oldestMessageTimestamp).getTime();
    if (ageMs <= BACKLOG_REPORTED_AFTER_MS) continue;
    log("warn", "queue_backlog", { queue, messages, bytes, ageMs });
    lines++;
  }
  for (const [queue, binding] of Object.entries(deadLetterQueues)) {
    const { backlogCount: messages, backlogBytes: bytes } = await binding.metrics();
    if (messages === 0) continue;
    log("error", "dead_letters", { queue, messages, bytes });
    lines++;
  }
  return lines;
}
