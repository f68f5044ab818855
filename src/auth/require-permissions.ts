import { forbidden } from "../http/errors.ts";
import type { MemberPermission, Permission } from "./permissions.ts";
import { roleHas } from "./roles.ts";
import type { PersonPrincipal, Principal } from "./principal.ts";

/** Throws 403, naming the missing permissions, unless the caller has all of these. */
export function requirePermissions(principal: Principal, required: readonly Permission[]): void {
  const missing = required.filter((permission) => !principal.permissions.includes(permission));
  if (missing.length > 0) throw lacksPermissions(principal, missing);
}

/** Throws 403 unless the person's role has the permission. */
export function requireRole({ role }: PersonPrincipal, permission: Permission | MemberPermission): void {
  if (!roleHas(role, permission)) throw forbidden(`The role ${role} lacks the permission ${permission}.`);
}

/** The caller at the beginning of a sentence on what it lacks. */
export function callerName(principal: Principal): string {
  if (principal.type === "person") return `The role ${principal.role}`;
  return { key: "This key", app: "This app" }[principal.type];
}

/** The error for a caller without these permissions. */
export function lacksPermissions(principal: Principal, missing: readonly Permission[]): Error {
  return forbidden(
    `${callerName(principal)} lacks the permission${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}.`,
  );
}

const CREDENTIALS = { key: "key", person: "role", app: "connection" } satisfies Record<Principal["type"], string>;

/** The error for a caller who has lost the right between the check of the request and its change. */
export function accessChanged(principal: Principal): Error {
  return forbidden(`Your ${CREDENTIALS[principal.type]} has just changed. Nothing was done.`);
}

/** The error for keys and members of an account that the operator has disabled. */
export const accountDisabled = () => forbidden("The operator of this service has disabled this account.");
