import type { Permission } from "./permissions.ts";
import { rolesWith } from "./roles.ts";
import { isEnabledAccount, isLive } from "../database/account-states.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { appActs, keyAllows, sessionActs } from "./store/conditions.ts";
import type { Principal } from "./principal.ts";

/** A key, a session or the grant of an app, by its id. */
export interface Credential {
  type: "key" | "session" | "app";
  id: string;
}

export function credentialOf(principal: Principal): Credential {
  if (principal.type === "key") return { type: "key", id: principal.keyId };
  if (principal.type === "person") return { type: "session", id: principal.sessionId };
  return { type: "app", id: principal.grantId };
}

/** Holds while a new request with the credential would be accepted and would have all of the permissions. */
export function credentialAllows(
  accountId: number,
  { type, id }: Credential,
  permissions: readonly Permission[],
  now: number,
): Condition {
  const conditions = {
    key: () => allOf(keyAllows(accountId, id, permissions, now), isLive(accountId), isEnabledAccount(accountId)),
    session: () => sessionActs(accountId, id, rolesWith(...permissions), now),
    app: () => appActs(accountId, id, permissions, now),
  };
  return conditions[type]();
}
