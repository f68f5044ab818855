import { describeError, log } from "../../platform/lib/log.ts";
import { retryLater } from "../../platform/lib/retry-later.ts";
import type { ClickBatch, ClickBatchMessage } from "../../click-log/capture/message.ts";
import { isClickMessage } from "./validate.ts";

/** What the messages hold for one ClickLog. */
interface LogInput {
  batches: ClickBatch[];
  messages: Message<ClickBatchMessage>[];
}

/**
 * Consumes messages with clicks. A message is acknowledged when its ClickLogs have stored all its clicks and sent
 * their events. A redelivery changes nothing that is stored already.
 */
export async function consumeClicks(messages: readonly Message<ClickBatchMessage>[], env: Env): Promise<void> {
  const inputs = groupByLog(messages);
  await Promise.all(
    [...inputs].map(async ([name, input]) => {
      try {
        await env.CLICK_LOG.getByName(name).ingest(input.batches);
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
      const input = inputs.get(batch.log) ?? { batches: [], messages: [] };
      inputs.set(batch.log, input);
      input.batches.push(batch);
      input.messages.push(message);
    }
  }
  return inputs;
}
