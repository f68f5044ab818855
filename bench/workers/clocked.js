// The Worker as it is, in an isolate in which time passes by requests, and in which after some another data centre is
// near. So what is as old as a link that was seen so many requests ago can be asked for again and again, however few
// links there are, while the isolate stays warm. A POST puts the clock forward.

import { env } from "cloudflare:workers";
import worker from "./index.js";

/** The clock goes on by `stepMs` after every so many requests; `requestsPerDataCentre` null: there is but one. */
const { name, stepMs, requestsPerStep, requestsPerDataCentre } = env.CLOCK;

const startedAt = Date.now();
let requests = 0;
let jumpedMs = 0;
Date.now = () => Math.floor(startedAt + jumpedMs + Math.floor(requests / requestsPerStep) * stepMs);

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
