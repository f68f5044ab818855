// The Worker as it is, in an isolate in which time passes with every request, and some requests later another data
// centre is near. So what is as old as a link that was seen so many requests ago can be asked for again and again,
// however few links there are, while the isolate stays warm. A POST puts the clock forward.

import { env } from "cloudflare:workers";
import worker from "./index.js";

/** `stepMs` is how long a request takes; `requestsPerDataCentre` null: there is but one. */
const { name, stepMs, requestsPerDataCentre } = env.CLOCK;

const startedAt = Date.now();
let requests = 0;
let jumpedMs = 0;
Date.now = () => Math.floor(startedAt + jumpedMs + requests * stepMs);

const openCache = caches.open.bind(caches);
caches.open = (cache) => openCache(`${name}-${Math.floor(requests / (requestsPerDataCentre ?? Infinity))}-${cache}`);

export default {
  async fetch(request, _env, ctx) {
    if (request.method === "POST") {
      jumpedMs += Number(await request.text());
      return new Response();
    }
    requests++;
    return worker.fetch(request, env, ctx);
  },
};
