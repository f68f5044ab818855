import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { HEALTH_TIMEOUT_MS } from "../limits.ts";
import type { Health } from "./contract.ts";
import { pingDatabase } from "./store.ts";

/** Checks all parts concurrently, each with the cheapest possible call. */
export async function probe(env: Env): Promise<Health> {
  const [database, durableObjects, queues] = await Promise.all([
    check("database", () => pingDatabase(env.DB)),
    check("durable_objects", () => env.RATE_LIMITER.getByName("health").ping()),
    check("queues", () => Promise.all([env.CLICKS.metrics(), env.DELIVERIES.metrics()])),
  ]);
  const checks = { database, durableObjects, queues };
  return { status: Object.values(checks).includes("failed") ? "failed" : "ok", checks };
}

async function check(part: string, ask: () => Promise<unknown>): Promise<"ok" | "failed"> {
  try {
    await withTimeout(ask(), HEALTH_TIMEOUT_MS);
    return "ok";
  } catch (error) {
    log("error", "health_check_failed", { part, ...describeError(error) });
    return "failed";
  }
}
