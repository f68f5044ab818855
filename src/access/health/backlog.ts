import type { ServiceContext } from "../../platform/context.ts";
import { log } from "../../platform/lib/log.ts";
import { BACKLOG_LOGGED_AFTER_MS } from "./limits.ts";

/** What waits in a queue. */
export interface QueueBacklog {
  queue: "clicks" | "deliveries" | "clickEvents";
  messages: number;
  bytes: number;
  /** The age of the oldest message; 0: there is none. */
  ageMs: number;
  /** Messages that were given up. */
  dead: { messages: number; bytes: number };
}

export async function readBacklogs({ env, now }: Pick<ServiceContext, "env" | "now">): Promise<QueueBacklog[]> {
  const queues = [
    ["clicks", env.CLICKS, env.DEAD_CLICKS],
    ["deliveries", env.DELIVERIES, env.DEAD_DELIVERIES],
    ["clickEvents", env.CLICK_EVENTS, env.DEAD_CLICK_EVENTS],
  ] as const;
  return Promise.all(
    queues.map(async ([queue, binding, deadLetters]) => {
      const { backlogCount: messages, backlogBytes: bytes, oldestMessageTimestamp } = await binding.metrics();
      const dead = await deadLetters.metrics();
      return {
        queue,
        messages,
        bytes,
        ageMs: oldestMessageTimestamp === undefined ? 0 : now - new Date(oldestMessageTimestamp).getTime(),
        dead: { messages: dead.backlogCount, bytes: dead.backlogBytes },
      };
    }),
  );
}

/**
 * Logs backlogged queues and dead letters. Returns the number of log lines. A queue is backlogged if its oldest message
 * is old; the number of messages does not matter.
 */
export async function logBacklogs(context: ServiceContext): Promise<number> {
  const backlogs = await readBacklogs(context);
  const late = backlogs.filter(({ ageMs }) => ageMs > BACKLOG_LOGGED_AFTER_MS);
  for (const { queue, messages, bytes, ageMs } of late) log("warn", "queue_backlog", { queue, messages, bytes, ageMs });
  const withDead = backlogs.filter(({ dead }) => dead.messages > 0);
  for (const { queue, dead } of withDead) log("error", "dead_letters", { queue, ...dead });
  return late.length + withDead.length;
}
