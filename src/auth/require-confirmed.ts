import { confirmIdentity } from "../http/errors.ts";
import type { Principal } from "./principal.ts";
import { CONFIRMATION_TTL_MS } from "./limits.ts";

/** Throws 403 unless the caller is a key, or a person who signed in or confirmed their identity a short time ago. */
export function requireConfirmed(principal: Principal, now: number): void {
  if (principal.type === "person") requireRecent(principal.confirmedAt, now);
}

/** Throws 403 unless `confirmedAt` is less than {@link CONFIRMATION_TTL_MS} ago. */
export function requireRecent(confirmedAt: number, now: number): void {
  if (now - confirmedAt < CONFIRMATION_TTL_MS) return;
  throw confirmIdentity("Confirm that it is you with POST /api/auth/confirm, and send this request again.");
}
