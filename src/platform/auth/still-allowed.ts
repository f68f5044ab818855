import type { MemberPermission, Permission } from "./permissions.ts";
import { rolesWith } from "./roles.ts";
import { isEnabledAccount, isLive } from "../database/account-states.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { hasRole, isLivePerson, keyAllows } from "./store/conditions.ts";
import type { Principal } from "./principal.ts";

/** A person or a key, by its id. */
export interface Starter {
  type: "user" | "key";
  id: string;
}

export function starterOf(principal: Principal): Starter {
  // An app acts for its person.
  return principal.type === "key" ? { type: "key", id: principal.keyId } : { type: "user", id: principal.user.id };
}

/** Holds while the account works and the starter of a task still has all of the permissions there. */
export function isStillAllowed(
  accountId: number,
  { type, id }: Starter,
  permissions: readonly (Permission | MemberPermission)[],
  now: number,
): Condition {
  const starterMay =
    type === "user"
      ? allOf(isLivePerson(id), hasRole(accountId, id, rolesWith(...permissions)))
      : keyAllows(accountId, id, permissions as readonly Permission[], now);
  return allOf(starterMay, isLive(accountId), isEnabledAccount(accountId));
}
