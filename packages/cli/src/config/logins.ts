import { UsageError } from "../errors.ts";
import { changePrivateFile, readPrivateFile } from "./private-file.ts";

const FILE = "config.json";

export const DEFAULT_LOGIN = "default";

/** A service and the key of an account there. */
export interface Login {
  baseUrl: string;
  apiKey: string;
}

/** Returns the stored logins by their names. */
export function readLogins(): Map<string, Login> {
  return parseLogins(readPrivateFile(FILE));
}

export async function storeLogin(name: string, login: Login): Promise<void> {
  await changePrivateFile(FILE, (content) => format(parseLogins(content).set(name, login)));
}

/** Returns whether there was such a login. */
export async function deleteLogin(name: string): Promise<boolean> {
  let existed = false;
  await changePrivateFile(FILE, (content) => {
    const logins = parseLogins(content);
    existed = logins.delete(name);
    return existed ? format(logins) : undefined;
  });
  return existed;
}

function parseLogins(content: unknown): Map<string, Login> {
  const { logins } = (content ?? { logins: {} }) as { logins?: unknown };
  if (typeof logins !== "object" || logins === null) throw new UsageError(`${FILE} has no "logins". Log in again.`);
  return new Map(Object.entries(logins as Record<string, Login>));
}

const format = (logins: Map<string, Login>): object => ({ logins: Object.fromEntries(logins) });
