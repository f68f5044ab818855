import { prepareChange } from "../../access/audit/change.ts";
import { ALWAYS, allOf, type Condition } from "../../platform/database/parameters.ts";
import { rolesWith } from "../../platform/auth/roles.ts";
import { hasHeadWithRole } from "../../platform/auth/store/conditions.ts";
import { deliverMails, prepareMail } from "../../platform/mail/send.ts";
import type { MailKind } from "../../platform/mail/messages.ts";
import { addMail } from "../../platform/mail/store.ts";
import type { KeyChange } from "./store/keys.ts";
import type { AuditAction } from "../../access/audit/actions.ts";
import type { Principal, RequestContext } from "../../platform/auth/principal.ts";

const MAILS = {
  "key.create": "key_created",
  "key.update": "key_changed",
  "key.revoke": "key_revoked",
} satisfies Partial<Record<AuditAction, MailKind>>;

interface PreparedChange extends KeyChange {
  /** Sends the mail of the change, once the batch is committed. */
  report: () => void;
}

/**
 * A revocation by a key that is revoked at the same time is as good as one before. To give permissions to a key, a calling
 * key also needs that the person at the head of its line of creators, if it is one, may still do so.
 */
function isAllowed(principal: Principal, mayChange: Condition, { action, gives }: ChangeOfKey): Condition {
  if (principal.type !== "key") return mayChange;
  if (action === "key.revoke") return ALWAYS;
  const { accountId, keyId } = principal;
  return gives ? allOf(mayChange, hasHeadWithRole(accountId, keyId, rolesWith("keys:write"))) : mayChange;
}

interface ChangeOfKey {
  action: keyof typeof MAILS;
  keyId: string;
  /** Whether the key gets permissions that it did not have. */
  gives: boolean;
  /** What the change sets. */
  after?: { name?: string | undefined; permissions?: readonly string[] | undefined };
}

/** Prepares what the batch of a change by the caller records: an entry in the audit log, and a mail if a person made the change. */
export async function prepareKeyChange(context: RequestContext, keyChange: ChangeOfKey): Promise<PreparedChange> {
  const { action, keyId, after } = keyChange;
  const { now, principal } = context;
  const change = prepareChange(context, "keys:write");
  const mail = principal.type === "key" ? null : await prepareMail(context, MAILS[action], principal.user.email);
  return {
    isAllowed: isAllowed(principal, change.isAllowed, keyChange),
    record: (batch, condition) => {
      change.record(batch, action, keyId, condition, after);
      if (mail !== null) addMail(batch, mail, now, condition);
    },
    report: () => {
      if (mail !== null) deliverMails(context, mail.id);
    },
  };
}
