import { beforeEach, vi } from "vitest";
import { clearClickBuffer } from "../src/clicks/capture/buffer.ts";
import { SCRYPT_COST } from "../src/lib/password.ts";
import * as memoryCache from "../src/redirect/lookup/memory-cache.ts";
import { takeSentClicks } from "./support/api.ts";
import { emptyStorage } from "./support/storage.ts";

// Makes password hashes cheap. End-to-end tests use the real cost.
SCRYPT_COST.N = 2;

// Every test starts with empty storage, empty caches and the real clock.
beforeEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  memoryCache.clear();
  clearClickBuffer();
  takeSentClicks();
  // The click buffer is sent without its delay.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  await emptyStorage();
});
