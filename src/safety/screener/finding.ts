import type { VerdictReason } from "../verdict.ts";

/** What is wrong with a destination. */
export interface Finding {
  verdict: "warn" | "block";
  reason: VerdictReason;
  /** Who says so: `own` for the operators' entries, `resolver`, or the id of a list file. */
  source: string;
}
