import { MAX_CLICK_RETENTION_DAYS, MIN_CLICK_RETENTION_DAYS } from "../../src/click-log/limits.ts";
import { parseRetentionBounds } from "../../src/click-log/retention-days.ts";
import { Failure, WRONG_USAGE } from "./command.ts";

/** The variable that bounds for how many days accounts keep single clicks. */
export const CLICK_RETENTION_DAYS = "CLICK_RETENTION_DAYS";

/** Throws if it is no bounds: the service would use its own ones, and keep clicks for another time than the operator wants. */
export function checkClickRetention({ [CLICK_RETENTION_DAYS]: bounds = "" }: Readonly<Record<string, unknown>>): void {
  if (typeof bounds === "string" && parseRetentionBounds(bounds) !== null) return;
  throw new Failure(
    `${CLICK_RETENTION_DAYS} ${JSON.stringify(bounds)} must be two whole days from ${MIN_CLICK_RETENTION_DAYS} to ${MAX_CLICK_RETENTION_DAYS}, ` +
      'the lower one first, such as "7-90" (docs/configuration.md).',
    WRONG_USAGE,
  );
}
