import type { Condition } from "../../database/parameters.ts";

/** Holds until the audit log has the entry with this id. */
export function isFirstEntry(id: string): Condition {
  return (parameters) => `NOT EXISTS (SELECT 1 FROM audit_entries WHERE id = ${parameters.add(id)})`;
}
