import type { Principal } from "../context.ts";
import { forbidden } from "../http/errors.ts";
import type { Permission } from "./permissions.ts";

/** Throws 403, naming the missing permissions, unless the caller has all of these. */
export function requirePermissions(principal: Principal, required: readonly Permission[]): void {
  const missing = required.filter((permission) => !principal.permissions.includes(permission));
  if (missing.length > 0) throw lacksPermissions(principal, missing);
}

/** The error for a caller without these permissions. */
export function lacksPermissions(principal: Principal, missing: readonly Permission[]): Error {
  const caller = principal.type === "key" ? "This key" : `The role ${principal.role}`;
  return forbidden(`${caller} lacks the permission${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}.`);
}
