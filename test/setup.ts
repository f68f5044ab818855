import { loadChecks } from "#safety";
import { afterAll, beforeEach, vi } from "vitest";
import { clearClickBuffer } from "../src/click-log/capture/buffer.ts";
import { clearQueued } from "../src/click-log/capture/send.ts";
import { registerChecks } from "../src/links/checks.ts";
import { forgetInstallation } from "../src/platform/installation/claimed.ts";
import { forgetAnonymousRefusal } from "../src/platform/rate-limit/creation-limits.ts";
import * as memoryCache from "../src/redirect/lookup/memory-cache.ts";
import * as readQueue from "../src/redirect/lookup/read-queue.ts";
import * as sharedReads from "../src/redirect/lookup/shared-reads.ts";
import * as unknownSlugs from "../src/redirect/lookup/unknown-slugs.ts";
import { forgetTakenDownHosts } from "../src/redirect/lookup/taken-down-hosts.ts";
import { leaveAddress } from "./support/address.ts";
import { takeSentClicks } from "./support/api.ts";
import { emptyStorage } from "./support/storage.ts";

// Each line that is printed is a message to another process. The Worker's own are hidden, unless a test reads them.
for (const level of ["info", "warn", "error"] as const) {
  const print = console[level];
  // Files share a process.
  if (print.name === "printOthers") continue;
  console[level] = function printOthers(...values: unknown[]) {
    if (typeof values[0] !== "string" || !values[0].startsWith('{"event":')) print.apply(console, values);
  };
}

registerChecks(await loadChecks());

// The next file may read the clock when it is imported.
afterAll(() => void vi.useRealTimers());

// Every test starts with empty storage, empty caches and the real clock.
beforeEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  memoryCache.clear();
  readQueue.clear();
  sharedReads.clear();
  unknownSlugs.clear();
  clearClickBuffer();
  clearQueued();
  forgetAnonymousRefusal();
  forgetInstallation();
  forgetTakenDownHosts();
  takeSentClicks();
  leaveAddress();
  // The click buffer is sent without its delay.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  await emptyStorage();
});
