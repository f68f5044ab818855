// The Worker as it is, with a clock that can be set, meters on its databases, and clicks made on the spot.

import { env as bindings } from "cloudflare:workers";
import worker, { ClickLog as RealClickLog } from "./index.js";

export { RateLimiter } from "./index.js";

const realNow = Date.now;
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;

const meters = { logRowsRead: 0, logRowsWritten: 0, databaseRowsRead: 0, databaseRowsWritten: 0 };
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

const env = { ...bindings, DB: metered(bindings.DB) };

function metered(db) {
  const note = (result) => {
    for (const { meta } of [result].flat()) {
      meters.databaseRowsRead += meta?.rows_read ?? 0;
      meters.databaseRowsWritten += meta?.rows_written ?? 0;
    }
    return result;
  };
  const statement = (real) => ({
    real,
    bind: (...values) => statement(real.bind(...values)),
    all: async () => note(await real.all()),
    run: async () => note(await real.run()),
    first: async (...args) => real.first(...args),
    raw: async (...args) => real.raw(...args),
  });
  return {
    prepare: (sql) => statement(db.prepare(sql)),
    batch: async (statements) => note(await db.batch(statements.map(({ real }) => real))),
    withSession: (start) => metered(db.withSession(start)),
  };
}

export default {
  async fetch(request, _env, ctx) {
    if (new URL(request.url).hostname !== "bench.control") return worker.fetch(request, env, ctx);
    const { now, take, night } = await request.json();
    if (now !== undefined) aheadMs = now - realNow();
    if (take !== undefined) await takeClicks(take);
    let bytes = 0;
    if (night !== undefined) bytes = await bindings.CLICK_LOG.getByName(night).night();
    return Response.json({ ...readMeters(), bytes });
  },
};

/** Has the consumer take `clicks` clicks, `perMessage` in a message and `perDelivery` messages at a time. */
async function takeClicks({ accountId, links, clicks, perMessage, perDelivery, from, until }) {
  let messages = [];
  for (let done = 0; done < clicks; done += perMessage) {
    const at = Math.floor(from + ((until - from) * done) / clicks);
    const many = Math.min(perMessage, clicks - done);
    const visits = Array.from({ length: many }, (_, n) => visit(at, links[(done + n) % links.length])).join("\n");
    const id = crypto.randomUUID();
    const body = [{ id, log: `account:${accountId}`, accountId, visits }];
    messages.push({ id, attempts: 1, body, ack() {}, retry: failed });
    if (messages.length < perDelivery && done + perMessage < clicks) continue;
    await worker.queue({ queue: "tern-clicks", messages }, env, {});
    messages = [];
  }
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

/** As src/clicks/message.ts writes it. */
function visit(at, linkId) {
  const city = skewed(3_000);
  const country = letter(city % 11) + letter(city % 7);
  const visitor = skewed(500_000, 2);
  const referrer = Math.random() < 0.4 ? "" : `https://www.referrer-${skewed(400, 4)}.example`;
  const origin = [
    Math.random() < 0.03 ? 1 : 0,
    country,
    `${letter(city)}${letter(city % 5)}`,
    `City of ${letter(city)}${city}`,
    ["EU", "NA", "AS", "SA", "AF", "OC"][city % 6],
    referrer,
  ];
  return [
    at,
    linkId,
    `2001:db8:${(visitor >> 16).toString(16)}:${(visitor & 65_535).toString(16)}::1`,
    AGENTS[skewed(AGENTS.length, 2)](141 - skewed(40, 4)),
    origin.join("\t"),
  ].join("\n");
}
