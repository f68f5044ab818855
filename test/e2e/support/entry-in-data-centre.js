// Wraps a built Worker so that it has the edge cache of its data centre, and a clock that a test advances. split-service.ts
// loads it as the entry point.

import { env } from "cloudflare:workers";
import worker from "./index.js";

export * from "./index.js";

const open = caches.open.bind(caches);
caches.open = (name) => open(`${env.DATA_CENTRE}-${name}`);

const realNow = Date.now;
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;

export default {
  ...worker,
  fetch(request, bindings, ctx) {
    const url = URL.parse(request.url);
    if (url?.hostname !== "isolate.control") return worker.fetch(request, bindings, ctx);
    aheadMs += Number(url.searchParams.get("advance") ?? 0);
    return Response.json({ now: Date.now() });
  },
};
