import { addAuditEntry } from "../../../access/audit/store/entries.ts";
import type { Caller } from "../../../access/audit/change.ts";
import { addConfirmation } from "../../../platform/auth/require-confirmed.ts";
import { starterOf } from "../../../platform/auth/still-allowed.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { allOf, ALWAYS, holds, type Condition } from "../../../platform/database/parameters.ts";
import { firstIdAt } from "../../../platform/lib/uuid.ts";
import { DOWNLOAD_RECORDED_MS } from "../limits.ts";

/**
 * Records in the audit log that the caller downloads the file of an export. Downloads of one caller within
 * {@link DOWNLOAD_RECORDED_MS} are one: browsers ask for a file twice. Throws 403 if the download needs the confirmed identity of
 * a session, which another request has just ended.
 */
export async function recordDownload(
  db: D1Database,
  { now, country, principal }: Caller,
  exportId: string,
  session: { id: string; confirmedAt: number } | null,
): Promise<void> {
  const actor = starterOf(principal);
  const account = { id: principal.accountId };
  const isNew: Condition = holds`NOT EXISTS (SELECT 1 FROM audit_entries WHERE account_id = ${account.id}
    AND id >= ${firstIdAt(now - DOWNLOAD_RECORDED_MS)} AND action = 'export.download'
    AND target_id = ${exportId} AND actor_id = ${actor.id})`;
  const batch = new Batch(db);
  const confirmation = session === null ? null : addConfirmation(batch, session, now);
  const entry = { account, actor, action: "export.download", targetId: exportId, country } as const;
  addAuditEntry(batch, entry, now, allOf(isNew, confirmation?.holds ?? ALWAYS));
  await batch.commitWithRetry();
  confirmation?.require();
}
