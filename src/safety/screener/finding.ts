import type { VerdictReason } from "../verdict.ts";

/** Why a destination is blocked. */
export interface Finding {
  reason: VerdictReason;
  /** Who says so: `own` for the operators' entries, else the id of a list file. */
  source: string;
}
