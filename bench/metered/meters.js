// Meters on whatever Cloudflare bills: the databases, the Durable Objects and the queues of the isolate.

const meters = {
  databaseRoundTrips: 0,
  databaseRowsRead: 0,
  databaseRowsWritten: 0,
  logRequests: 0,
  logRowsRead: 0,
  logRowsWritten: 0,
  limiterRequests: 0,
  limiterRowsRead: 0,
  limiterRowsWritten: 0,
  queueOperations: 0,
  consumerRequests: 0,
};
/** Of the storage whose rows are not counted yet: a cursor knows them once it has been read. */
let cursors = [];
const MAX_CURSORS = 10_000;
/** A text that is as long as the array. */
const arrayToBytes = (_key, value) => (ArrayBuffer.isView(value) ? " ".repeat(value.byteLength) : value);

/** A message is written, read and deleted, for each of its 64 KB. */
const OPERATIONS_PER_PIECE = 3;
const PIECE_BYTES = 65_536;

export function readMeters() {
  for (const { kind, cursor } of cursors) {
    meters[`${kind}RowsRead`] += cursor.rowsRead;
    meters[`${kind}RowsWritten`] += cursor.rowsWritten;
  }
  cursors = [];
  return { ...meters };
}

export function countConsumer() {
  meters.consumerRequests++;
}

/** The storage of a Durable Object; `kind` is `log` or `limiter`. */
export function meterStorage(kind, state) {
  const { storage } = state;
  const exec = storage.sql.exec.bind(storage.sql);
  storage.sql.exec = (query, ...values) => {
    const cursor = exec(query, ...values);
    cursors.push({ kind, cursor });
    if (cursors.length > MAX_CURSORS) readMeters();
    return cursor;
  };
  const setAlarm = storage.setAlarm.bind(storage);
  storage.setAlarm = (...time) => {
    // Setting it is a row written, and its going off a request.
    meters[`${kind}RowsWritten`]++;
    meters[`${kind}Requests`]++;
    return setAlarm(...time);
  };
  return state;
}

/** The namespace of Durable Objects of that kind. */
export function meterObjects(kind, namespace) {
  const meterStub = (stub) =>
    new Proxy(stub, {
      get(_, method) {
        const called = stub[method];
        if (typeof called !== "function") return called;
        return (...args) => {
          meters[`${kind}Requests`]++;
          return stub[method](...args);
        };
      },
    });
  return { getByName: (name) => meterStub(namespace.getByName(name)) };
}

export function meterQueue(queue) {
  const count = (body) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body, arrayToBytes)).byteLength;
    meters.queueOperations += OPERATIONS_PER_PIECE * Math.ceil(bytes / PIECE_BYTES);
  };
  return {
    send(body, options) {
      count(body);
      return queue.send(body, options);
    },
    sendBatch(messages, options) {
      const all = [...messages];
      for (const { body } of all) count(body);
      return queue.sendBatch(all, options);
    },
    metrics: () => queue.metrics(),
  };
}

/** `onTrip` sees every round trip: its statements, each with its parameters. */
export function meterDatabase(db, onTrip) {
  const trip = async (statements, send) => {
    onTrip(statements.map(({ sql, params }) => ({ sql, params })));
    const result = await send();
    meters.databaseRoundTrips++;
    for (const { meta } of [result].flat()) {
      meters.databaseRowsRead += meta?.rows_read ?? 0;
      meters.databaseRowsWritten += meta?.rows_written ?? 0;
    }
    return result;
  };
  const statement = (sql, params, real) => ({
    sql,
    params,
    real,
    bind: (...values) => statement(sql, values, real.bind(...values)),
    all: () => trip([{ sql, params }], () => real.all()),
    run: () => trip([{ sql, params }], () => real.run()),
    // The real one tells nothing of what it read.
    first: async (column) => {
      const [row] = (await trip([{ sql, params }], () => real.all())).results;
      return row === undefined ? null : column === undefined ? row : row[column];
    },
  });
  return {
    prepare: (sql) => statement(sql, [], db.prepare(sql)),
    batch: (statements) => trip(statements, () => db.batch(statements.map(({ real }) => real))),
    withSession: (start) => meterDatabase(db.withSession(start), onTrip),
  };
}
