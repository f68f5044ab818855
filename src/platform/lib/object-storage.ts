import { HOUR_MS } from "../../limits.ts";

// The versions of the storage of Durable Objects: docs/fields-and-schema.md. `PRAGMA user_version`, which would hold one, is not permitted in them.

/** The key of the version. Storage without it has version 1, so no object writes a row for it before there is a version 2. */
const VERSION = "version";

/** How often the alarm of an object with newer storage asks whether the newer code is back. */
const REFUSED_ALARM_MS = HOUR_MS;

type Storage = Pick<DurableObjectStorage, "sql" | "kv" | "transactionSync">;

class NewerStorage extends Error {}

/** Returns the version of the storage. Throws if this code knows none after `newest`. */
function readVersion({ kv }: Storage, newest: number): number {
  const version = kv.get<number>(VERSION) ?? 1;
  if (version <= newest) return version;
  throw new NewerStorage(
    `The storage of this object has version ${version}, and this code knows none after ${newest}. It is left as it is. Deploy the newer code again.`,
  );
}

/**
 * Brings the storage to the newest version. The first step makes the tables of version 1 unless they exist; each further one leads from
 * a version to the next. `isUsed` false: the object stores nothing so far, and gets no tables. Throws, and changes nothing, if the
 * storage is newer.
 */
export function openStorage(
  storage: Storage,
  steps: readonly [create: string, ...further: string[]],
  isUsed = true,
): void {
  const version = readVersion(storage, steps.length);
  if (!isUsed) return;
  if (version === 1) storage.sql.exec(steps[0]);
  if (version === steps.length) return;
  storage.transactionSync(() => {
    for (const step of steps.slice(version)) storage.sql.exec(step);
    storage.kv.put(VERSION, steps.length);
  });
}

/**
 * What an object does that has not started with `error`, because its storage is newer. Calls fail. The alarm is put off: the runtime
 * gives up one that fails, and then nobody would wake the object once the newer code is back.
 */
export function refuse(error: unknown, methods: readonly string[], storage: DurableObjectStorage): object {
  if (!(error instanceof NewerStorage)) throw error;
  const fail = async () => {
    throw error;
  };
  const alarm = () => storage.setAlarm(Date.now() + REFUSED_ALARM_MS);
  return { ...Object.fromEntries(methods.map((name) => [name, fail])), alarm };
}
