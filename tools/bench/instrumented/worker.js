// The Worker with counters, a clock that can be set and stopped, clicks that can be created directly, and webhook
// wake-ups that can be held back.

import { env as bindings } from "cloudflare:workers";
import { ClickMessageBuilder } from "../../../src/click-log/capture/message.ts";
import worker, {
  ClickLog as RealClickLog,
  JobRunner as RealJobRunner,
  RateLimiter as RealRateLimiter,
} from "../../../src/index.ts";
import { keepAlarms, takeAlarm } from "./alarms.js";
import { randomClick } from "./clicks.js";
import {
  countActivity,
  countConsumer,
  countDatabase,
  countObjects,
  countQueue,
  countStorage,
  readCounters,
  unfinished,
} from "./counters.js";
import { delayAlarms } from "./delay-alarms.js";

export { PasswordHasher, Screener } from "../../../src/index.ts";

const realNow = Date.now;
let aheadMs = 0;
let stoppedAt;
Date.now = () => stoppedAt ?? realNow() + aheadMs;

export class JobRunner extends RealJobRunner {
  constructor(state) {
    super(delayAlarms(state), env);
  }

  /** The jobs of tags are a part of the calls that start them. */
  async start(job, records) {
    const outcome = await super.start(job, records);
    if (job.kind === "tag") trackContext(this.ctx).waitUntil(this.#end(job.id));
    return outcome;
  }

  async #end(id) {
    while (["reading", "running"].includes((await this.find(id))?.status)) await scheduler.wait(1);
  }
}

export class RateLimiter extends countActivity("limiter", RealRateLimiter) {
  constructor(state) {
    super(countStorage("limiter", keepAlarms(state, bindings.RATE_LIMITER)), env);
  }

  runAlarm() {
    return this.alarm();
  }
}

export class ClickLog extends countActivity("log", RealClickLog) {
  #state;

  constructor(state) {
    // Mostly no alarm goes off by itself. The commands `night` and `pass` run them.
    const alarms = bindings.ALARMS === "delayed" ? delayAlarms(state) : keepAlarms(state, bindings.CLICK_LOG);
    super(countStorage("log", alarms), env);
    this.#state = state;
  }

  runAlarm() {
    return this.alarm();
  }

  /** Runs the nightly maintenance; returns the size of the storage in bytes. */
  async night() {
    await this.alarm();
    return this.#state.storage.sql.databaseSize;
  }
}

/** Wake-ups that are held back; null if none are to be. */
let held = null;

/** Round trips to the database since the record began; null if there is none. */
let trips = null;

const deliveries = countQueue(bindings.DELIVERIES);
const env = {
  ...bindings,
  DB: countDatabase(bindings.DB, (statements) => trips?.push(statements)),
  CLICK_LOG: countObjects("log", bindings.CLICK_LOG),
  RATE_LIMITER: countObjects("limiter", bindings.RATE_LIMITER),
  CLICKS: countQueue(bindings.CLICKS),
  CLICK_EVENTS: countQueue(bindings.CLICK_EVENTS),
  DELIVERIES: {
    ...deliveries,
    sendBatch: async (messages, options) => held?.push(...messages) ?? deliveries.sendBatch(messages, options),
  },
};

const trackContext = (ctx) => ({
  waitUntil(promise) {
    unfinished.tasks++;
    ctx.waitUntil(Promise.resolve(promise).finally(() => unfinished.tasks--));
  },
});

export default {
  async fetch(request, _env, ctx) {
    const context = trackContext(ctx);
    if (new URL(request.url).hostname !== "bench.control") return worker.fetch(request, env, context);
    const { record, busy, ...command } = await request.json();
    const bytes = await obey(command, context);
    // Under load, background tasks of other requests never end.
    if (busy !== true) await settle();
    const recorded = trips ?? [];
    if (record !== undefined) trips = record ? [] : null;
    return Response.json({ counters: readCounters(), unfinished, bytes, trips: recorded });
  },
  async queue(batch, _env, ctx) {
    const context = trackContext(ctx);
    await countConsumer(batch, () => worker.queue(batch, env, context));
  },
};

/** Waits for background tasks and messages. */
async function settle() {
  while (unfinished.tasks + unfinished.messages > 0) await scheduler.wait(1);
}

async function obey({ now, advance = 0, pass = 0, stopAt, hold, take, deliver, cron, night }, ctx) {
  // The clock: puts it forward, sets it, or stops it.
  aheadMs += advance;
  if (pass > 0) await passTime(pass);
  if (now !== undefined) {
    aheadMs = now - realNow();
    stoppedAt = undefined;
  }
  stoppedAt = stopAt ?? stoppedAt;
  // Holds back the wake-ups of webhooks from now on.
  if (hold) held = [];
  if (take) await takeClicks(take);
  // Gives the held wake-ups to the consumer.
  if (deliver) {
    const messages = held.splice(0).map(({ body }, n) => messageOf(String(n), body));
    await worker.queue({ queue: "tern-deliveries", messages }, env, ctx);
  }
  if (cron) await worker.scheduled({ scheduledTime: Date.now() }, env, ctx);
  // The name of a ClickLog.
  return night === undefined ? 0 : bindings.CLICK_LOG.getByName(night).night();
}

/** Puts the clock forward, and runs each alarm at its time. */
async function passTime(ms) {
  await settle();
  const end = Date.now() + ms;
  for (let alarm = takeAlarm(end); alarm !== undefined; alarm = takeAlarm(end)) {
    aheadMs += Math.max(0, alarm.at - Date.now());
    await alarm.run();
    await settle();
  }
  aheadMs += Math.max(0, end - Date.now());
}

/** Gives the consumer `clicks` clicks, `perMessage` in a message and `perDelivery` messages at a time. */
async function takeClicks({ accountId, links, clicks, perMessage, perDelivery, from, until, userAgent }) {
  let messages = [];
  for (let done = 0; done < clicks; done += perMessage) {
    const at = Math.floor(from + ((until - from) * done) / clicks);
    const count = Math.min(perMessage, clicks - done);
    const builder = new ClickMessageBuilder();
    for (let n = 0; n < count; n++)
      builder.add(randomClick(at, accountId, links[(done + n) % links.length], userAgent));
    messages.push(messageOf(String(done), builder.toMessage()));
    if (messages.length < perDelivery && done + perMessage < clicks) continue;
    await worker.queue({ queue: "tern-clicks", messages }, env, {});
    messages = [];
  }
}

function messageOf(id, body) {
  const retry = () => {
    throw new Error("the consumer retried a message");
  };
  return { id, attempts: 1, body, ack() {}, retry };
}
