import { addAuditEntry } from "../../audit/store/entries.ts";
import type { Caller } from "../../audit/change.ts";
import { starterOf } from "../../auth/still-allowed.ts";
import { Batch } from "../../database/batch.ts";
import type { Condition } from "../../database/parameters.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { DOWNLOAD_RECORDED_MS } from "../limits.ts";

/**
 * Records in the audit log that the caller downloads the file of an export. Downloads of one caller within
 * {@link DOWNLOAD_RECORDED_MS} are one: browsers ask for a file twice.
 */
export async function recordDownload(
  db: D1Database,
  { now, country, principal }: Caller,
  exportId: string,
): Promise<void> {
  const actor = starterOf(principal);
  const account = { id: principal.accountId };
  const isNew: Condition = (parameters) =>
    `NOT EXISTS (SELECT 1 FROM audit_entries WHERE account_id = ${parameters.add(account.id)}
       AND id >= ${parameters.add(firstIdAt(now - DOWNLOAD_RECORDED_MS))} AND action = 'export.download'
       AND target_id = ${parameters.add(exportId)} AND actor_id = ${parameters.add(actor.id)})`;
  const batch = new Batch(db);
  addAuditEntry(batch, { account, actor, action: "export.download", targetId: exportId, country }, now, isNew);
  await batch.commitWithRetry();
}
