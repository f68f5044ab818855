import type { Permission } from "../platform/auth/permissions.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { permissionsOf } from "../platform/auth/roles.ts";
import { SCOPES_OF_RESOURCE } from "../platform/auth/scopes.ts";
import { TOOLS } from "./tools/list.ts";

// An app can have fewer scopes than its person could give. What the person refused does not exist for the app. What the app has
// not asked for it can ask for, when it calls a tool that needs it.

/** The permissions whose tools a caller sees. */
export function visiblePermissions(principal: Principal): readonly Permission[] {
  if (principal.type !== "app") return principal.permissions;
  return [...principal.permissions, ...unasked(principal)];
}

/** Whether there are scopes that the app can still ask for. */
export function mayAskForMore(principal: Principal): boolean {
  return unasked(principal).length > 0;
}

/** The scopes that the app has not asked for and that a call in this message needs. Empty for other messages. */
export function scopesToAskFor(principal: Principal, message: string): readonly Permission[] {
  const name = calledTool(message);
  const tool = TOOLS.find((each) => each.name === name);
  const missing = unasked(principal);
  return tool?.permissions.filter((permission) => missing.includes(permission)) ?? [];
}

function unasked(principal: Principal): readonly Permission[] {
  if (principal.type !== "app") return [];
  const { role, permissions, refused } = principal;
  const given = new Set([...permissions, ...refused]);
  return SCOPES_OF_RESOURCE["/mcp"].filter((scope) => permissionsOf(role).includes(scope) && !given.has(scope));
}

/** The name of the tool that the message calls; undefined for every other message, which the server answers. */
function calledTool(message: string): unknown {
  try {
    const { method, params } = JSON.parse(message) as { method?: unknown; params?: { name?: unknown } };
    return method === "tools/call" ? params?.name : undefined;
  } catch {
    return undefined;
  }
}
