import { addAuditEntry } from "../audit/store/entries.ts";
import { isStillAllowed } from "../auth/still-allowed.ts";
import { Batch } from "../database/batch.ts";
import { allOf, type Condition } from "../database/parameters.ts";
import { addNotice, deliverMails } from "../people/mail/send.ts";
import type { ExportRequest } from "./export.ts";
import { FILE_PERMISSIONS } from "./kinds.ts";
import type { SourceContext } from "./source.ts";
import { isFirstEntry } from "./store/audit.ts";
import { addCheck } from "../database/check.ts";

/** Holds while the account works, and the person or key that started the export may still read what it exports. */
function isAllowedBy({ accountId, starter, kind }: ExportRequest, now: number): Condition {
  const needed = kind === "account" ? (["account:export"] as const) : FILE_PERMISSIONS[kind];
  return isStillAllowed(accountId, starter, needed, now);
}

/** Returns false once the account is deleted or disabled, or who started the export may not read its records any more. */
export async function mayContinue({ env, now }: SourceContext, request: ExportRequest): Promise<boolean> {
  const batch = new Batch(env.DB);
  const check = addCheck(batch, isAllowedBy(request, now));
  await batch.commitWithRetry();
  return check.first !== undefined;
}

/**
 * Records the export in the audit log before anything is read, and tells the person who exports all data. May run again after
 * a crash. Returns false as {@link mayContinue} does, and then records nothing.
 */
export async function begin(context: SourceContext, request: ExportRequest): Promise<boolean> {
  const { env, exportId, now } = context;
  const { kind, starter, country } = request;
  const batch = new Batch(env.DB);
  const isAllowed = isAllowedBy(request, now);
  const check = addCheck(batch, isAllowed);
  const mail =
    kind === "account" && starter.type === "user"
      ? await addNotice(batch, context, "export_started", starter.email, allOf(isAllowed, isFirstEntry(exportId)))
      : null;
  const actor = { type: starter.type, id: starter.id };
  const account = { id: request.accountId };
  const entry = { id: exportId, account, actor, action: "export.create", targetId: exportId, country } as const;
  addAuditEntry(batch, entry, now, isAllowed);
  await batch.commitWithRetry();
  if (check.first === undefined) return false;
  if (mail !== null) deliverMails(context, mail);
  return true;
}
