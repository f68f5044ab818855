import { addAuditEntry } from "../audit/store.ts";
import { ROLES, roleHas } from "../auth/roles.ts";
import { queryClickLog } from "../clicks/click-log/client.ts";
import { Batch } from "../database/batch.ts";
import { allOf } from "../database/parameters.ts";
import { addNotice, deliverMails } from "../people/mail/send.ts";
import { addCheck } from "../people/users/store.ts";
import { hasRole } from "../teams/store/members.ts";
import { clicksUntil } from "./account-sources.ts";
import type { ExportRequest } from "./export.ts";
import type { SourceContext } from "./source.ts";
import { countRecords, findExportedAccount, type ExportedAccount } from "./store/account.ts";
import { isFirstEntry } from "./store/audit.ts";

const EXPORTERS = ROLES.filter((role) => roleHas(role, "account:export"));

/**
 * Records the export in the audit log and tells the person, before anything is read. May run again after a crash. Returns
 * the number of records as far as it is known; null: the person may not export the account any more.
 */
export async function beginAccountExport(context: SourceContext, request: ExportRequest): Promise<number | null> {
  const { env, exportId, now, principal } = context;
  const { user, country } = request;
  const account = { id: principal.accountId };
  const batch = new Batch(env.DB);
  const isAllowed = hasRole(principal.accountId, user.id, EXPORTERS);
  const check = addCheck(batch, isAllowed);
  const mail = await addNotice(batch, context, "export_started", user.email, allOf(isAllowed, isFirstEntry(exportId)));
  const actor = { type: "user", id: user.id } as const;
  const entry = { id: exportId, account, actor, action: "export.create", targetId: exportId, country } as const;
  addAuditEntry(batch, entry, now, isAllowed);
  await batch.commitWithRetry();
  if (check.first === undefined) return null;
  deliverMails(context, mail);
  const clicks = await queryClickLog(env, principal.accountId, (log) =>
    log.countExport(clicksUntil(context.startedAt)),
  );
  return clicks + (await countRecords(env.DB, principal.accountId));
}

/** What `export.json` says: what the file is, and how many records it has by source. */
export interface Manifest {
  exportId: string;
  account: ExportedAccount | null;
  startedAt: number;
  finishedAt: number;
  records: Record<string, number>;
}

export async function describeAccountExport(
  { env, exportId, now, principal, startedAt }: SourceContext,
  records: Record<string, number>,
): Promise<Manifest> {
  const account = await findExportedAccount(env.DB, principal.accountId);
  return { exportId, account, startedAt, finishedAt: now, records };
}
