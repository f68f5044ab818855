/** What the Worker puts into a queue, or offers to a ClickLog and what that acknowledges: entry.js. */
export interface Sent {
  name: string;
  messages: { body: unknown; delaySeconds?: number }[];
}

interface Message {
  id: string;
  timestamp: Date;
  attempts: number;
  body: unknown;
}

/** The result of a consumer. */
export interface Handed {
  outcome: string;
  retryBatch: { retry: boolean; delaySeconds?: number };
  retryMessages: { msgId: string; delaySeconds?: number }[];
}

export type HandOut = (queue: string, messages: Message[]) => Promise<Handed>;

interface Waiting {
  name: string;
  message: Message;
  dueAt: number;
}

const MAX_BATCH_MESSAGES: Record<string, number> = { "tern-clicks": 100, "tern-deliveries": 5, "tern-click-events": 5 };
const BATCHES_AT_ONCE = 4;
/** The probability that a message is late, and that a batch is delivered twice. */
const CHANCE = 0.1;
/** When messages are delivered again after their consumer failed. */
const AFTER_FAILURE_MS = 300;

/**
 * Queues like Cloudflare's: they outlive the Worker and deliver each message at least once, in any order, some late and
 * some twice. Messages that were not acknowledged are delivered again.
 */
export class Queues {
  /** Called once for each message that is sent to the queue `name`, and for the clicks that are `offered` or `acknowledged`. */
  onTaken: (name: string, body: unknown) => void = () => undefined;
  /** How much later a late message is delivered. */
  lateMs = 2_000;
  /** Delivers waiting messages without their delay. */
  hurries = false;
  #waiting: Waiting[] = [];
  #handing = 0;
  #lastId = 0;
  #stopped = false;
  readonly #handOut: HandOut;

  constructor(handOut: HandOut) {
    this.#handOut = handOut;
  }

  take({ name, messages }: Sent): void {
    for (const { body, delaySeconds = 0 } of messages) {
      this.onTaken(name, body);
      if (MAX_BATCH_MESSAGES[name] === undefined) continue;
      const message = { id: String(this.#lastId++), timestamp: new Date(), attempts: 1, body };
      this.#wait(name, message, delaySeconds * 1_000 + (Math.random() < CHANCE ? this.lateMs : 0));
    }
  }

  /** Delivers messages until it is stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      for (const name of Object.keys(MAX_BATCH_MESSAGES)) {
        while (this.#handing < BATCHES_AT_ONCE) {
          const messages = this.#takeDue(name);
          if (messages.length === 0) break;
          void this.#hand(name, messages);
          // The result of a repeated delivery is not used.
          if (Math.random() < CHANCE) void this.#handOut(name, messages.toReversed()).catch(() => undefined);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  #wait(name: string, message: Message, delayMs: number): void {
    this.#waiting.push({ name, message, dueAt: performance.now() + delayMs });
  }

  #takeDue(name: string): Message[] {
    const now = this.hurries ? Infinity : performance.now();
    const due = this.#waiting
      .filter((each) => each.name === name && each.dueAt <= now)
      .slice(0, MAX_BATCH_MESSAGES[name]);
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    return due.map(({ message }) => message);
  }

  async #hand(name: string, messages: Message[]): Promise<void> {
    this.#handing++;
    const again = (message: Message, delayMs: number) =>
      this.#wait(name, { ...message, attempts: message.attempts + 1 }, delayMs);
    try {
      const { outcome, retryBatch, retryMessages } = await this.#handOut(name, messages);
      if (outcome !== "ok") throw new Error(outcome);
      const delays = new Map(retryMessages.map(({ msgId, delaySeconds = 0 }) => [msgId, delaySeconds * 1_000]));
      for (const message of messages) {
        const delayMs = retryBatch.retry ? (retryBatch.delaySeconds ?? 0) * 1_000 : delays.get(message.id);
        if (delayMs !== undefined) again(message, delayMs);
      }
    } catch {
      for (const message of messages) again(message, AFTER_FAILURE_MS);
    } finally {
      this.#handing--;
    }
  }
}
