import { Tern } from "@tern/sdk";
import { note } from "./output/terminal.ts";

/** Makes the SDK's client. Says on stderr when the service asks to wait, because the client then waits by itself. */
export function createClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string | undefined }): Tern {
  return new Tern({ baseUrl, apiKey: apiKey ?? null, fetch: fetchAndReport });
}

async function fetchAndReport(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const seconds = response.headers.get("Retry-After");
  if (response.status === 429 && seconds !== null) note(`The rate limit is reached. Waiting ${seconds} seconds.`);
  return response;
}
