import { SECOND_MS } from "../../src/duration.ts";
import type { ClickBatch, ClickBatchMessage } from "../../src/clicks/capture/message.ts";
import { setTimer, track } from "./clock.ts";
import { hash } from "./traffic.ts";

// A model of what the platform allows, in front of the real objects and the real consumer of the queue.

export interface Limits {
  /** Time that a call takes of an object's thread, ms. An object takes about 1,000 requests a second (documented). */
  callMs: number;
  /** Time that a click takes of it in a call of many, ms (measured: `npm run ceiling`). */
  clickMs: number;
  /** An object refuses calls while this work waits, ms (estimated). */
  maxWaitingMs: number;
  /** Messages that the queue takes in a second (documented). */
  messagesPerSecond: number;
  /** Invocations of the consumer at the same time (documented). */
  consumers: number;
  /** As `max_batch_size`, `max_batch_timeout` and `max_retries` in wrangler.toml. */
  batchMessages: number;
  batchMs: number;
  retries: number;
}

export const LIMITS: Limits = {
  callMs: 1,
  clickMs: 0.02,
  maxWaitingMs: SECOND_MS,
  messagesPerSecond: 5_000,
  consumers: 250,
  batchMessages: 100,
  batchMs: SECOND_MS,
  retries: 100,
};

/** What goes wrong, times in simulated Unix milliseconds. */
export interface Faults {
  /** The queue takes no message from then on until then. */
  queueDown: [from: number, until: number];
  /** This object does not answer: a restart, or a move to another machine. */
  silent: { log: string; from: number; until: number };
  /** Of so many calls, one is executed and its answer is lost. */
  lostAnswers: number;
  /** Of so many batches, the queue delivers one twice. */
  deliveredTwice: number;
}

export interface Statistics {
  /** Calls that objects executed, and clicks in them: also those that came twice. */
  calls: number;
  clicks: number;
  overloads: number;
  lostAnswers: number;
  /** Sent to the queue, and refused by it. */
  messages: number;
  refusedMessages: number;
  redelivered: number;
  deadLetters: number;
  /** The most messages that waited in the queue. */
  mostWaiting: number;
  /** The busiest second of an object, as a part of what it can do, and of the queue, in messages. */
  busiestObject: number;
  busiestQueue: number;
}

export const newStatistics = (): Statistics => ({
  calls: 0,
  clicks: 0,
  overloads: 0,
  lostAnswers: 0,
  messages: 0,
  refusedMessages: 0,
  redelivered: 0,
  deadLetters: 0,
  mostWaiting: 0,
  busiestObject: 0,
  busiestQueue: 0,
});

/** What the code under simulation uses of a binding. */
export const standIn = (used: object) => used as never;

const wait = (ms: number) => new Promise<void>((resolve) => void setTimer(ms, resolve));
const secondOf = (time: number) => Math.floor(time / SECOND_MS);

/** Objects with one thread each. */
export class ObjectsModel {
  readonly #logs: Env["CLICK_LOG"];
  readonly #limits: Limits;
  readonly #faults: Faults;
  readonly #busyUntil = new Map<string, number>();
  readonly #work = new Map<string, number>();
  statistics: Statistics;

  constructor(logs: Env["CLICK_LOG"], limits: Limits, faults: Faults, statistics: Statistics) {
    this.#logs = logs;
    this.#limits = limits;
    this.#faults = faults;
    this.statistics = statistics;
  }

  /** As isolates and the consumer see the objects. */
  namespace(): Env["CLICK_LOG"] {
    const getByName = (log: string) => ({ ingest: (batches: ClickBatch[]) => this.#call(log, batches) });
    return standIn({ getByName });
  }

  /** As an object sees the others: its calls cost them time, and return at once, because simulated time stands still meanwhile. */
  namespaceOfObjects(): Env["CLICK_LOG"] {
    const getByName = (log: string) => {
      const stub = this.#logs.getByName(log);
      return Object.assign(Object.create(stub) as typeof stub, {
        ingest: (batches: ClickBatch[], isForwarded: boolean) => {
          this.#takeTime(log, batches);
          return stub.ingest(batches, isForwarded);
        },
      });
    };
    return standIn({ getByName });
  }

  /** Takes the time of the object's thread; returns when it has done this work. */
  #takeTime(log: string, batches: readonly ClickBatch[]): number {
    const now = Date.now();
    const clicks = batches.reduce((sum, { clicks: { at } }) => sum + at.length, 0);
    const work = this.#limits.callMs + clicks * this.#limits.clickMs;
    const { silent } = this.#faults;
    const isSilent = log === silent.log && now >= silent.from && now < silent.until;
    const start = Math.max(this.#busyUntil.get(log) ?? 0, isSilent ? silent.until : now);
    this.#busyUntil.set(log, start + work);
    const second = `${log} ${secondOf(start)}`;
    const inSecond = (this.#work.get(second) ?? 0) + work;
    this.#work.set(second, inSecond);
    this.statistics.busiestObject = Math.max(this.statistics.busiestObject, inSecond / SECOND_MS);
    this.statistics.calls++;
    this.statistics.clicks += clicks;
    return start + work;
  }

  async #call(log: string, batches: ClickBatch[]): Promise<string[]> {
    const now = Date.now();
    const waiting = Math.max(0, (this.#busyUntil.get(log) ?? 0) - now);
    const { silent, lostAnswers } = this.#faults;
    // The calls to an object that is silent wait somewhere else.
    const isSilent = log === silent.log && now >= silent.from && now < silent.until;
    if (waiting > this.#limits.maxWaitingMs && !isSilent) {
      this.statistics.overloads++;
      throw Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
    }
    await wait(Math.ceil(this.#takeTime(log, batches) - now));
    const answer = await track(this.#logs.getByName(log).ingest(batches));
    if (hash(this.statistics.calls, 7) % lostAnswers === 0) {
      this.statistics.lostAnswers++;
      throw new Error("Network connection lost.");
    }
    return answer;
  }
}

interface Queued {
  body: ClickBatchMessage;
  attempts: number;
}

type Consume = (messages: Message<ClickBatchMessage>[]) => Promise<void>;

/** A queue with the bound of its rate, and its consumers. */
export class QueueModel {
  readonly #limits: Limits;
  readonly #faults: Faults;
  readonly #consume: Consume;
  readonly #sent = new Map<number, number>();
  #waiting: Queued[] = [];
  #running = 0;
  #isBatchDue = false;
  #batches = 0;
  statistics: Statistics;

  constructor(limits: Limits, faults: Faults, statistics: Statistics, consume: Consume) {
    this.#limits = limits;
    this.#faults = faults;
    this.statistics = statistics;
    this.#consume = consume;
  }

  /** As isolates see it. */
  producer(): Queue<ClickBatchMessage> {
    const sendBatch = async (requests: Iterable<MessageSendRequest<ClickBatchMessage>>) => {
      // The message is stored now. Its objects belong to the isolate.
      this.#send(Array.from(requests, ({ body }) => structuredClone(body)));
    };
    return standIn({ sendBatch });
  }

  #send(bodies: ClickBatchMessage[]): void {
    const now = Date.now();
    const [from, until] = this.#faults.queueDown;
    const sent = (this.#sent.get(secondOf(now)) ?? 0) + bodies.length;
    if (sent > this.#limits.messagesPerSecond || (now >= from && now < until)) {
      this.statistics.refusedMessages += bodies.length;
      throw new Error("Queue sendBatch failed: Too Many Requests");
    }
    this.#sent.set(secondOf(now), sent);
    this.statistics.messages += bodies.length;
    this.statistics.busiestQueue = Math.max(this.statistics.busiestQueue, sent);
    for (const body of bodies) this.#add({ body, attempts: 0 });
  }

  #add(message: Queued): void {
    this.#waiting.push(message);
    this.statistics.mostWaiting = Math.max(this.statistics.mostWaiting, this.#waiting.length);
    if (this.#waiting.length >= this.#limits.batchMessages) this.#deliver();
    else if (!this.#isBatchDue) {
      this.#isBatchDue = true;
      setTimer(this.#limits.batchMs, () => {
        this.#isBatchDue = false;
        this.#deliver();
      });
    }
  }

  /** Starts consumers for what waits. */
  #deliver(): void {
    while (this.#waiting.length > 0 && this.#running < this.#limits.consumers) {
      const messages = this.#waiting.splice(0, this.#limits.batchMessages);
      const times = ++this.#batches % this.#faults.deliveredTwice === 0 ? 2 : 1;
      if (times === 2) this.statistics.redelivered += messages.length;
      this.#running++;
      void this.#consumeBatch(messages, times).finally(() => {
        this.#running--;
        if (this.#waiting.length >= this.#limits.batchMessages) this.#deliver();
      });
    }
  }

  async #consumeBatch(queued: Queued[], times: number): Promise<void> {
    for (let time = 1; time <= times; time++) {
      const delays = new Map<Queued, number>();
      const messages = queued.map((message, index) => ({
        id: String(index),
        timestamp: new Date(),
        attempts: message.attempts + 1,
        body: message.body,
        ack: () => undefined,
        retry: ({ delaySeconds = 0 } = {}) => void delays.set(message, delaySeconds),
      }));
      await this.#consume(messages);
      if (time < times) continue;
      for (const [message, delaySeconds] of delays) this.#retry(message, delaySeconds);
    }
  }

  #retry(message: Queued, delaySeconds: number): void {
    if (++message.attempts > this.#limits.retries) this.statistics.deadLetters++;
    else setTimer(delaySeconds * SECOND_MS, () => this.#add(message));
  }
}
