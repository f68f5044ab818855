// The Worker as it is, with meters, a clock that can be set and stopped, clicks made on the spot, and wake-ups of
// webhooks that are handed out when a command says so.

import { env as bindings } from "cloudflare:workers";
import { ClickMessageBuilder } from "../../src/clicks/capture/message.ts";
import worker, { ClickLog as RealClickLog, RateLimiter as RealRateLimiter } from "../../src/index.ts";
import { countConsumer, meterDatabase, meterObjects, meterQueue, meterStorage, readMeters } from "./meters.js";
import { makeVisit } from "./visits.js";

const realNow = Date.now;
let aheadMs = 0;
let stoppedAt;
Date.now = () => stoppedAt ?? realNow() + aheadMs;

export class RateLimiter extends RealRateLimiter {
  constructor(state) {
    super(meterStorage("limiter", state), env);
  }
}

export class ClickLog extends RealClickLog {
  #state;

  constructor(state) {
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

/** Wake-ups that are not handed out yet; null while the queue has them. */
let held = null;

const deliveries = {
  sendBatch: async (messages, options) => {
    if (held === null) await bindings.DELIVERIES.sendBatch(messages, options);
    else held.push(...messages);
  },
  metrics: () => bindings.DELIVERIES.metrics(),
};

const env = {
  ...bindings,
  DB: meterDatabase(bindings.DB, (statements) => trips?.push(statements)),
  CLICK_LOG: meterObjects("log", bindings.CLICK_LOG),
  RATE_LIMITER: meterObjects("limiter", bindings.RATE_LIMITER),
  CLICKS: meterQueue(bindings.CLICKS),
  DELIVERIES: meterQueue(deliveries),
};

/** What is still going on behind answers. */
const background = { tasks: 0 };

function countingContext(ctx) {
  return {
    waitUntil(promise) {
      background.tasks++;
      ctx.waitUntil(Promise.resolve(promise).finally(() => background.tasks--));
    },
  };
}

const service = {
  async fetch(request, _env, ctx) {
    const context = countingContext(ctx);
    if (new URL(request.url).hostname !== "bench.control") return worker.fetch(request, env, context);
    const { record, ...command } = await request.json();
    const bytes = await obey(command, context);
    while (background.tasks > 0) await scheduler.wait(1);
    const recorded = trips ?? [];
    if (record !== undefined) trips = record ? [] : null;
    return Response.json({ meters: readMeters(), bytes, trips: recorded });
  },
  queue(batch, _env, ctx) {
    countConsumer();
    return worker.queue(batch, env, countingContext(ctx));
  },
};
export default service;

async function obey({ now, advance = 0, stopAt, hold, take, deliver, cron, night }, ctx) {
  aheadMs += advance;
  if (now !== undefined) {
    aheadMs = now - realNow();
    stoppedAt = undefined;
  }
  stoppedAt = stopAt ?? stoppedAt;
  if (hold !== undefined) held = [];
  if (take !== undefined) await takeClicks(take);
  if (deliver !== undefined) {
    const messages = held.splice(0).map(({ body }, n) => messageOf(String(n), body));
    await service.queue({ queue: "tern-deliveries", messages }, env, ctx);
  }
  if (cron !== undefined) await worker.scheduled({ scheduledTime: Date.now() }, env, ctx);
  return night === undefined ? 0 : bindings.CLICK_LOG.getByName(night).night();
}

/** Has the consumer take `clicks` clicks, `perMessage` in a message and `perDelivery` messages at a time. */
async function takeClicks({ accountId, links, clicks, perMessage, perDelivery, from, until }) {
  let messages = [];
  for (let done = 0; done < clicks; done += perMessage) {
    const at = Math.floor(from + ((until - from) * done) / clicks);
    const many = Math.min(perMessage, clicks - done);
    const draft = new ClickMessageBuilder();
    for (let n = 0; n < many; n++) draft.add(makeVisit(at, accountId, links[(done + n) % links.length]));
    messages.push(messageOf(String(done), draft.toMessage()));
    if (messages.length < perDelivery && done + perMessage < clicks) continue;
    await worker.queue({ queue: "tern-clicks", messages }, env, {});
    messages = [];
  }
}

function messageOf(id, body) {
  const retry = () => {
    throw new Error("a message was not taken");
  };
  return { id, attempts: 1, body, ack() {}, retry };
}
