import { DEFAULT_CLICK_RETENTION_DAYS, MAX_CLICK_RETENTION_DAYS, MIN_CLICK_RETENTION_DAYS } from "./limits.ts";

/** How long the operator lets accounts keep single clicks, in days. */
export interface RetentionBounds {
  least: number;
  most: number;
}

export type RetentionVariables = Pick<Env, "CLICK_RETENTION_MIN_DAYS" | "CLICK_RETENTION_MAX_DAYS">;

const DEFAULT_BOUNDS: RetentionBounds = { least: MIN_CLICK_RETENTION_DAYS, most: DEFAULT_CLICK_RETENTION_DAYS };

/** The operator's bounds; null: the variables are no such bounds. An empty one has its default. */
export function parseRetentionBounds(variables: Partial<RetentionVariables>): RetentionBounds | null {
  const least = parseDays(variables.CLICK_RETENTION_MIN_DAYS, DEFAULT_BOUNDS.least);
  const most = parseDays(variables.CLICK_RETENTION_MAX_DAYS, Math.max(DEFAULT_BOUNDS.most, least));
  return least >= MIN_CLICK_RETENTION_DAYS && least <= most && most <= MAX_CLICK_RETENTION_DAYS
    ? { least, most }
    : null;
}

/** NaN: it is no whole number. */
function parseDays(text: string | undefined, byDefault: number): number {
  if (text === undefined || text === "") return byDefault;
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

/** As {@link parseRetentionBounds}; other values count as empty. */
export function retentionBounds(env: RetentionVariables): RetentionBounds {
  return parseRetentionBounds(env) ?? DEFAULT_BOUNDS;
}

/** For how many days single clicks are kept. `chosen` is what the account chose; null: nothing. */
export function retentionDays(chosen: number | null, env: RetentionVariables): number {
  const { least, most } = retentionBounds(env);
  return Math.min(most, Math.max(least, chosen ?? DEFAULT_CLICK_RETENTION_DAYS));
}
