import type { ServiceContext } from "../../context.ts";
import { Batch } from "../../database/batch.ts";
import { deliverMails, prepareMail } from "../mail/send.ts";
import { addMail } from "../mail/store.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import { describeInvitation } from "./mail.ts";
import { invitationIsUnsent, listUnsentInvitations, setInvitationToken } from "./store/invitations.ts";

/** Sends the mails of the operator's invitations. Returns their number. */
export async function sendInvitations(context: ServiceContext): Promise<number> {
  const { env, now } = context;
  const invitations = await listUnsentInvitations(env.DB, now);
  for (const { id, email, team } of invitations) {
    const token = newToken();
    const mail = await prepareMail(context, "invitation", email, token, describeInvitation(team, null));
    const batch = new Batch(env.DB);
    addMail(batch, mail, now, invitationIsUnsent(id));
    setInvitationToken(batch, id, await hashToken(token), mail.id);
    await batch.commitWithRetry();
    deliverMails(context, mail.id);
  }
  return invitations.length;
}
