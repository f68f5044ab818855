import type { ServiceContext } from "../../../platform/context.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { canSendMail, deliverMails, prepareMail } from "../../../platform/mail/send.ts";
import { addMail } from "../../../platform/mail/store.ts";
import type { MailTexts } from "../../../platform/mail/texts/en.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { invitationIsUnsent, listUnsentInvitations, setInvitationToken } from "./store/invitations.ts";

/** Sends the mails of the operator's invitations. Returns their number. They wait while no mail can be sent. */
export async function sendInvitations(context: ServiceContext): Promise<number> {
  const { db, now } = context;
  if (!canSendMail(context)) return 0;
  const invitations = await listUnsentInvitations(db, now);
  for (const { id, email, team } of invitations) {
    const token = newToken();
    const mail = await prepareMail(context, "invitation", email, { token, opening: invitationOf(team, null) });
    const batch = new Batch(db);
    addMail(batch, mail, now, invitationIsUnsent(id));
    setInvitationToken(batch, id, await hashToken(token), mail.id);
    await batch.commitWithRetry();
    deliverMails(context, mail.id);
  }
  return invitations.length;
}

/** The person who invites, as the mail names them. */
interface Inviter {
  name: string;
  email: string;
}

/** The first sentence of an invitation's mail. `inviter` is null for the operator. */
export const invitationOf =
  (team: string, inviter: Inviter | null) =>
  ({ invitation: { operator, invites } }: MailTexts): string =>
    invites(inviter === null ? operator : `${toPlain(inviter.name)} (${toPlain(inviter.email)})`, toPlain(team));

/** Invisible, and no part of a word: mail programs see no address in a text that has it in the middle. */
const WORD_JOINER = "\u2060";

/** A text that a stranger may have chosen, so that no mail program makes a link of it. */
function toPlain(text: string): string {
  return text.replaceAll(/[.:/@]/g, (mark) => mark + WORD_JOINER);
}
