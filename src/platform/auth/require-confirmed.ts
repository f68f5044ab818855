import { addCheck, type Batch } from "../database/batch.ts";
import type { Condition } from "../database/parameters.ts";
import { confirmIdentity, unauthorized } from "../http/errors.ts";
import { SECOND_MS } from "../../limits.ts";
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

/** Asks the client to lead the person through the authorization once more (RFC 9470, 3). */
export function appNeedsFreshSignIn() {
  const maxAge = CONFIRMATION_TTL_MS / SECOND_MS;
  return unauthorized(
    `Connect the app again, with max_age=${maxAge}: this needs an identity that was confirmed in the last 10 minutes.`,
    `Bearer error="insufficient_user_authentication", error_description="The identity must be confirmed again.", max_age="${maxAge}"`,
  );
}

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
