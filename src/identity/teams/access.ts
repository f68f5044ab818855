import { ROLES, rolesWith, type Role } from "../../platform/auth/roles.ts";
import { holds, type Condition } from "../../platform/database/parameters.ts";
import { forbidden } from "../../platform/http/errors.ts";
import { hasRole } from "../../platform/auth/store/conditions.ts";
import type { PersonPrincipal } from "../../platform/auth/principal.ts";

/** The roles that may change members. */
export const INVITERS = rolesWith("members:write");
/** The roles that may make and remove owners. */
export const OWNER_INVITERS = rolesWith("account:write");
const BELOW_OWNER = ROLES.filter((role) => role !== "owner");

/** Throws 403 unless the person may give or take the roles. */
export function requireChangeOfRoles(principal: PersonPrincipal, ...roles: Role[]): void {
  const allowed = roles.includes("owner") ? OWNER_INVITERS : INVITERS;
  if (!allowed.includes(principal.role)) throw forbidden("role_too_low", { value: principal.role, allowed: roles });
}

const rolesAbove = (role: Role) => ROLES.slice(0, ROLES.indexOf(role)).filter((each) => INVITERS.includes(each));

/** Throws 403 unless the role is lower than the person's own. Who hands over a link could use it as well. */
export function requireLowerRole({ role: own }: PersonPrincipal, role: Role): void {
  if (!rolesAbove(role).includes(own)) throw forbidden("role_not_lower", { value: own });
}

/** Holds while the person has a higher role than this one. */
export function hasHigherRole({ accountId, user }: PersonPrincipal, role: Role): Condition {
  return hasRole(accountId, user.id, rolesAbove(role));
}

/** Holds while the person may still give the role: another request may have changed the person's own. */
export function mayGive({ accountId, user }: PersonPrincipal, role: Role): Condition {
  return hasRole(accountId, user.id, role === "owner" ? OWNER_INVITERS : INVITERS);
}

/** Holds while the person may change the member: owners anybody, others everybody but owners. */
export function mayChange(principal: PersonPrincipal, memberId: string): Condition {
  const { accountId, user } = principal;
  const anybody = hasRole(accountId, user.id, OWNER_INVITERS);
  const others = hasRole(accountId, user.id, INVITERS);
  const isBelow = hasRole(accountId, memberId, BELOW_OWNER);
  return holds`(${anybody} OR (${others} AND ${isBelow}))`;
}

/** The error of a change that another change of the same members has made impossible. */
export const changedMeanwhile = () => forbidden("changed_meanwhile", { resource: "role" });
