import type { Batch } from "../../../platform/database/batch.ts";
import type { Condition } from "../../../platform/database/parameters.ts";
import { rateLimited } from "../../../platform/http/errors.ts";
import { fault } from "../../../platform/http/faults.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { MAIL_WINDOW_MS } from "../../../limits.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { UNDO_TTL_MS } from "../limits.ts";
import type { MailKind } from "../../../platform/mail/messages.ts";
import { prepareMail } from "../../../platform/mail/send.ts";
import { addMail, mailFits, mailStored } from "../../../platform/mail/store.ts";
import { addUndo, type Kept } from "./store.ts";

/** The mail of a change of factors, with the link that undoes it. */
export interface UndoMail {
  id: string;
  /** Holds if the address may get the mail. Otherwise the change must not be made: nobody could undo it. */
  fits: Condition;
  /** Holds once the mail is stored. */
  isStored: Condition;
  /** Adds the mail and its token to the batch after the change, if the condition holds. */
  add(batch: Batch, kept: Kept, condition: Condition): void;
}

export async function prepareUndoMail(context: SessionContext, kind: MailKind): Promise<UndoMail> {
  const { now, session } = context;
  const { id: userId, email } = session.user;
  const token = newToken();
  const [mail, hash] = await Promise.all([prepareMail(context, kind, email, { token }), hashToken(token)]);
  const isStored = mailStored(mail.id);
  return {
    id: mail.id,
    fits: mailFits(mail, now),
    isStored,
    add(batch, kept, condition) {
      addMail(batch, mail, now, condition);
      const undo = { hash, purpose: "undo_factor", userId, email, expiresAt: now + UNDO_TTL_MS } as const;
      addUndo(batch, undo, kept, now, isStored);
    },
  };
}

/** The error if {@link UndoMail.fits} does not hold. */
export const tooManyMails = () => rateLimited(fault("", "too_many_own_mails"), MAIL_WINDOW_MS / 1_000);
