import { UsageError } from "../errors.ts";
import { changePrivateFile, readPrivateFile } from "./private-file.ts";

const FILE = "config.json";

export const DEFAULT_LOGIN = "default";

/** A service, and what proves there for whom this computer acts: an API key, or the tokens of a login by the browser. */
export interface Login {
  baseUrl: string;
  apiKey?: string;
  tokens?: Tokens;
}

/** What the authorization server has given to this client. */
export interface Tokens {
  clientId: string;
  accessToken: string;
  /** When the access token ends, in Unix milliseconds. */
  expiresAt: number;
  refreshToken: string;
  scopes: string[];
  account: { id: string; name: string };
}

/** Returns the stored logins by their names. */
export function readLogins(): Map<string, Login> {
  return parseLogins(readPrivateFile(FILE));
}

/** Returns the login that had the name before. */
export function storeLogin(name: string, login: Login): Promise<Login | undefined> {
  return changeLogin(name, () => login);
}

/** Returns the login that was deleted, if there was one. */
export function deleteLogin(name: string): Promise<Login | undefined> {
  return changeLogin(name, () => null);
}

/**
 * Replaces a login by what `change` makes of it, while no other process changes one. null deletes it, and `undefined` leaves it as
 * it is. Returns the former one.
 */
export async function changeLogin(
  name: string,
  change: (login: Login | undefined) => Login | null | undefined | Promise<Login | null | undefined>,
): Promise<Login | undefined> {
  let former: Login | undefined;
  await changePrivateFile(FILE, async (content) => {
    const logins = parseLogins(content);
    former = logins.get(name);
    const login = await change(former);
    if (login === undefined || (login === null && former === undefined)) return undefined;
    if (login === null) logins.delete(name);
    else logins.set(name, login);
    return { logins: Object.fromEntries(logins) };
  });
  return former;
}

function parseLogins(content: unknown): Map<string, Login> {
  const { logins } = (content ?? { logins: {} }) as { logins?: unknown };
  if (typeof logins !== "object" || logins === null) throw new UsageError(`${FILE} has no "logins". Log in again.`);
  return new Map(Object.entries(logins as Record<string, Login>));
}
