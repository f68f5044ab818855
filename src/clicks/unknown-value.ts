import type { Dimension } from "./profile.ts";

// Storage has '' for an unknown value; the wire has a word.

export function wordForUnknown(dimension: Dimension): string {
  if (dimension === "referrer" || dimension === "source") return "direct";
  return dimension.startsWith("utm") ? "none" : "unknown";
}
