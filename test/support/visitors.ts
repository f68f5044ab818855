import { buildRequest, send } from "./api.ts";

export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
export const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36";
export const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

/** Somebody with a browser. */
export interface Person {
  userAgent?: string;
  address?: string;
  headers?: Record<string, string>;
  /** What Cloudflare knows of where they are. */
  cf?: Record<string, unknown>;
  method?: string;
}

/** Their visit, as browsers ask for a page. */
export function visitAs({ userAgent = WINDOWS, address, headers, cf = {}, method = "GET" }: Person, path: string) {
  const own = { "User-Agent": userAgent, Accept: "text/html,application/xhtml+xml,*/*;q=0.8", ...headers };
  const request = buildRequest(method, path, { headers: own, ...(address === undefined ? {} : { address }) });
  return send(new Request(request, { cf }) as typeof request);
}

export async function locationFor(person: Person, path: string): Promise<string | null> {
  return (await visitAs(person, path)).headers.get("Location");
}
