import type { Permission } from "./permissions.ts";
import { rolesWith } from "./roles.ts";
import { isEnabledAccount, isLive } from "../database/account-states.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { keyAllows, sessionActs } from "./store/conditions.ts";
import type { Principal } from "./principal.ts";

/** A key or a session, by its id. */
export interface Credential {
  type: "key" | "session";
  id: string;
}

export function credentialOf(principal: Principal): Credential {
  return principal.type === "key" ? { type: "key", id: principal.keyId } : { type: "session", id: principal.sessionId };
}

/** Holds while a new request with the credential would be accepted and would have all of the permissions. */
export function credentialAllows(
  accountId: number,
  { type, id }: Credential,
  permissions: readonly Permission[],
  now: number,
): Condition {
  if (type === "session") return sessionActs(accountId, id, rolesWith(...permissions), now);
  return allOf(keyAllows(accountId, id, permissions, now), isLive(accountId), isEnabledAccount(accountId));
}
