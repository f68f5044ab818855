import { ROLES, type Role } from "#src/platform/auth/roles.ts";

/** Whether a role is lower than another one. */
export const isLower = (role: Role, than: Role): boolean => ROLES.indexOf(role) > ROLES.indexOf(than);
