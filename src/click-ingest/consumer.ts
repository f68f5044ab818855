import { describeError, log } from "../lib/log.ts";
import { retryLater } from "../lib/retry-later.ts";
import { findSubscribers } from "../outbox/subscribers.ts";
import type { ClickBatch, ClickBatchMessage } from "../clicks/capture/message.ts";
import { readRecipients } from "./recipients.ts";
import { isClickMessage } from "./validate.ts";
import { MAX_BATCHES_WITH_RECIPIENTS } from "./limits.ts";

/** What the messages hold for one ClickLog. */
interface LogInput {
  accountId: number | null;
  batches: ClickBatch[];
  messages: Message<ClickBatchMessage>[];
}

/**
 * Consumes messages with clicks. A message is acknowledged when its ClickLogs have stored all its clicks and sent
 * their events. A redelivery changes nothing that is stored already. Clicks of an account that is gone are dropped.
 */
export async function consumeClicks(messages: readonly Message<ClickBatchMessage>[], env: Env): Promise<void> {
  const inputs = groupByLog(messages);
  await Promise.all(
    [...inputs].map(async ([name, input]) => {
      try {
        await storeInClickLog(env, name, input);
      } catch (error) {
        log("warn", "clicks_not_stored", { messages: input.messages.length, ...describeError(error) });
        for (const message of input.messages) retryLater(message);
      }
    }),
  );
}

/** A message that cannot be read is retried. It does not keep the others from being stored. */
function groupByLog(messages: readonly Message<ClickBatchMessage>[]): Map<string, LogInput> {
  const inputs = new Map<string, LogInput>();
  for (const message of messages) {
    if (!isClickMessage(message.body)) {
      log("error", "message_unreadable", { kind: "clicks", attempts: message.attempts });
      retryLater(message);
      continue;
    }
    for (const batch of message.body.batches) {
      const input = inputs.get(batch.log) ?? { accountId: batch.accountId, batches: [], messages: [] };
      inputs.set(batch.log, input);
      input.batches.push(batch);
      input.messages.push(message);
    }
  }
  return inputs;
}

async function storeInClickLog(env: Env, name: string, { accountId, batches }: LogInput): Promise<void> {
  const clickLog = env.CLICK_LOG.getByName(name);
  const webhooks = accountId === null ? [] : await findSubscribers(env.DB, accountId, "link.click", Date.now());
  // The account is purged, or soon will be, and its ClickLog must stay empty.
  if (webhooks === null) return;
  if (webhooks.length === 0) return clickLog.ingest(batches, null);
  for (let start = 0; start < batches.length; start += MAX_BATCHES_WITH_RECIPIENTS) {
    const some = batches.slice(start, start + MAX_BATCHES_WITH_RECIPIENTS);
    await clickLog.ingest(some, await readRecipients(env, webhooks, some));
  }
}
