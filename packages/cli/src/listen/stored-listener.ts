import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Connection } from "../config/connection.ts";
import { changePrivateFile, readPrivateFile } from "../config/private-file.ts";
import { RefusedError } from "../errors.ts";

const FILE = "listeners.json";

/** How often a process renews its use of a listener. */
export const HEARTBEAT_MS = 10_000;
/** A process without a heartbeat for this long has ended or is suspended. */
const SILENT_MS = 60_000;
/** The service deletes a listener that was not polled for this long. */
const LISTENER_TTL_MS = 3_600_000;

interface Process {
  machine: string;
  pid: number;
}

/** A listener of this computer. It is kept so that a command that was killed can be continued with the same secret. */
export interface StoredListener {
  id: string;
  baseUrl: string;
  /** The end of the key that created it, or of the account of a login by the browser. The key itself is not stored again. */
  keyEnd: string;
  secret: string;
  events: string[];
  /** The cursor behind the events that were forwarded. */
  after?: string;
  /** The process that uses it. */
  user?: Process;
  /** When it was stored, in Unix milliseconds. */
  storedAt: number;
}

type Stored = Record<string, StoredListener>;

/** Returns the listeners of a service that this computer has stored, the newest first: ids begin with their time. */
export function listListeners(baseUrl: string): StoredListener[] {
  return Object.values((readPrivateFile(FILE) ?? {}) as Stored)
    .filter((listener) => listener.baseUrl === baseUrl)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Returns those of the connection's key, the newest first. */
export function listOwnListeners(connection: Connection): StoredListener[] {
  return listListeners(connection.baseUrl).filter(({ keyEnd }) => keyEnd === keyEndOf(connection));
}

export const keyEndOf = ({ apiKey, tokens }: Connection): string => (apiKey ?? tokens?.account.id ?? "").slice(-8);

/**
 * Stores the listener as used by this process. `read` is called when this process has the lock, and returns the listener.
 * Throws if another process uses the listener.
 */
export async function keepListener(read: () => StoredListener): Promise<void> {
  await changePrivateFile(FILE, (content) => {
    const all = (content ?? {}) as Stored;
    const listener = read();
    const stored = all[listener.id];
    if (stored !== undefined && isInUse(stored))
      throw new RefusedError("This command was suspended, and another tern listen has taken over its listener.");
    const now = Date.now();
    const alive = Object.entries(all).filter(([, { storedAt }]) => now - storedAt < LISTENER_TTL_MS);
    return { ...Object.fromEntries(alive), [listener.id]: { ...listener, user: THIS_PROCESS, storedAt: now } };
  });
}

/** Lets other processes use the listener. */
export async function releaseListener(id: string): Promise<void> {
  await changePrivateFile(FILE, (content) => {
    const all = (content ?? {}) as Stored;
    const { [id]: stored } = all;
    if (stored === undefined || isInUse(stored)) return undefined;
    const { user: _, ...released } = stored;
    return { ...all, [id]: released };
  });
}

export async function forgetListener(id: string): Promise<void> {
  await changePrivateFile(FILE, (content) => {
    const { [id]: stored, ...others } = (content ?? {}) as Stored;
    return stored === undefined ? undefined : others;
  });
}

/** Whether another process that still runs uses it. */
export function isInUse({ user, storedAt }: StoredListener): boolean {
  if (user === undefined || Math.abs(Date.now() - storedAt) > SILENT_MS) return false;
  // Whether a process of another machine runs is not known here.
  if (user.machine !== THIS_PROCESS.machine) return true;
  return user.pid !== process.pid && isRunning(user.pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const THIS_PROCESS: Process = { machine: nameMachine(), pid: process.pid };

/** Containers can share a folder and a host name, but each has its own process ids. */
function nameMachine(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
