import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import type { Batch } from "../../../platform/database/batch.ts";
import { allOf, not, type Condition } from "../../../platform/database/parameters.ts";
import { forgetFactorsOfGrants } from "../../../access/grants/store.ts";
import type { MailKind } from "../../../platform/mail/messages.ts";
import { addNotice } from "../../../platform/mail/send.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { forgetOtherConfirmations, forgetOtherFactors, recordFactor } from "../../../access/sessions/store/sessions.ts";
import { renewCookies, type BrowserCookies } from "../browser-cookies.ts";
import type { UndoMail } from "../undo/undo-mail.ts";
import { hasOneFactor } from "./store/factors.ts";
import { voidTokens } from "../tokens/store.ts";
import type { AuditAction } from "../../../access/audit/actions.ts";

/** A change of a person's factors. */
export interface FactorChange {
  action: AuditAction;
  /** The id of the passkey; null: the person has one factor of the kind. */
  targetId: string | null;
  told: Told;
}

/** What became of the factors, and the mail that tells it. */
type Told =
  /** Proved in the session. `undo` is for the first factor, `notice` for a further one. */
  | { effect: "added"; undo: UndoMail; notice: MailKind }
  | { effect: "removed"; notice: MailKind }
  | { effect: "recovery codes replaced"; undo: UndoMail };

/** What a change of factors leaves to do once its batch is committed. */
export interface RecordedChange {
  cookies: BrowserCookies;
  mailIds: string[];
}

/**
 * Adds to the batch of a change of factors what follows from it, if the condition holds: the browser gets new cookies, the
 * other sessions must confirm the identity again, sign-ins must begin again, and the person is told by mail.
 */
export async function addFactorChange(
  batch: Batch,
  context: SessionContext,
  { action, targetId, told }: FactorChange,
  condition: Condition,
): Promise<RecordedChange> {
  const { session, now } = context;
  const { user } = session;
  addPersonEntry(batch, context, user.id, { action, targetId }, condition);
  const mailIds = await addMails(batch, context, told, condition);
  voidTokens(batch, user.id, ["second_step"], condition);
  forgetOtherConfirmations(batch, user.id, session.id, condition);
  if (told.effect === "added") recordFactor(batch, session.id, now, condition);
  // The factor that they gave may be the one that was removed.
  if (told.effect === "removed") {
    forgetOtherFactors(batch, user.id, session.id, condition);
    forgetFactorsOfGrants(batch, user.id, condition);
  }
  const cookies = await renewCookies(batch, context, user.email, condition);
  return { cookies, mailIds };
}

async function addMails(batch: Batch, context: SessionContext, told: Told, condition: Condition): Promise<string[]> {
  const { user } = context.session;
  if (told.effect === "removed") return [await addNotice(batch, context, told.notice, user.email, condition)];
  const { undo } = told;
  if (told.effect === "recovery codes replaced") {
    undo.add(batch, "factors", condition);
    return [undo.id];
  }
  undo.add(batch, "nothing", allOf(condition, hasOneFactor(user.id)));
  const isFurther = allOf(condition, not(undo.isStored));
  return [undo.id, await addNotice(batch, context, told.notice, user.email, isFurther)];
}
