import { requireConfirmedFor } from "../../platform/auth/confirmed-operations.ts";
import { retentionBounds, retentionDays } from "../../click-log/retention-days.ts";
import { DAY_MS } from "../../limits.ts";
import { invalidField } from "../../platform/http/errors.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import type { ClickRetention } from "./contract.ts";

/** How long single clicks are kept. `chosen` is what the account chose, in days; null: nothing. */
export function describeRetention(chosen: number | null, env: Env, now: number): ClickRetention {
  const { least, most } = retentionBounds(env);
  const days = retentionDays(chosen, env);
  return {
    days,
    minDays: least,
    maxDays: most,
    defaultDays: retentionDays(null, env),
    keptFrom: (Math.floor(now / DAY_MS) - days) * DAY_MS,
  };
}

/** Throws 400 if the operator does not allow the choice, and 403 if it deletes clicks and the identity is not confirmed. */
export function requireRetention(context: MemberContext, before: number | null, chosen: number | null): void {
  const { env } = context;
  const { least, most } = retentionBounds(env);
  if (chosen !== null && (chosen < least || chosen > most))
    throw invalidField("clickRetentionDays", "retention_out_of_range", { min: least, max: most });
  if (retentionDays(chosen, env) < retentionDays(before, env)) requireConfirmedFor("PATCH /api/account", context);
}
