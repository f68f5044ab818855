import { RESET_PASSWORD_TTL_MS } from "../../src/identity/people/limits.ts";
import { hashToken, newToken } from "../../src/platform/lib/token.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { emailKey } from "../../src/platform/mail/email-address.ts";
import { linkOf } from "../../src/platform/mail/messages.ts";
import { literal } from "./account-sql.ts";
import { missingIn } from "./announce.ts";
import type { Target } from "./backup/target.ts";
import { queryDatabase } from "./database-query.ts";
import { OPERATOR_LINK_TTL_MS } from "./limits.ts";
import { readOrigin } from "./service.ts";
import type { Wrangler } from "./wrangler.ts";

/**
 * Makes a link with which the person signs in once, and one with which the person sets a new password. Both end older ones. Second
 * factors are still asked for, and the person is told.
 */
export async function makeSignInLink(target: Target, run: Wrangler, email: string): Promise<void> {
  const now = Date.now();
  const origin = await readOrigin(target, run);
  const person = `FROM users u WHERE u.email_key = ${literal(emailKey(email))}`;
  const [signIn, reset] = [newToken(), newToken()];
  const [auditId, entryId, mailId] = [newId(now), newId(now), newId(now)].map(literal);
  const addToken = async (token: string, purpose: string, payload: object, lifetimeMs: number) =>
    `INSERT INTO tokens (hash, purpose, subject, payload, created_at, expires_at)
     SELECT ${literal(await hashToken(token))}, '${purpose}', u.id, ${literal(JSON.stringify(payload))}, ${now}, ${now + lifetimeMs} ${person}
     ON CONFLICT (hash) DO NOTHING`;
  const [found] = await queryDatabase<{ id: string }>(
    target,
    run,
    `SELECT u.id ${person}`,
    `DELETE FROM tokens WHERE subject = (SELECT u.id ${person}) AND purpose IN ('sign_in_link', 'reset_password') AND used_by IS NULL`,
    await addToken(signIn, "sign_in_link", { by: "operator" }, OPERATOR_LINK_TTL_MS),
    await addToken(reset, "reset_password", {}, RESET_PASSWORD_TTL_MS),
    `INSERT INTO audit_entries (id, account_id, actor_type, action, target_id, created_at)
     SELECT ${auditId}, a.id, 'operator', 'user.sign_in_link', u.id, ${now}
     FROM users u JOIN accounts a ON a.personal_user_id = u.id WHERE u.email_key = ${literal(emailKey(email))}
     ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO operator_entries (id, action, subject, created_at)
     SELECT ${entryId}, 'person.sign_in_link', u.id, ${now} ${person} ON CONFLICT (id) DO NOTHING`,
    // The Worker writes the mail, because only it can encrypt.
    `INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at)
     SELECT ${mailId}, 'sign_in_link_made', u.email, u.email_key, ${now}, ${now} ${person} ON CONFLICT (id) DO NOTHING`,
  );
  if (found === undefined) throw missingIn(target, `No person has the address ${email}`);
  console.log(
    `Links of ${email}. Each works once, asks for the second factor, and is not shown again.\n` +
      `To sign in, within 15 minutes:\n  ${origin}/app/sign-in#token=${signIn}\n` +
      `To set a new password, within an hour:\n  ${linkOf("reset_password", origin, reset)}`,
  );
}
