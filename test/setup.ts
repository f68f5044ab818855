import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import { clearClickBuffer } from "../src/clicks/capture/buffer.ts";
import * as memoryCache from "../src/redirect/lookup/memory-cache.ts";
import { takeSentClicks } from "./support/api.ts";

// Every test starts with empty storage, empty caches and the real clock.
beforeEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  memoryCache.clear();
  clearClickBuffer();
  takeSentClicks();
  // Clicks are sent without delay.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  // The first reset of a file sometimes has no effect.
  do await reset();
  while ((await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").first()) !== null);
  await env.DB.prepare(env.SCHEMA).run();
});
