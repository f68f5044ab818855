import type { StoredEntry } from "../../access/audit/store/entries.ts";
import { toUnicodeName } from "../../domains/name.ts";
import type { AuditEntryBody } from "./contract.ts";

/** An entry of the audit log as the API shows it. */
export function toAuditEntry(row: StoredEntry): AuditEntryBody {
  const { id, action, country, created_at: createdAt, target_id: targetId, target_name: name } = row;
  return {
    id,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, ...(row.app !== null && { app: row.app }) },
    action,
    targetId,
    targetName: name !== null && action.startsWith("domain.") ? toUnicodeName(name) : name,
    before: parse(row.before),
    after: parse(row.after),
    country,
    createdAt,
  };
}

function parse(state: string | null): AuditEntryBody["after"] {
  return state === null ? null : (JSON.parse(state) as AuditEntryBody["after"]);
}
