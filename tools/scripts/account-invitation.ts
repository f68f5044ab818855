import { hashToken, newToken } from "../../src/platform/lib/token.ts";
import { linkOf } from "../../src/platform/mail/messages.ts";
import { findAccount } from "./account-quota.ts";
import { literal, ownerInvitationSql } from "./account-sql.ts";
import { targetArguments, type Target } from "./backup/target.ts";
import { Failure } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import { findMailProblem, readOrigin } from "./service.ts";
import type { Wrangler } from "./wrangler.ts";

/** How an invited person gets the link. */
interface Delivery {
  /** Of the token in the link; null: the service writes a mail, because only it can encrypt one. */
  tokenHash: string | null;
  /** For the operator, once the invitation is stored. */
  report: string;
}

/** Leaves the mail to a service that sends mails. For another, this makes the link. */
export async function prepareDelivery(target: Target, run: Wrangler, email: string): Promise<Delivery> {
  const problem = await findMailProblem(target, run);
  if (problem === null)
    return { tokenHash: null, report: `The service sends an invitation to ${email} within a minute.` };
  const token = newToken();
  const link = linkOf("invitation", await readOrigin(target, run), token);
  const report = `${problem} Hand this link over to ${email}, who signs up with it once, within 7 days:\n  ${link}`;
  return { tokenHash: await hashToken(token), report };
}

/** Invites a person as the owner of an account that nobody owns. The account's earlier invitations of owners end. */
export async function inviteOwner(target: Target, run: Wrangler, account: string, email: string): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  const { tokenHash, report } = await prepareDelivery(target, run, email);
  const [state] = await queryDatabase<AccountState>(
    target,
    run,
    `SELECT personal_user_id IS NOT NULL AS is_personal, deleted_at IS NOT NULL AS is_deleted,
       (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.account_id = accounts.id AND m.role = 'owner' LIMIT 1) AS owner
     FROM accounts WHERE uuid = ${literal(uuid)}`,
    ...ownerInvitationSql({ uuid, email, tokenHash }, Date.now()),
  );
  const named = `The account "${name}" (${uuid})`;
  if (state === undefined || state.is_deleted === 1) throw new Failure(`${named} is deleted.`);
  if (state.is_personal === 1) throw new Failure(`${named} belongs to one person, and nobody else can join it.`);
  if (state.owner !== null)
    throw new Failure(
      `${named} has the owner ${state.owner}. To let this person in:\n` +
        `  npm run account -- sign-in ${state.owner}${targetArguments(target)}`,
    );
  console.log(`Invited ${email} as the owner of the account "${name}" (${uuid}).\n${report}`);
}

/** Before the invitation. */
interface AccountState {
  is_personal: number;
  is_deleted: number;
  /** null: nobody. */
  owner: string | null;
}
