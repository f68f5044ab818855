import type { Connection } from "../config/connection.ts";
import { readPrivateFile, writePrivateFile } from "../config/private-file.ts";

const FILE = "listeners.json";

/** A listener of this computer. It is kept so that a command that was killed can be continued with the same secret. */
export interface StoredListener {
  id: string;
  secret: string;
  events: string[];
  /** The cursor behind the events that were forwarded. */
  after?: string;
  /** The process that uses it. */
  pid?: number;
}

type Owner = Pick<Connection, "baseUrl" | "apiKey">;

/** The listener of an account at a service. The key itself is not stored again. */
const nameOf = ({ baseUrl, apiKey = "" }: Owner): string => `${baseUrl} …${apiKey.slice(-8)}`;

const readAll = (): Record<string, StoredListener> => (readPrivateFile(FILE) ?? {}) as Record<string, StoredListener>;

export function readListener(owner: Owner): StoredListener | undefined {
  return readAll()[nameOf(owner)];
}

export function storeListener(owner: Owner, listener: StoredListener): void {
  writePrivateFile(FILE, { ...readAll(), [nameOf(owner)]: listener });
}

/** Forgets the listener, unless another process has stored its own since. */
export function forgetListener(owner: Owner, id: string): void {
  const { [nameOf(owner)]: stored, ...others } = readAll();
  if (stored?.id === id) writePrivateFile(FILE, others);
}

/** Whether another process that still runs uses it. */
export function isInUse({ pid }: StoredListener): boolean {
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
