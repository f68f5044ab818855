import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, vi } from "vitest";
import { clearMemo } from "../src/redirect/memo.ts";

// Every test starts with empty storage, an empty memory and the real clock.
beforeEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearMemo();
  await reset();
  await env.DB.prepare(env.SCHEMA).run();
});
