import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf } from "../../../platform/database/parameters.ts";
import { conflict, forbidden, invalidField } from "../../../platform/http/errors.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import * as answers from "../invitations/store/answers.ts";
import { requireGoodPassword } from "../password-strength/require-good-password.ts";
import { hashPassword } from "../password-hashing/hasher-stub.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { startSession } from "../../../access/sessions/start-session.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { voidTokens } from "../tokens/store.ts";
import { hashToken } from "../../../platform/lib/token.ts";
import { addUser, findUser, findUserByEmail } from "../users/store.ts";
import { signUpPolicyOf } from "./may-sign-up.ts";
import type { NewSignIn, SignUp } from "./sign-up.ts";
import { teamIsFull } from "../invitations/answers.ts";

/**
 * Signs a person up with the token of an invitation, and makes the person a member of the team. The token was sent to the
 * address and to nobody else, so it proves the address as the mail of an ordinary sign-up does. Where no mail can be sent, whoever
 * handed the link over vouches for the address. The token is used up: the user, the
 * membership and the session are made in one transaction, or none of them.
 */
export async function signUpInvited(
  context: VisitorContext,
  { email, password, name, invitation: token }: SignUp & { invitation: string },
): Promise<NewSignIn> {
  const { env, db, now, requestId } = context;
  const invitation = await answers.findOpenInvitation(db, await hashToken(token), now);
  if (invitation === null) throw deadToken("invitation");
  if (emailKey(email) !== emailKey(invitation.email)) throw invalidField("email", "not_the_invited");
  if (signUpPolicyOf(context) === "closed") throw forbidden("sign_up_closed");
  // The invitation went to this person, who therefore may know it.
  if ((await findUserByEmail(db, email)) !== null) throw hasUser();
  await requireGoodPassword(context, password, { name, email, accounts: [invitation.team.name] });
  const passwordHash = await hashPassword(env, password);

  const userId = newId(now);
  const answer = { invitationId: invitation.id, userId, requestId };
  const { accountId } = invitation;
  const batch = new Batch(db);
  const room = addCheck(batch, answers.hasRoomToJoin(accountId));
  const mayJoin = allOf(answers.isOpen(answer, now), answers.hasRoomToJoin(accountId));
  const newUser = { id: userId, email, name, passwordHash, accountUuid: newId(now), trustAt: null };
  addUser(batch, newUser, now, mayJoin);
  const claimed = answers.claimInvitation(batch, answer, now, answers.hasRoomToJoin(accountId));
  const joined = answers.isAnswered(answer);
  answers.addInvitedMember(batch, answer, now);
  voidTokens(batch, emailKey(email), ["verify_email"], joined);
  const session = await startSession(batch, context, userId, joined);
  addPersonEntry(batch, context, userId, { action: "user.sign_up", targetId: userId }, joined);
  const membership = { account: { id: accountId }, action: "member.add", targetId: userId } as const;
  addPersonEntry(batch, context, userId, membership, joined);
  await batch.commitWithRetry();
  if (room.first === undefined) throw teamIsFull();
  const user = claimed.first === undefined ? null : await findUser(db, userId);
  // Another request has used the invitation, or the address has got a user in another way.
  if (user === null) throw deadToken("invitation");
  return { session, user };
}

const hasUser = () => conflict("has_account");
