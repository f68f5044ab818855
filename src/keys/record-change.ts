import { prepareChange } from "../audit/change.ts";
import { deliverMails, prepareMail } from "../people/mail/send.ts";
import type { MailKind } from "../people/mail/messages.ts";
import { addMail } from "../people/mail/store.ts";
import type { KeyChange } from "./store/keys.ts";
import type { AuditAction } from "../audit/actions.ts";
import type { RequestContext } from "../auth/principal.ts";

const MAILS = {
  "key.create": "key_created",
  "key.update": "key_changed",
  "key.revoke": "key_revoked",
} satisfies Partial<Record<AuditAction, MailKind>>;

interface PreparedChange extends KeyChange {
  /** Sends the mail of the change, once the batch is committed. */
  report: () => void;
}

/** Prepares what the batch of a change by the caller records: an entry in the audit log, and a mail if a person made the change. */
export async function prepareKeyChange(
  context: RequestContext,
  action: keyof typeof MAILS,
  keyId: string,
): Promise<PreparedChange> {
  const { now, principal } = context;
  const change = prepareChange(context, "keys:write");
  const mail = principal.type === "key" ? null : await prepareMail(context, MAILS[action], principal.user.email);
  return {
    isAllowed: change.isAllowed,
    record: (batch, condition) => {
      change.record(batch, action, keyId, condition);
      if (mail !== null) addMail(batch, mail, now, condition);
    },
    report: () => {
      if (mail !== null) deliverMails(context, mail.id);
    },
  };
}
