import { addAuditEntry } from "../audit/store.ts";
import { rolesWith } from "../auth/roles.ts";
import { queryClickLog } from "../clicks/click-log/client.ts";
import { Batch } from "../database/batch.ts";
import { isLive } from "../database/deleted-accounts.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { addNotice, deliverMails } from "../people/mail/send.ts";
import { addCheck } from "../people/users/store.ts";
import { hasRole } from "../teams/store/members.ts";
import { clicksUntil } from "./account-sources.ts";
import type { ExportRequest } from "./export.ts";
import type { SourceContext } from "./source.ts";
import { countRecords, findExportedAccount, isEnabledAccount, type ExportedAccount } from "./store/account.ts";
import { isFirstEntry } from "./store/audit.ts";

const EXPORTERS = rolesWith("account:export");

/** Holds while the account is neither deleted nor disabled, and the person who started the export may export it. */
function isAllowedBy({ accountId, user }: ExportRequest): Condition {
  return allOf(hasRole(accountId, user.id, EXPORTERS), isLive(accountId), isEnabledAccount(accountId));
}

/** Returns false once the account is deleted or disabled, or the person may not export it any more. */
export async function mayContinue({ env }: SourceContext, request: ExportRequest): Promise<boolean> {
  const batch = new Batch(env.DB);
  const check = addCheck(batch, isAllowedBy(request));
  await batch.commitWithRetry();
  return check.first !== undefined;
}

/**
 * Records the export in the audit log and tells the person, before anything is read. May run again after a crash. Returns
 * the number of records as far as it is known; null: as for {@link mayContinue}, it must end.
 */
export async function beginAccountExport(context: SourceContext, request: ExportRequest): Promise<number | null> {
  const { env, exportId, now, principal } = context;
  const { user, country } = request;
  const account = { id: principal.accountId };
  const batch = new Batch(env.DB);
  const isAllowed = isAllowedBy(request);
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
