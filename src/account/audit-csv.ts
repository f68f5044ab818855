import type { StoredEntry } from "../audit/store/entries.ts";
import type { CsvColumns } from "../lib/csv.ts";
import { toAuditEntry } from "./audit-entry.ts";
import type { AuditEntryBody } from "./contract.ts";

const COLUMNS: CsvColumns<AuditEntryBody> = {
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

/** The columns of the audit log as a file. */
export const AUDIT_COLUMNS: CsvColumns<StoredEntry> = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, read]) => [name, (row: StoredEntry) => read(toAuditEntry(row))]),
);
