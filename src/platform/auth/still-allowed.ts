import type { MemberPermission, Permission } from "./permissions.ts";
import { rolesWith } from "./roles.ts";
import { isEnabledAccount, isLive } from "../database/account-states.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { appActs, hasRole, isLivePerson, keyAllows } from "./store/conditions.ts";
import type { Principal } from "./principal.ts";

/** A person or a key, by its id. */
export interface Starter {
  type: "user" | "key";
  id: string;
  /** The name of the app that acts for the person, and its grant. */
  app?: string;
  grantId?: string;
}

export function starterOf(principal: Principal): Starter {
  if (principal.type === "key") return { type: "key", id: principal.keyId };
  const person = { type: "user", id: principal.user.id } as const;
  return principal.type === "app" ? { ...person, app: principal.appName, grantId: principal.grantId } : person;
}

/**
 * Holds while the account works and the starter of a task still has all of the permissions there. What an app started needs
 * its grant.
 */
export function isStillAllowed(
  accountId: number,
  { type, id, grantId }: Starter,
  permissions: readonly (Permission | MemberPermission)[],
  now: number,
): Condition {
  if (grantId !== undefined) return appActs(accountId, grantId, permissions, now);
  const starterMay =
    type === "user"
      ? allOf(isLivePerson(id), hasRole(accountId, id, rolesWith(...permissions)))
      : keyAllows(accountId, id, permissions as readonly Permission[], now);
  return allOf(starterMay, isLive(accountId), isEnabledAccount(accountId));
}
