import { forbidden, insufficientScope } from "../http/errors.ts";
import type { Resource } from "../http/fault-sentences.ts";
import type { MemberPermission, Permission } from "./permissions.ts";
import { challengeOf } from "./challenge.ts";
import { roleHas } from "./roles.ts";
import { SCOPES_OF_RESOURCE } from "./scopes.ts";
import type { AppPrincipal, PersonPrincipal, Principal } from "./principal.ts";

/** Throws 403, naming the missing permissions, unless the caller has all of these. */
export function requirePermissions(principal: Principal, required: readonly Permission[]): void {
  const missing = required.filter((permission) => !principal.permissions.includes(permission));
  if (missing.length > 0) throw lacksPermissions(principal, missing);
}

/** Throws 403 unless the person's role has the permission. */
export function requireRole({ role }: PersonPrincipal, permission: Permission | MemberPermission): void {
  if (!roleHas(role, permission))
    throw forbidden("lacks_permission", { resource: "role", value: role, allowed: [permission] });
}

/**
 * The error for a caller without these permissions. It asks the client of an app for scopes that the person can give; `/mcp`
 * asks by itself.
 */
export function lacksPermissions(principal: Principal, missing: readonly Permission[]): Error {
  if (principal.type === "app" && principal.resource === "/api" && missing.every((each) => canGive(principal, each)))
    return insufficientScope(missing, challengeOf(principal.origin, "/api", "insufficient_scope"));
  return forbidden("lacks_permission", { ...namedCaller(principal), allowed: missing });
}

const canGive = ({ role, resource }: AppPrincipal, permission: Permission) =>
  roleHas(role, permission) && (SCOPES_OF_RESOURCE[resource] as readonly Permission[]).includes(permission);

const CREDENTIALS = { key: "key", person: "role", app: "app" } as const satisfies Record<Principal["type"], Resource>;

/** The values of a refusal that say what the caller acts with, and a person's role. */
function namedCaller(principal: Principal): { resource: Resource; value?: string } {
  const resource = CREDENTIALS[principal.type];
  return principal.type === "person" ? { resource, value: principal.role } : { resource };
}

/** The error for a caller who has lost the right between the check of the request and its change. */
export function accessChanged(principal: Principal): Error {
  return forbidden("access_changed", { resource: CREDENTIALS[principal.type] });
}

/** The error for keys and members of an account that the operator has disabled. */
export const accountDisabled = () => forbidden("account_disabled");
