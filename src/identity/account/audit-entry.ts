import type { StoredEntry } from "../../access/audit/store/entries.ts";
import { toUnicodeName } from "../../domains/name.ts";
import type { CsvColumns } from "../../platform/lib/csv.ts";
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

/** The columns of the audit log as a file. */
export const AUDIT_COLUMNS: CsvColumns<AuditEntryBody> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => new Date(createdAt).toISOString(),
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  app: ({ actor }) => actor.app ?? null,
  action: ({ action }) => action,
  targetId: ({ targetId }) => targetId,
  targetName: ({ targetName }) => targetName,
  before: ({ before }) => (before === null ? null : JSON.stringify(before)),
  after: ({ after }) => (after === null ? null : JSON.stringify(after)),
  country: ({ country }) => country,
};

/** Pages of the entries as they are on the wire. */
export async function* bodiesOf(pages: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<AuditEntryBody[]> {
  for await (const page of pages) yield page.map(toAuditEntry);
}
