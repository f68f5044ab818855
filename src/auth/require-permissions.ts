import type { Principal } from "../context.ts";
import { forbidden } from "../http/errors.ts";
import type { Permission } from "./permissions.ts";

/** Throws 403, naming the missing permissions, unless the caller's key has all of these. */
export function requirePermissions({ permissions }: Principal, required: readonly Permission[]): void {
  const missing = required.filter((permission) => !permissions.includes(permission));
  if (missing.length > 0) throw lacksPermissions(missing);
}

/** The error for a key without these permissions. */
export function lacksPermissions(missing: readonly Permission[]): Error {
  return forbidden(`This key lacks the permission${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}.`);
}
