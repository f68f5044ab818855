import { addAuditEntry } from "../../audit/store/entries.ts";
import type { Batch } from "../../database/batch.ts";
import type { Condition } from "../../database/parameters.ts";
import type { MailKind } from "../mail/messages.ts";
import { addNotice } from "../mail/send.ts";
import type { SessionContext, VisitorContext } from "../../sessions/session.ts";
import {
  forgetOtherConfirmations,
  forgetOtherFactors,
  recordFactor,
  renewSession,
} from "../../sessions/store/sessions.ts";
import { voidTokens } from "../tokens/store.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import type { AuditAction } from "../../audit/actions.ts";

/** A change of a person's factors. */
export interface FactorChange {
  action: AuditAction;
  mail: MailKind;
  /** The id of the passkey; null: the person has one factor of the kind. */
  targetId: string | null;
  /** What becomes of the factors. An added one was proved in the session. */
  effect: "added" | "removed" | "recovery codes replaced";
}

/** What a change of factors leaves to do once its batch is committed. */
export interface RecordedChange {
  /** The new cookie of the session. */
  cookie: string;
  mailId: string;
}

/**
 * Adds to the batch of a change of factors what follows from it, if the condition holds: the session gets a new cookie, the
 * others must confirm the identity again, sign-ins must begin again, and the person is told by mail.
 */
export async function addFactorChange(
  batch: Batch,
  context: SessionContext,
  { action, mail, targetId, effect }: FactorChange,
  condition: Condition,
): Promise<RecordedChange> {
  const { session, now } = context;
  const { user } = session;
  const cookie = newToken();
  addFactorEntry(batch, context, user.id, action, targetId, condition);
  const mailId = await addNotice(batch, context, mail, user.email, condition);
  voidTokens(batch, user.id, ["second_step"], condition);
  forgetOtherConfirmations(batch, user.id, session.id, condition);
  if (effect === "added") recordFactor(batch, session.id, now, condition);
  // What they gave may be the factor that is gone.
  if (effect === "removed") forgetOtherFactors(batch, user.id, session.id, condition);
  renewSession(batch, session, await hashToken(cookie), condition);
  return { cookie, mailId };
}

/** Adds an entry to the audit log of the person's own account, if the condition holds. */
export function addFactorEntry(
  batch: Batch,
  { now, country }: VisitorContext,
  userId: string,
  action: AuditAction,
  targetId: string | null,
  condition: Condition,
): void {
  const entry = { account: { personalOf: userId }, actor: { type: "user", id: userId }, action, targetId } as const;
  addAuditEntry(batch, { ...entry, country }, now, condition);
}
