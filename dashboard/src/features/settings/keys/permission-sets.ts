import type { Permission } from "./queries.ts";

export type Preset = "all" | "read" | "custom";

export const isRead = (permission: Permission): boolean => permission.endsWith(":read");

/** The preset with exactly these permissions, of those that the person can give. */
export function presetOf(permissions: readonly Permission[], grantable: readonly Permission[]): Preset {
  if (grantable.every((each) => permissions.includes(each))) return "all";
  const reads = grantable.filter(isRead);
  return permissions.length === reads.length && reads.every((each) => permissions.includes(each)) ? "read" : "custom";
}
