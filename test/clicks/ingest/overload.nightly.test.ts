import { afterEach, expect, it, vi } from "vitest";
import { consumeClicks } from "../../../src/clicks/ingest/consumer.ts";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import {
  ClickMessageBuilder,
  type ClickBatch,
  type ClickBatchMessage,
} from "../../../src/click-log/capture/message.ts";
import { clearQueued, sendMessages } from "../../../src/click-log/capture/send.ts";
import { SECOND_MS } from "../../../src/limits.ts";
import { FIREFOX } from "../../support/user-agents.ts";

// Clicks of one account whose ClickLog takes 1,000 calls a second, in simulated time: the code of isolates and the consumer of the queue
// are the real ones. The object and the queue are models.

const START = Date.UTC(2032, 5, 15);
const CALLS_PER_SECOND = 1_000;
/** Of so many calls, one is executed and its answer is lost. */
const LOST_ANSWERS = 50;
/** As in wrangler.toml. */
const BATCH_MESSAGES = 100;
/** Of so many batches, the queue delivers one twice. */
const DELIVERED_TWICE = 10;

afterEach(() => void vi.useRealTimers());

/** An object that refuses calls as an overloaded one does, and stores the clicks of a batch id once. */
class ClickLogModel {
  /** The number of clicks by batch id. */
  readonly stored = new Map<string, number>();
  refused = 0;
  lostAnswers = 0;
  #calls = 0;
  #second = 0;
  #callsInSecond = 0;

  /** As one of its callers sees it. `sizes` gets the number of clicks of each call. */
  asSeenBy(sizes: number[]): Env {
    const ingest = async (batches: ClickBatch[]) => this.#ingest(batches, sizes);
    return { CLICK_LOG: { getByName: () => ({ ingest }) } } as unknown as Env;
  }

  #ingest(batches: readonly ClickBatch[], sizes: number[]): void {
    const second = Math.floor(Date.now() / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#callsInSecond] = [second, 0];
    if (this.#callsInSecond === CALLS_PER_SECOND) {
      this.refused++;
      throw Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
    }
    this.#callsInSecond++;
    for (const { id, clicks } of batches) this.stored.set(id, clicks.at.length);
    sizes.push(batches.reduce((sum, { clicks: { at } }) => sum + at.length, 0));
    if (++this.#calls % LOST_ANSWERS > 0) return;
    this.lostAnswers++;
    throw new Error("Network connection lost.");
  }
}

interface Queued {
  body: ClickBatchMessage;
  attempts: number;
  /** Unix milliseconds. */
  dueAt: number;
}

/** A queue that delivers each message at least once. */
class QueueModel {
  waiting: Queued[] = [];
  mostAttempts = 0;
  #batches = 0;

  /** As isolates see it. */
  get producer(): Env["CLICKS"] {
    const sendBatch = async (requests: MessageSendRequest<ClickBatchMessage>[]) =>
      void this.waiting.push(...requests.map(({ body }) => ({ body, attempts: 0, dueAt: Date.now() })));
    return { sendBatch } as unknown as Env["CLICKS"];
  }

  /** Hands the consumer the next messages that are due. */
  async deliver(env: Env): Promise<void> {
    const batch = this.waiting.filter(({ dueAt }) => dueAt <= Date.now()).slice(0, BATCH_MESSAGES);
    if (batch.length === 0) return;
    const taken = new Set(batch);
    this.waiting = this.waiting.filter((message) => !taken.has(message));
    if (++this.#batches % DELIVERED_TWICE === 0) await this.#consume(batch, env);
    this.waiting.push(...(await this.#consume(batch, env)));
  }

  /** Returns the messages that are to be delivered again. */
  async #consume(batch: readonly Queued[], env: Env): Promise<Queued[]> {
    const again = new Map<Queued, Queued>();
    const messages = batch.map((message, index): Message<ClickBatchMessage> => {
      const attempts = message.attempts + 1;
      this.mostAttempts = Math.max(this.mostAttempts, attempts);
      const retry = ({ delaySeconds = 0 }: QueueRetryOptions = {}) =>
        void again.set(message, { body: message.body, attempts, dueAt: Date.now() + delaySeconds * SECOND_MS });
      return { id: String(index), timestamp: new Date(), attempts, body: message.body, ack: () => undefined, retry };
    });
    await consumeClicks(messages, env);
    return [...again.values()];
  }
}

const clickOf = (n: number): CapturedClick => {
  const origin = ["", "DE", "BE", "Berlin", "EU", 0] as const;
  const link = `0198f000-0000-7000-8000-${String(n % 20).padStart(12, "0")}`;
  return [Date.now(), link, 1, { location: "https://example.com/" }, `10.0.${n % 200}.${n % 99}`, FIREFOX, ...origin];
};

/** Many isolates flush one to three clicks each, so often a second for so many seconds. */
async function simulate(flushesPerSecond: number, seconds: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  clearQueued();
  const log = new ClickLogModel();
  const queue = new QueueModel();
  const sizes = { direct: [] as number[], queue: [] as number[] };
  const isolate = { ...log.asSeenBy(sizes.direct), CLICKS: queue.producer };
  const consumer = log.asSeenBy(sizes.queue);
  const sent = new Map<string, number>();
  const counts = { buffered: 0, refused: 0 };
  for (let n = 0; n < flushesPerSecond * seconds; n++) {
    vi.setSystemTime(START + Math.floor((n * SECOND_MS) / flushesPerSecond));
    const builder = new ClickMessageBuilder();
    for (let click = 0; click <= n % 3; click++) builder.add(clickOf(3 * n + click));
    const { clicks, chars, firstClickAt } = builder;
    const body = builder.toMessage();
    for (const { id, clicks: columns } of body.batches) sent.set(id, columns.at.length);
    counts.buffered += clicks;
    // Half of the isolates have not seen an overload.
    if (n % 2 === 0) clearQueued();
    await sendMessages(isolate, [{ body, clicks, chars, firstClickAt }], {
      counts,
      deadline: Date.now() + SECOND_MS,
      isFlush: true,
    });
    if (n % BATCH_MESSAGES === 0) await queue.deliver(consumer);
  }
  for (let turn = 0; queue.waiting.length > 0 && turn < 100_000; turn++) {
    vi.setSystemTime(Date.now() + SECOND_MS / 10);
    await queue.deliver(consumer);
  }
  return { log, queue, sizes, sent, counts };
}

const mean = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

it.each([
  ["at", 1],
  ["beyond", 4],
])("loses no click and counts none twice %s the rate that a ClickLog takes", async (_, times) => {
  const { log, queue, sent, counts } = await simulate(times * CALLS_PER_SECOND, 5);
  expect(log.stored).toEqual(sent);
  expect([counts, queue.waiting]).toEqual([{ buffered: 0, refused: 0 }, []]);
  expect(log.lostAnswers).toBeGreaterThan(0);
  if (times > 1) expect(log.refused).toBeGreaterThan(0);
  // `max_retries` is 100.
  expect(queue.mostAttempts).toBeLessThan(50);
});

it("takes clicks through the queue in larger batches the more there are", async () => {
  const [half, twice, fourTimes] = [
    await simulate(CALLS_PER_SECOND / 2, 5),
    await simulate(2 * CALLS_PER_SECOND, 5),
    await simulate(4 * CALLS_PER_SECOND, 5),
  ];
  expect(mean(twice.sizes.queue)).toBeGreaterThan(mean(half.sizes.queue));
  expect(mean(fourTimes.sizes.queue)).toBeGreaterThan(10 * mean(fourTimes.sizes.direct));
  // So the object is called less often than the clicks were flushed.
  const calls = fourTimes.sizes.queue.length + fourTimes.sizes.direct.length;
  expect(calls).toBeLessThan(fourTimes.sent.size / 2);
});
