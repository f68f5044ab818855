import { describeError, log } from "../../lib/log.ts";
import { CLICK_RETRY_FIRST_SECONDS, CLICK_RETRY_LONGEST_SECONDS, MESSAGES_WITH_EVENTS_AT_ONCE } from "../../limits.ts";
import { findSubscribers, type Subscriber } from "../../outbox/subscribers.ts";
import { toEventBatch } from "../types.ts";
import { enrichClicks } from "./enrich.ts";
import { readAudiences, sendClickEvents } from "./events.ts";
import { readMessage, type ClickBatch, type ClickMessage } from "../capture/message.ts";

/** What came for one ClickLog. */
interface ForLog {
  accountId: number | null;
  batches: ClickBatch[];
  messages: Message<ClickMessage>[];
}

/**
 * Takes visits from the queue into the ClickLogs. A message is done when all its visits are stored and their
 * events sent; one that comes again, because that failed or by the queue's own doing, changes nothing
 * that is.
 */
export async function consumeClicks(queued: MessageBatch<ClickMessage>, env: Env): Promise<void> {
  const logs = new Map<string, ForLog>();
  for (const message of queued.messages) {
    for (const batch of batchesOf(message)) {
      const forLog = logs.get(batch.log) ?? { accountId: batch.accountId, batches: [], messages: [] };
      logs.set(batch.log, forLog);
      forLog.batches.push(batch);
      forLog.messages.push(message);
    }
  }
  await Promise.all(
    [...logs].map(async ([name, forLog]) => {
      try {
        await store(env, name, forLog);
      } catch (error) {
        log("warn", "clicks_not_stored", { messages: forLog.messages.length, ...describeError(error) });
        for (const message of forLog.messages) message.retry({ delaySeconds: retryDelay(message.attempts) });
      }
    }),
  );
}

async function store(env: Env, name: string, { accountId, batches }: ForLog): Promise<void> {
  const subscribers = accountId === null ? [] : await findSubscribers(env.DB, accountId, "link.click");
  const most = subscribers.length === 0 ? batches.length : MESSAGES_WITH_EVENTS_AT_ONCE;
  for (let start = 0; start < batches.length; start += most) {
    await storeSome(env, name, batches.slice(start, start + most), subscribers);
  }
}

async function storeSome(env: Env, name: string, batches: ClickBatch[], subscribers: Subscriber[]): Promise<void> {
  const audiences = subscribers.length === 0 ? null : await readAudiences(env, subscribers, batches);
  const clickLog = env.CLICK_LOG.getByName(name);
  const unsent = await clickLog.ingest(batches, audiences);
  if (unsent.length === 0) return;
  for (const { batchId, audience } of unsent) {
    const batch = batches.find(({ id }) => id === batchId);
    if (batch !== undefined) await sendClickEvents(env, toEventBatch(enrichClicks(batch)), audience);
  }
  await clickLog.confirmSent(unsent.map(({ batchId }) => batchId));
}

/** Nothing of a message that cannot be read: it comes again by itself, and keeps no other from being stored. */
function batchesOf(message: Message<ClickMessage>): ClickBatch[] {
  const batches = readMessage(message.body);
  if (batches !== null) return batches;
  log("error", "clicks_unreadable", { attempts: message.attempts });
  message.retry({ delaySeconds: retryDelay(message.attempts) });
  return [];
}

function retryDelay(attempts: number): number {
  return Math.min(CLICK_RETRY_FIRST_SECONDS * 2 ** (attempts - 1), CLICK_RETRY_LONGEST_SECONDS);
}
