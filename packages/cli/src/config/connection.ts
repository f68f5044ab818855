import { UsageError } from "../errors.ts";
import type { Variables } from "./folder.ts";
import { DEFAULT_LOGIN, readLogins, type Tokens } from "./logins.ts";

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where commands send their requests, and as whom. */
export interface Connection {
  baseUrl: string;
  apiKey?: string | undefined;
  /** Of a login by the browser. Without these and a key, only `tern shorten` works. */
  tokens?: Tokens | undefined;
  /** The login that it comes from; undefined: the environment. */
  login: string | undefined;
}

/**
 * Chooses the connection: the environment before the login. Key and URL always come from the same place, so that no key
 * is sent to another service than its own.
 */
export function chooseConnection(requested: string | undefined, env: Variables = process.env): Connection {
  const apiKey = env["TERN_API_KEY"] || undefined;
  const baseUrl = env["TERN_BASE_URL"] || undefined;
  if (apiKey !== undefined || (baseUrl !== undefined && requested === undefined)) {
    return fromEnvironment(apiKey, baseUrl, requested);
  }
  const name = requested ?? DEFAULT_LOGIN;
  const logins = readLogins();
  const login = logins.get(name);
  if (login !== undefined) return { ...login, login: name };
  if (requested === undefined) throw new UsageError(NOT_LOGGED_IN);
  const known = [...logins.keys()].join(", ") || "none";
  throw new UsageError(`There is no login ${name} (there are: ${known}). Create it: tern login --as ${name}`);
}

const NOT_LOGGED_IN = "You are not logged in. Run tern login, or set TERN_API_KEY and TERN_BASE_URL.";

function fromEnvironment(
  apiKey: string | undefined,
  baseUrl: string | undefined,
  requested: string | undefined,
): Connection {
  if (requested !== undefined) {
    throw new UsageError("TERN_API_KEY is set and would win over --as. Unset it, or leave out --as.");
  }
  if (baseUrl === undefined) {
    throw new UsageError("TERN_API_KEY is set, so TERN_BASE_URL must name the service, such as https://go.example.");
  }
  return { apiKey, baseUrl: normalizeBaseUrl(baseUrl), login: undefined };
}

/** Throws if the connection acts for nobody. */
export function requireAccount(connection: Connection): Connection {
  if (connection.apiKey === undefined && connection.tokens === undefined)
    throw new UsageError("TERN_BASE_URL is set, so TERN_API_KEY must have a key of it.");
  return connection;
}

/**
 * Returns the origin of the service. Without a scheme it is https, and http on this machine. Throws if the text is no URL,
 * or would carry the key without encryption.
 */
export function normalizeBaseUrl(text: string): string {
  const address = text.includes("://") ? text : withScheme(text);
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new UsageError(`${text} is not the URL of a service. Write it like https://go.example.`);
  }
  const url = new URL(address);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new UsageError(`${text} has more than a host. Write it like ${url.origin}.`);
  }
  if (url.protocol === "http:" && !LOCAL_HOSTS.has(url.hostname)) {
    throw new UsageError(`${text} would send the key without encryption. Write https:// instead.`);
  }
  return url.origin;
}

function withScheme(text: string): string {
  const isLocal = LOCAL_HOSTS.has(URL.parse(`http://${text}`)?.hostname ?? "");
  return `${isLocal ? "http" : "https"}://${text}`;
}
