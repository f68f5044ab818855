// Runs a Worker in an isolate whose clock advances with the number of requests, and which moves to another data centre,
// with empty caches, after a number of requests. So a small set of links can be requested again and again, each time as
// old as the benchmark wants it, while the isolate stays warm. A POST changes the clock's settings or puts it forward.

import { env } from "cloudflare:workers";
import worker from "./index.js";

/** The clock advances by `stepMs` every `requestsPerStep`. With `requestsPerDataCentre: null` the isolate never moves. */
const { name, ...settings } = env.CLOCK;

const startedAt = Date.now();
let requests = 0;
let aheadMs = 0;
let moves = 0;
Date.now = () => Math.floor(startedAt + aheadMs);

const openCache = caches.open.bind(caches);
caches.open = (cache) => openCache(`${name}-${moves}-${cache}`);

export default {
  async fetch(request, _env, ctx) {
    if (request.method === "POST") {
      const { jumpMs = 0, ...changes } = await request.json();
      aheadMs += jumpMs;
      Object.assign(settings, changes);
      return new Response();
    }
    requests++;
    if (requests % settings.requestsPerStep === 0) aheadMs += settings.stepMs;
    if (requests % (settings.requestsPerDataCentre ?? Infinity) === 0) moves++;
    return worker.fetch(request, env, ctx);
  },
};
