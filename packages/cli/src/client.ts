import { Tern, TernError } from "@tern/sdk";
import { asWrongUse } from "./errors.ts";
import { note } from "./output/terminal.ts";

const MAX_RETRIES = 3;
/** The SDK does not wait longer. */
const LONGEST_WAIT_SECONDS = 120;

/** Makes the SDK's client, which says on stderr when it waits for the rate limit. Throws if the key is malformed. */
export function createClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string | undefined }): Tern {
  try {
    return new Tern({ baseUrl, apiKey: apiKey ?? null, maxRetries: MAX_RETRIES, fetch: fetchAndReport });
  } catch (error) {
    return asWrongUse(error);
  }
}

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
