import { MAX_CLICK_RETENTION_DAYS, MIN_CLICK_RETENTION_DAYS } from "../src/clicks/limits.ts";
import { parseRetentionBounds } from "../src/clicks/retention-days.ts";
import { Failure, WRONG_USAGE } from "./command.ts";

const [LEAST, MOST] = ["CLICK_RETENTION_MIN_DAYS", "CLICK_RETENTION_MAX_DAYS"] as const;

/** The variables that bound for how many days accounts keep single clicks. */
export const CLICK_RETENTION = [LEAST, MOST];

/** Throws if these variables are no bounds: the service would use its own ones, and keep clicks for another time than the operator wants. */
export function checkClickRetention(variables: Readonly<Record<string, unknown>>): void {
  const [least = "", most = ""] = CLICK_RETENTION.map((name) => textOf(variables[name]));
  if (parseRetentionBounds({ [LEAST]: least, [MOST]: most }) !== null) return;
  throw new Failure(
    `${LEAST} "${least}" and ${MOST} "${most}" must be whole days from ${MIN_CLICK_RETENTION_DAYS} to ${MAX_CLICK_RETENTION_DAYS}, ` +
      `and ${LEAST} no more than ${MOST}. Empty ones have their defaults (docs/self-hosting.md).`,
    WRONG_USAGE,
  );
}

/** A number in wrangler.toml is one of days too. */
function textOf(value: unknown = ""): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
