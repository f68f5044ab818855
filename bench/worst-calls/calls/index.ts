import type { RATE_LIMITS } from "../../../src/rate-limits.ts";
import type { WorstCall } from "./call.ts";
import { clickCalls } from "./clicks.ts";
import { linkCalls } from "./links.ts";
import { resourceCalls } from "./resources.ts";
import { webhookCalls } from "./webhooks.ts";

/** The operations that an API key may call. Those of persons need a session. */
export type Operation = Exclude<keyof typeof RATE_LIMITS, `${string} /api/${"account" | "auth" | "teams"}${string}`>;

/** The worst calls of each operation. The compiler refuses an operation without one: a new endpoint adds its own. */
export const WORST_CALLS: Record<Operation, readonly WorstCall[]> = {
  ...linkCalls,
  ...clickCalls,
  ...webhookCalls,
  ...resourceCalls,
};
