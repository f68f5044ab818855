// Counters of what Cloudflare bills: the databases, the Durable Objects and the queues of the isolate.

import { DurableObject } from "cloudflare:workers";

const counters = {
  databaseRoundTrips: 0,
  databaseRowsRead: 0,
  databaseRowsWritten: 0,
  logRequests: 0,
  logRowsRead: 0,
  logRowsWritten: 0,
  logActiveMs: 0,
  limiterRequests: 0,
  limiterRowsRead: 0,
  limiterRowsWritten: 0,
  limiterActiveMs: 0,
  queueOperations: 0,
  consumerRequests: 0,
};

/** Cursors of Durable Objects that are not counted yet: a cursor knows its rows only after it was read. */
let cursors = [];
const MAX_CURSORS = 10_000;

/** A write, a read and a delete, for each 64 KB of a message. */
const OPERATIONS_PER_PIECE = 3;
const PIECE_BYTES = 65_536;

export function readCounters() {
  for (const counted of cursors) {
    try {
      countCursor(counted);
    } catch {
      // It was not read to its end, and only the request that opened it can read it: it was counted there.
    }
  }
  cursors = [];
  return { ...counters };
}

/** Adds the rows since the last time. */
function countCursor(counted) {
  const { kind, cursor, read, written } = counted;
  counted.read = cursor.rowsRead;
  counted.written = cursor.rowsWritten;
  counters[`${kind}RowsRead`] += counted.read - read;
  counters[`${kind}RowsWritten`] += counted.written - written;
}

/** Promises given to `waitUntil` that are not settled, and messages sent to a queue that are not consumed. */
export const unfinished = { tasks: 0, messages: 0 };

export async function countConsumer({ messages }, consume) {
  counters.consumerRequests++;
  await consume().finally(() => (unfinished.messages -= messages.length));
}

/** Counts the storage of a Durable Object; `kind` is `log` or `limiter`. */
export function countStorage(kind, state) {
  const { storage } = state;
  const exec = storage.sql.exec.bind(storage.sql);
  storage.sql.exec = (query, ...values) => {
    const cursor = exec(query, ...values);
    const counted = { kind, cursor, read: 0, written: 0 };
    cursors.push(counted);
    // A cursor is mostly read at once, up to its end or not.
    queueMicrotask(() => countCursor(counted));
    if (cursors.length > MAX_CURSORS) readCounters();
    return cursor;
  };
  // As the meter of workerd (src/workerd/api/actor-state.c++): to delete an alarm is free, and deleteAll() writes a row for
  // each key, or one.
  const setAlarm = storage.setAlarm.bind(storage);
  storage.setAlarm = (...values) => {
    counters[`${kind}RowsWritten`]++;
    return setAlarm(...values);
  };
  const deleteAll = storage.deleteAll.bind(storage);
  const { kv } = storage;
  storage.deleteAll = (...values) => {
    counters[`${kind}RowsWritten`] += Math.max(1, [...kv.list()].length);
    return deleteAll(...values);
  };
  Object.defineProperty(storage, "kv", { value: countKeyValues(kind, kv) });
  return state;
}

/** Keys are rows of a hidden table. A key that is not there is not a row. */
function countKeyValues(kind, kv) {
  return {
    get(key) {
      const value = kv.get(key);
      if (value !== undefined) counters[`${kind}RowsRead`]++;
      return value;
    },
    put(key, value) {
      counters[`${kind}RowsWritten`]++;
      kv.put(key, value);
    },
    delete(key) {
      const isDeleted = kv.delete(key);
      if (isDeleted) counters[`${kind}RowsWritten`]++;
      return isDeleted;
    },
    *list(options) {
      for (const entry of kv.list(options)) {
        counters[`${kind}RowsRead`]++;
        yield entry;
      }
    },
  };
}

/** The names of the methods of a Durable Object class and its own base class. */
function methodsOf(prototype) {
  if (prototype.constructor === DurableObject) return [];
  return [...Object.getOwnPropertyNames(prototype), ...methodsOf(Object.getPrototypeOf(prototype))];
}

/**
 * A Durable Object class with counters of its time and its alarms. An object is active from the start of a call or an
 * alarm until all of them have ended; it pays for this time once, however many there are.
 */
export function countActivity(kind, Class) {
  const Counted = class extends Class {
    active = 0;
    activeSince = 0;
  };
  for (const name of methodsOf(Class.prototype)) {
    const real = Class.prototype[name];
    if (name === "constructor" || typeof real !== "function") continue;
    const value = async function (...values) {
      if (name === "alarm") counters[`${kind}Requests`]++;
      if (this.active++ === 0) this.activeSince = performance.now();
      try {
        return await real.apply(this, values);
      } finally {
        if (--this.active === 0) counters[`${kind}ActiveMs`] += performance.now() - this.activeSince;
      }
    };
    // The methods of the objects of the service cannot be assigned.
    Object.defineProperty(Counted.prototype, name, { value });
  }
  return Counted;
}

/** Counts the requests to the Durable Objects of a namespace. */
export function countObjects(kind, namespace) {
  const countStub = (stub) =>
    new Proxy(stub, {
      get(_, method) {
        if (typeof stub[method] !== "function") return stub[method];
        return (...args) => {
          counters[`${kind}Requests`]++;
          return stub[method](...args);
        };
      },
    });
  return { getByName: (name) => countStub(namespace.getByName(name)) };
}

/** Counts messages as they are sent. */
export function countQueue(queue) {
  // Stands for a binary array in JSON, with as many bytes.
  const arrayToText = (_key, value) => (ArrayBuffer.isView(value) ? " ".repeat(value.byteLength) : value);
  return {
    sendBatch(messages, options) {
      const sent = [...messages];
      for (const { body } of sent) {
        const bytes = new TextEncoder().encode(JSON.stringify(body, arrayToText)).byteLength;
        counters.queueOperations += OPERATIONS_PER_PIECE * Math.ceil(bytes / PIECE_BYTES);
      }
      unfinished.messages += sent.length;
      return queue.sendBatch(sent, options);
    },
    metrics: () => queue.metrics(),
  };
}

/** Counts round trips and rows. `onTrip` is called with the statements of each round trip and their parameters. */
export function countDatabase(db, onTrip) {
  const trip = async (statements, send) => {
    onTrip(statements.map(({ sql, params }) => ({ sql, params })));
    const result = await send();
    counters.databaseRoundTrips++;
    for (const { meta } of [result].flat()) {
      counters.databaseRowsRead += meta?.rows_read ?? 0;
      counters.databaseRowsWritten += meta?.rows_written ?? 0;
    }
    return result;
  };
  const statement = (sql, params, real) => {
    const all = () => trip([{ sql, params }], () => real.all());
    return {
      sql,
      params,
      real,
      bind: (...values) => statement(sql, values, real.bind(...values)),
      all,
      run: all,
      // The real `first` does not return the number of rows read.
      async first(column) {
        const [row] = (await all()).results;
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    };
  };
  return {
    prepare: (sql) => statement(sql, [], db.prepare(sql)),
    batch: (statements) => trip(statements, () => db.batch(statements.map(({ real }) => real))),
    withSession: (start) => countDatabase(db.withSession(start), onTrip),
  };
}
