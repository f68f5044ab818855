import type { VerdictReason } from "../../redirect/verdict.ts";

/** The source of a finding about a URL that carries more URLs than are read. */
export const NESTED = "nested";

/** What is wrong with a destination. */
export interface Finding {
  verdict: "warn" | "block";
  reason: VerdictReason;
  /** Who says so: `own` for the operators' entries, the name of a provider, `address`, {@link NESTED}, or the id of a list file. */
  source: string;
  /** Until when it holds, Unix milliseconds; undefined: until the next screening. */
  until?: number;
}
