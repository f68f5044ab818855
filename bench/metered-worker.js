// The Worker as it is, with a clock that can be set and stopped, meters on its databases, wake-ups that are handed out
// when the command says so, and clicks made on the spot.

import { env as bindings } from "cloudflare:workers";
import worker, { ClickLog as RealClickLog } from "./index.js";

export { RateLimiter } from "./index.js";

const realNow = Date.now;
let aheadMs = 0;
let stoppedAt;
Date.now = () => stoppedAt ?? realNow() + aheadMs;

const meters = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, logRowsRead: 0, logRowsWritten: 0 };
let cursors = [];

function readMeters() {
  for (const { rowsRead, rowsWritten } of cursors) {
    meters.logRowsRead += rowsRead;
    meters.logRowsWritten += rowsWritten;
  }
  cursors = [];
  return { ...meters };
}

export class ClickLog extends RealClickLog {
  #state;

  constructor(state, env) {
    super(state, env);
    this.#state = state;
    const { sql } = state.storage;
    const exec = sql.exec.bind(sql);
    sql.exec = (query, ...values) => {
      const cursor = exec(query, ...values);
      cursors.push(cursor);
      if (cursors.length > 10_000) readMeters();
      return cursor;
    };
  }

  /** Lives through a night; returns what the object holds then, in bytes. */
  async night() {
    await this.alarm();
    return this.#state.storage.sql.databaseSize;
  }
}

/** Every call goes through one private method of the client, whose answers say what they read; those of `first()` do not. */
function meterDatabase() {
  let client = bindings.DB.withSession("first-primary");
  while (!Object.hasOwn(client, "_send")) client = Object.getPrototypeOf(client);
  const { _send: send } = client;
  client._send = async function (...input) {
    const output = await send.apply(this, input);
    meters.roundTrips++;
    for (const { meta } of [output].flat()) {
      meters.rowsRead += meta?.rows_read ?? 0;
      meters.rowsWritten += meta?.rows_written ?? 0;
    }
    return output;
  };
}
meterDatabase();

let wakeUps = [];
const env = {
  ...bindings,
  DELIVERIES: {
    sendBatch: async (messages) => void wakeUps.push(...messages),
    metrics: () => bindings.DELIVERIES.metrics(),
  },
};

const background = { tasks: 0 };

function countingContext(ctx) {
  return {
    waitUntil(promise) {
      background.tasks++;
      ctx.waitUntil(Promise.resolve(promise).finally(() => background.tasks--));
    },
  };
}

export default {
  async fetch(request, _env, ctx) {
    const context = countingContext(ctx);
    if (new URL(request.url).hostname !== "bench.control") return worker.fetch(request, env, context);
    const bytes = await obey(await request.json(), context);
    while (background.tasks > 0) await scheduler.wait(1);
    return Response.json({ ...readMeters(), bytes });
  },
};

async function obey({ now, stopAt, take, night, deliver, cron }, ctx) {
  if (now !== undefined) {
    aheadMs = now - realNow();
    stoppedAt = undefined;
  }
  stoppedAt = stopAt ?? stoppedAt;
  if (take !== undefined) await takeClicks(take);
  if (deliver !== undefined) {
    const messages = wakeUps
      .splice(0)
      .map(({ body }, n) => ({ id: String(n), attempts: 1, body, ack() {}, retry: failed }));
    await worker.queue({ queue: "tern-deliveries", messages }, env, ctx);
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
    const visits = Array.from({ length: many }, (_, n) => visit(at, accountId, links[(done + n) % links.length]));
    const id = crypto.randomUUID();
    messages.push({ id, attempts: 1, body: { id, visits: lines(visits) }, ack() {}, retry: failed });
    if (messages.length < perDelivery && done + perMessage < clicks) continue;
    await worker.queue({ queue: "tern-clicks", messages }, env, {});
    messages = [];
  }
}

/** As src/clicks/visit.ts packs them. */
function lines(visits) {
  return visits.map((visit) => visit.join("\n")).join("\n");
}

function failed() {
  throw new Error("a message was not stored");
}

// Variety as in life: a few values are frequent and many are rare.

const skewed = (count, skew = 3) => Math.floor(count * Math.random() ** skew);

const AGENTS = [
  (v) =>
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Mobile Safari/537.36`,
  (v) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Mobile/15E148 Safari/604.1`,
  (v) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36`,
  (v) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Safari/605.1.15`,
  (v) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36 Edg/${v}.0.0.0`,
  (v) => `Mozilla/5.0 (X11; Linux x86_64; rv:${v}.0) Gecko/20100101 Firefox/${v}.0`,
  (v) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram ${v}.0`,
  (v) =>
    `Mozilla/5.0 (iPad; CPU OS ${v % 18}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v % 18}.1 Mobile/15E148 Safari/604.1`,
  (v) =>
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/${v % 30}.0 Chrome/${v}.0.0.0 Mobile Safari/537.36`,
  () => "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  (v) => `curl/8.${v % 15}.0`,
];
const letter = (n) => String.fromCharCode(65 + (n % 26));

function visit(at, accountId, linkId) {
  const city = skewed(3_000);
  const country = letter(city % 11) + letter(city % 7);
  const visitor = skewed(500_000, 2);
  const referrer = Math.random() < 0.4 ? "" : `https://www.referrer-${skewed(400, 4)}.example`;
  return [
    at,
    linkId,
    accountId,
    `2001:db8:${(visitor >> 16).toString(16)}:${(visitor & 65_535).toString(16)}::1`,
    AGENTS[skewed(AGENTS.length, 2)](141 - skewed(40, 4)),
    referrer,
    country,
    `${letter(city)}${letter(city % 5)}`,
    `City of ${letter(city)}${city}`,
    ["EU", "NA", "AS", "SA", "AF", "OC"][city % 6],
    Math.random() < 0.03 ? 1 : 0,
  ];
}
