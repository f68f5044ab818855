// The Worker as it is, with meters, a clock that can be set, and clicks made on the spot.

import { env as bindings } from "cloudflare:workers";
import { Draft } from "../../src/clicks/message.ts";
import worker, { ClickLog as RealClickLog, RateLimiter as RealRateLimiter } from "../../src/index.ts";
import { countConsumer, meterDatabase, meterObjects, meterQueue, meterStorage, readMeters } from "./meters.js";
import { makeVisit } from "./visits.js";

const realNow = Date.now;
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;

export class RateLimiter extends RealRateLimiter {
  constructor(state, env) {
    super(meterStorage("limiter", state), env);
  }
}

export class ClickLog extends RealClickLog {
  #state;

  constructor(state, env) {
    super(meterStorage("log", state), env);
    this.#state = state;
  }

  /** Lives through a night; returns what the object holds then, in bytes. */
  async night() {
    await this.alarm();
    return this.#state.storage.sql.databaseSize;
  }
}

/** The round trips to the database since they were last asked for; null while nobody wants to know. */
let trips = null;

const env = {
  ...bindings,
  DB: meterDatabase(bindings.DB, (statements) => trips?.push(statements)),
  CLICK_LOG: meterObjects("log", bindings.CLICK_LOG),
  RATE_LIMITER: meterObjects("limiter", bindings.RATE_LIMITER),
  CLICKS: meterQueue(bindings.CLICKS),
  DELIVERIES: meterQueue(bindings.DELIVERIES),
};

export default {
  async fetch(request, _env, ctx) {
    if (new URL(request.url).hostname !== "bench.control") return worker.fetch(request, env, ctx);
    const { now, advance = 0, take, night, record } = await request.json();
    aheadMs += advance;
    if (now !== undefined) aheadMs = now - realNow();
    if (take !== undefined) await takeClicks(take);
    let bytes = 0;
    if (night !== undefined) bytes = await bindings.CLICK_LOG.getByName(night).night();
    const recorded = trips ?? [];
    if (record !== undefined) trips = record ? [] : null;
    return Response.json({ meters: readMeters(), bytes, trips: recorded });
  },
  queue(batch, _env, ctx) {
    countConsumer();
    return worker.queue(batch, env, ctx);
  },
};

/** Has the consumer take `clicks` clicks, `perMessage` in a message and `perDelivery` messages at a time. */
async function takeClicks({ accountId, links, clicks, perMessage, perDelivery, from, until }) {
  let messages = [];
  for (let done = 0; done < clicks; done += perMessage) {
    const at = Math.floor(from + ((until - from) * done) / clicks);
    const many = Math.min(perMessage, clicks - done);
    const draft = new Draft();
    for (let n = 0; n < many; n++) draft.add(makeVisit(at, accountId, links[(done + n) % links.length]));
    messages.push({ id: String(done), attempts: 1, body: draft.toMessage(), ack() {}, retry: failed });
    if (messages.length < perDelivery && done + perMessage < clicks) continue;
    await worker.queue({ queue: "tern-clicks", messages }, env, {});
    messages = [];
  }
}

function failed() {
  throw new Error("a message was not stored");
}
