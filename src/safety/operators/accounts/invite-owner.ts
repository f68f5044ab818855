import { conflict } from "../../../platform/http/errors.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { INVITATION_TTL_MS } from "../../../limits.ts";
import { sendInvitations } from "../../../identity/people/invitations/send.ts";
import { requireMail } from "../../../platform/mail/send.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { operatorActs } from "../../../access/sessions/store/operators.ts";
import { noOperator, toEntry } from "../operator-entry.ts";
import type { FoundAccount } from "../search/contract.ts";
import type { InviteOwner } from "./contract.ts";
import * as store from "./store.ts";

/**
 * Makes an account and invites a person as its owner. Throws a 409 if the operators have a pending invitation of the
 * address, and a 503 if no mail can be sent.
 */
export async function inviteOwner(context: SessionContext, { name, email }: InviteOwner): Promise<FoundAccount> {
  const { db, now, session } = context;
  requireMail(context);
  const invitation = { id: newId(now), email, expiresAt: now + INVITATION_TTL_MS };
  const account = { uuid: newId(now), name, createdAt: now, invitation };
  const entry = toEntry(context, "account.invite", email, { name, accountId: account.uuid });
  const fault = await store.insertAccount(db, account, entry, operatorActs(session.id, session.user.id));
  if (fault === "not_allowed") throw noOperator();
  if (fault === "invited") throw conflict("exists", { resource: "invitation", value: email });
  // The cron sends what a failure kept from being sent.
  context.waitUntil(sendInvitations(context));
  return {
    id: account.uuid,
    name,
    kind: "team",
    owners: [],
    invited: email,
    links: 0,
    isTrusted: true,
    createdAt: now,
    disabledAt: null,
    deletedAt: null,
    takedownId: null,
  };
}
