import type { RATE_LIMITS } from "../../../src/limits.ts";
import type { WorstCall } from "./call.ts";
import { clickCalls } from "./clicks.ts";
import { linkCalls } from "./links.ts";
import { resourceCalls } from "./resources.ts";
import { webhookCalls } from "./webhooks.ts";

export type Operation = keyof typeof RATE_LIMITS;

/** The worst calls of each operation. The compiler refuses an operation without one: a new endpoint adds its own. */
export const WORST_CALLS: Record<Operation, readonly WorstCall[]> = {
  ...linkCalls,
  ...clickCalls,
  ...webhookCalls,
  ...resourceCalls,
};
