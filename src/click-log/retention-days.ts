import { DEFAULT_CLICK_RETENTION_DAYS, MAX_CLICK_RETENTION_DAYS, MIN_CLICK_RETENTION_DAYS } from "./limits.ts";

/** How long the operator lets accounts keep single clicks, in days. */
export interface RetentionBounds {
  least: number;
  most: number;
}

export type RetentionVariables = Pick<Env, "CLICK_RETENTION_DAYS">;

const DEFAULT_BOUNDS: RetentionBounds = { least: MIN_CLICK_RETENTION_DAYS, most: DEFAULT_CLICK_RETENTION_DAYS };

/** The operator's bounds, such as "7-90"; empty: the default. null: the text is no such bounds. */
export function parseRetentionBounds(text: string): RetentionBounds | null {
  if (text === "") return DEFAULT_BOUNDS;
  const [, least, most] = (/^(\d{1,3})-(\d{1,3})$/.exec(text) ?? []).map(Number);
  if (least === undefined || most === undefined) return null;
  return least >= MIN_CLICK_RETENTION_DAYS && least <= most && most <= MAX_CLICK_RETENTION_DAYS
    ? { least, most }
    : null;
}

/** As {@link parseRetentionBounds}; other values count as empty. */
export function retentionBounds({ CLICK_RETENTION_DAYS }: RetentionVariables): RetentionBounds {
  return parseRetentionBounds(CLICK_RETENTION_DAYS) ?? DEFAULT_BOUNDS;
}

/** For how many days single clicks are kept. `chosen` is what the account chose; null: nothing. */
export function retentionDays(chosen: number | null, env: RetentionVariables): number {
  const { least, most } = retentionBounds(env);
  return Math.min(most, Math.max(least, chosen ?? DEFAULT_CLICK_RETENTION_DAYS));
}
