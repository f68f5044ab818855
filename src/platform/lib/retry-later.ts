import { MESSAGE_RETRY_FIRST_SECONDS, MESSAGE_RETRY_LONGEST_SECONDS } from "../../limits.ts";

/** Asks the queue to deliver the message again, after a delay that doubles with each attempt. */
export function retryLater(message: Message): void {
  const delaySeconds = Math.min(
    MESSAGE_RETRY_FIRST_SECONDS * 2 ** (message.attempts - 1),
    MESSAGE_RETRY_LONGEST_SECONDS,
  );
  message.retry({ delaySeconds });
}
