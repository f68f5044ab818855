import type { StoredEntry } from "../../access/audit/store/entries.ts";
import type { CsvColumns } from "../../platform/lib/csv.ts";
import { toAuditEntry } from "./audit-entry.ts";
import type { AuditEntryBody } from "./contract.ts";

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
