import { describeError, log } from "../lib/log.ts";
import { CLICK_RETRY_FIRST_SECONDS, CLICK_RETRY_LONGEST_SECONDS } from "../limits.ts";
import type { ClickBatch } from "./batch.ts";
import { describeVisit, visitorOf } from "./describe.ts";
import { clickLogName } from "./log-name.ts";
import type { VisitBatch } from "./visit.ts";

/**
 * Takes visits from the queue into the ClickLogs. A message is done when all its visits are stored; one
 * that comes again, because that failed or by the queue's own doing, changes nothing that is.
 */
export async function countClicks(queued: MessageBatch<VisitBatch>, env: Env): Promise<void> {
  const logs = new Map<string, { batches: ClickBatch[]; messages: Message<VisitBatch>[] }>();
  for (const message of queued.messages) {
    for (const [name, batch] of splitByLog(message.body)) {
      const forLog = logs.get(name) ?? { batches: [], messages: [] };
      logs.set(name, forLog);
      forLog.batches.push(batch);
      forLog.messages.push(message);
    }
  }
  await Promise.all(
    [...logs].map(async ([name, { batches, messages }]) => {
      try {
        await env.CLICK_LOG.getByName(name).ingest(batches);
      } catch (error) {
        log("warn", "clicks_not_stored", { messages: messages.length, ...describeError(error) });
        for (const message of messages) message.retry({ delaySeconds: retryDelay(message.attempts) });
      }
    }),
  );
}

/** The part of a message that each ClickLog gets, by the log's name. */
function splitByLog({ id, visits }: VisitBatch): Map<string, ClickBatch> {
  const batches = new Map<string, ClickBatch>();
  for (const [index, visit] of visits.entries()) {
    const [at, linkId, accountId] = visit;
    const name = clickLogName(accountId, linkId);
    const batch = batches.get(name) ?? { id, clicks: [] };
    batches.set(name, batch);
    batch.clicks.push([at, linkId, index, visitorOf(visit), describeVisit(visit)]);
  }
  return batches;
}

function retryDelay(attempts: number): number {
  return Math.min(CLICK_RETRY_FIRST_SECONDS * 2 ** (attempts - 1), CLICK_RETRY_LONGEST_SECONDS);
}
