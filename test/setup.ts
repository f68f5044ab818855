import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import { clearClickBuffer } from "../src/clicks/capture/buffer.ts";
import { clearCacheUse } from "../src/redirect/lookup/cache-use.ts";
import { clearMemoryCache } from "../src/redirect/lookup/memory-cache.ts";
import { takeSentClicks } from "./support/api.ts";

// Every test starts with empty storage, an empty memory and the real clock.
beforeEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearMemoryCache();
  clearCacheUse();
  clearClickBuffer();
  takeSentClicks();
  // Clicks wait for nobody here.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  // At the beginning of a file the first reset sometimes leaves the storage as it was.
  do await reset();
  while ((await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").first()) !== null);
  await env.DB.prepare(env.SCHEMA).run();
});
