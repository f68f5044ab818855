import { join } from "node:path";
import { TernError, type RequestOptions, type Tern } from "@tern/sdk";
import type { Connection } from "../config/connection.ts";
import { withLock } from "../config/file-lock.ts";
import { configFolder } from "../config/folder.ts";
import type { ListenedEvent } from "../events.ts";
import { note } from "../output/terminal.ts";
import {
  forgetListener,
  isInUse,
  keepListener,
  keyEndOf,
  listListeners,
  listOwnListeners,
  releaseListener,
  type StoredListener,
} from "./stored-listener.ts";

/** Commands that start at the same time choose one after the other. */
const LOCK = "listen.lock";

/** Whose listener is wanted, and for what. */
export interface Wish {
  client: Tern;
  connection: Connection;
  events: ListenedEvent[];
}

/** Returns a listener that this process uses from now on: one that this computer has and nobody uses, or a new one. */
export function openListener(wish: Wish, options: RequestOptions = {}): Promise<StoredListener> {
  return withLock(join(configFolder(), LOCK), () => findOrCreate(wish, options));
}

/**
 * Returns the secret of the `tern listen` that runs; of several, that of one with the same events. If none runs, opens a
 * listener for the next one with these events, and returns its secret.
 */
export function prepareSecret(wish: Wish): Promise<string> {
  return withLock(join(configFolder(), LOCK), async () => {
    const used = listOwnListeners(wish.connection).filter(isInUse);
    const running = used.find((listener) => hasEvents(listener, wish.events)) ?? used[0];
    if (running !== undefined) return running.secret;
    const { id, secret } = await findOrCreate(wish, {});
    await releaseListener(id);
    return secret;
  });
}

async function findOrCreate(wish: Wish, options: RequestOptions): Promise<StoredListener> {
  const unused = listOwnListeners(wish.connection).filter((listener) => !isInUse(listener));
  for (const listener of unused) {
    if (!hasEvents(listener, wish.events) || !(await exists(wish.client, listener, options))) continue;
    await keepListener(() => listener);
    return listener;
  }
  for (const listener of unused) await discard(wish.client, listener, options);
  const { id, secret } = await create(wish, options);
  const listener = {
    id,
    secret,
    events: wish.events,
    baseUrl: wish.connection.baseUrl,
    keyEnd: keyEndOf(wish.connection),
    storedAt: Date.now(),
  };
  await keepListener(() => listener);
  return listener;
}

const hasEvents = ({ events }: StoredListener, wanted: readonly string[]): boolean =>
  [...events].sort().join() === [...wanted].sort().join();

async function exists(client: Tern, { id, after = "0" }: StoredListener, options: RequestOptions): Promise<boolean> {
  try {
    await client.listeners.poll(id, { after }, options);
    return true;
  } catch (error) {
    if (error instanceof TernError && [400, 403, 404].includes(error.status)) return false;
    throw error;
  }
}

/** Creates a listener. If the account has its two already, deletes unused ones of former keys first. */
async function create({ client, connection, events }: Wish, options: RequestOptions) {
  try {
    return await client.listeners.create({ events }, options);
  } catch (error) {
    if (!(error instanceof TernError) || error.code !== "limit_reached") throw error;
    const unused = listListeners(connection.baseUrl).filter((listener) => !isInUse(listener));
    if (unused.length === 0) throw error;
    for (const listener of unused) await discard(client, listener, options);
    return client.listeners.create({ events }, options);
  }
}

/** Deletes a listener that cannot be continued. One of another account stays. */
async function discard(client: Tern, { id }: StoredListener, options: RequestOptions): Promise<void> {
  try {
    await client.listeners.delete(id, options);
    note("A stored listener could not be continued and was deleted. Its secret signs nothing any more.");
  } catch (error) {
    if (!(error instanceof TernError) || ![403, 404].includes(error.status)) throw error;
    if (error.status === 403) return;
  }
  await forgetListener(id);
}
