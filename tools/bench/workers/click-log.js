// A ClickLog that does nothing: what is left is the CPU time of the isolate that redirects.

import { DurableObject } from "cloudflare:workers";

export class ClickLog extends DurableObject {
  async ingest() {}
}

export default { fetch: () => new Response(null, { status: 404 }) };
