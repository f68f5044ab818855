import { Tern, TernError } from "@tern/sdk";
import type { Connection } from "./config/connection.ts";
import type { Tokens } from "./config/logins.ts";
import { asWrongUse } from "./errors.ts";
import { isEnding, renewTokens } from "./oauth/tokens.ts";
import { note } from "./output/terminal.ts";

const MAX_RETRIES = 3;
/** The SDK does not wait longer. */
const LONGEST_WAIT_SECONDS = 120;

/** Makes the SDK's client, which says on stderr when it waits for the rate limit. Throws if the key is malformed. */
export function createClient({ baseUrl, apiKey, tokens, login = "" }: Connection): Tern {
  const send = tokens === undefined ? fetchAndReport : fetchWithTokens(login, baseUrl, tokens);
  try {
    const credential = apiKey ?? tokens?.accessToken ?? null;
    return new Tern({ baseUrl, apiKey: credential, maxRetries: MAX_RETRIES, fetch: send });
  } catch (error) {
    return asWrongUse(error);
  }
}

/** Replaces the access token before it ends, and once for a call if the service refuses it. */
function fetchWithTokens(login: string, baseUrl: string, found: Tokens): typeof fetch {
  let tokens = found;
  const send = (input: Parameters<typeof fetch>[0], init: RequestInit = {}) => {
    (init.headers as Headers).set("Authorization", `Bearer ${tokens.accessToken}`);
    return fetchAndReport(input, init);
  };
  return async (input, init) => {
    if (isEnding(tokens)) tokens = await renewTokens(login, baseUrl, tokens.accessToken);
    const { accessToken } = tokens;
    const response = await send(input, init);
    if (!isRefusedToken(response)) return response;
    await response.body?.cancel();
    // Another call may have replaced it meanwhile.
    if (tokens.accessToken === accessToken) tokens = await renewTokens(login, baseUrl, accessToken);
    return send(input, init);
  };
}

/** RFC 6750, 3.1. */
const isRefusedToken = ({ status, headers }: Response): boolean =>
  status === 401 && /\berror="invalid_token"/.test(headers.get("WWW-Authenticate") ?? "");

/** How often a call was attempted, by its headers: the attempts of a call share them. */
const attempts = new WeakMap<object, number>();

async function fetchAndReport(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const call = request[1]?.headers ?? {};
  const attempt = (attempts.get(call) ?? 0) + 1;
  attempts.set(call, attempt);
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  if (response.status === 429 && attempt <= MAX_RETRIES && seconds <= LONGEST_WAIT_SECONDS)
    note(`The rate limit is reached. Waiting ${seconds} seconds.`);
  return response;
}

/** Reads a file of the service. Throws if the connection breaks meanwhile. */
export async function readBytes(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw brokenConnection(response, cause);
  }
}

export function brokenConnection({ url }: Response, cause: unknown): TernError {
  return new TernError("connection_failed", `The connection to ${new URL(url).host} broke during the download.`, {
    cause,
  });
}
