import type { RedirectEntry } from "./lookup/entry.ts";
import type { IncomingRequest } from "./request-url.ts";

/** A request for a link that was found. */
export interface LinkRequest {
  incoming: IncomingRequest;
  entry: RedirectEntry;
  now: number;
  env: Env;
  ctx: ExecutionContext;
}
