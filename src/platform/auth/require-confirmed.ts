import { addCheck, type Batch } from "../database/batch.ts";
import type { Condition } from "../database/parameters.ts";
import { confirmIdentity } from "../http/errors.ts";
import { CONFIRMATION_TTL_MS } from "./limits.ts";
import { isConfirmed } from "./store/conditions.ts";

/** Throws 403 unless `confirmedAt` is less than {@link CONFIRMATION_TTL_MS} ago. */
export function requireRecent(confirmedAt: number, now: number): void {
  if (now - confirmedAt >= CONFIRMATION_TTL_MS) throw unconfirmed();
}

const unconfirmed = () =>
  confirmIdentity("Confirm that it is you with POST /api/auth/confirm, and send this request again.");

/** The error for an app. A client shows the sentence to the person. */
export const appCannotConfirm = (baseUrl: string) =>
  confirmIdentity(
    `An app cannot do this, because it needs your confirmed identity. Do it in the dashboard: ${baseUrl}/app`,
  );

/** The confirmed identity that the transaction of a change depends on. */
export interface Confirmation {
  /** Holds while the identity is confirmed and the session goes on. */
  holds: Condition;
  /** Throws 403 if it did not hold. Call it once the batch is committed. */
  require(): void;
}

/**
 * Throws 403 unless the identity is confirmed, and adds a check to the batch: another request may end the session or its
 * confirmation before the change is stored.
 */
export function addConfirmation(batch: Batch, session: { id: string; confirmedAt: number }, now: number): Confirmation {
  requireRecent(session.confirmedAt, now);
  const holds = isConfirmed(session.id, now);
  const check = addCheck(batch, holds);
  return {
    holds,
    require() {
      if (check.first === undefined) throw unconfirmed();
    },
  };
}
