// The Worker that calls one ClickLog as isolates do: with batches of clicks, as many calls at the same time as there are isolates that
// wait for it.

import { env } from "cloudflare:workers";
import { ClickMessageBuilder, type ClickBatch } from "../../../src/click-log/capture/message.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { clickOf } from "./traffic.ts";

export { ClickLog, JobRunner, PasswordHasher, RateLimiter, Screener } from "../../../src/index.ts";

/** What the Worker is told. `prepare` makes batches, `store` sends them and returns when all are stored. */
export interface Command {
  prepare?: { batches: number; clicksPerBatch: number };
  store?: { log: string; concurrency: number; callsPerQuestion: number | null };
}

export interface Stored {
  clicks: number;
  /** How long each question took, ms. */
  questions: number[];
}

let batches: ClickBatch[] = [];
let clicks = 0;

export default {
  async fetch(request: Request): Promise<Response> {
    const { prepare, store } = (await request.json()) as Command;
    if (prepare !== undefined) makeBatches(prepare);
    return Response.json(store === undefined ? {} : await storeBatches(store));
  },
};

function makeBatches({ batches: count, clicksPerBatch }: NonNullable<Command["prepare"]>): void {
  batches = [];
  clicks = count * clicksPerBatch;
  for (let batch = 0; batch < count; batch++) {
    const builder = new ClickMessageBuilder();
    for (let n = 0; n < clicksPerBatch; n++) builder.add(clickOf(batch * clicksPerBatch + n, Date.now()));
    batches.push(...builder.toMessage().batches);
  }
}

async function storeBatches({ log, concurrency, callsPerQuestion }: NonNullable<Command["store"]>): Promise<Stored> {
  const clickLog = env.CLICK_LOG.getByName(log);
  const waiting = batches.map((batch) => Object.assign(batch, { log }));
  const questions: number[] = [];
  const ask = async () => {
    const asked = Date.now();
    const day = Math.floor(asked / DAY_MS) * DAY_MS;
    await clickLog.aggregate(null, { start: day, end: day + DAY_MS, boundaries: [day], filters: {} });
    questions.push(Date.now() - asked);
  };
  let calls = 0;
  const send = async () => {
    for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) {
      await clickLog.ingest([batch]);
      if (callsPerQuestion !== null && ++calls % callsPerQuestion === 0) await ask();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  return { clicks, questions };
}
