// Injects the faults that can happen between the queue and the ClickLogs: messages that are redelivered, concurrent and
// out of order, consumers that end early, and ClickLogs that fail before, while and after they store clicks.

import { ClickLog as RealClickLog } from "./index.js";

let on = false;
let deliveries = 0;
let ingests = 0;
const happened = {};
let earlier = [];

export function setClickFaults(wanted) {
  if (wanted !== null) on = wanted === "on";
  return happened;
}

function note(fault) {
  happened[fault] = (happened[fault] ?? 0) + 1;
}

/** Runs in place of the consumer. */
export async function deliver(batch, consume) {
  if (!on || batch.queue !== "tern-clicks") return consume(batch);
  const turn = deliveries++;
  if (turn % 4 === 1) {
    note("late");
    return batch.retryAll({ delaySeconds: 1 });
  }
  const { messages } = batch;
  if (turn % 4 === 3) {
    note("ended in the middle");
    await consume(copyOf(batch, messages.slice(0, Math.ceil(messages.length / 2))));
    throw new Error("the consumer was ended");
  }
  note("several times at once");
  const again = new Set();
  const backwards = messages.toReversed();
  await Promise.all([
    consume(copyOf(batch, backwards, (id) => again.add(id))),
    consume(copyOf(batch, earlier)),
    consume(copyOf(batch, messages.slice(0, 1))),
  ]);
  earlier = messages.slice(-5);
  return batch.messages.filter(({ id }) => again.has(id)).forEach((message) => message.retry());
}

function copyOf({ queue }, messages, onRetry = () => {}) {
  const copies = messages.map(({ id, timestamp, attempts, body }) => {
    return { id, timestamp, attempts, body, ack() {}, retry: () => onRetry(id) };
  });
  return { queue, messages: copies, ackAll() {}, retryAll() {} };
}

export class ClickLog extends RealClickLog {
  #state;
  #failsAt = 0;

  constructor(state, env) {
    super(state, env);
    this.#state = state;
    const { sql } = state.storage;
    const exec = sql.exec.bind(sql);
    sql.exec = (query, ...values) => {
      if (query.includes("INSERT INTO clicks") && this.#failsAt > 0 && --this.#failsAt === 0)
        throw new Error("disk I/O error");
      return exec(query, ...values);
    };
  }

  async ingest(...args) {
    if (!on) return super.ingest(...args);
    const turn = ingests++;
    if (turn % 8 === 1) {
      note("failed before storing");
      throw new Error("overloaded");
    }
    if (turn % 8 === 3) {
      note("failed while storing");
      this.#failsAt = 2;
    }
    const result = await super.ingest(...args);
    this.#failsAt = 0;
    if (turn % 8 === 5) {
      note("response lost");
      throw new Error("Network connection lost.");
    }
    if (turn % 8 === 7) {
      note("restarted");
      this.#state.abort("restarted");
    }
    return result;
  }
}
