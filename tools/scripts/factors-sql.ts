import { newId } from "../../src/platform/lib/uuid.ts";
import { emailKey } from "../../src/platform/mail/email-address.ts";
import { literal } from "./account-sql.ts";

/** The factors that {@link resetFactorsSql} removes. */
export interface RemovedFactors {
  apps: number;
  passkeys: number;
  codes: number;
}

const TABLES = { apps: "totp_factors", passkeys: "passkeys", codes: "recovery_codes" };

/**
 * Returns the statements that remove the second factors of the person with this address and end the sessions and the connected apps. The first one
 * returns a row of {@link RemovedFactors} if there is such a person. The Worker writes the mail to the person, because only
 * it can encrypt.
 */
export function resetFactorsSql(email: string, now: number): string[] {
  const person = `FROM users u WHERE u.email_key = ${literal(emailKey(email))}`;
  const counts = Object.entries(TABLES).map(
    ([name, table]) => `(SELECT count(*) FROM ${table} WHERE user_id = u.id) AS ${name}`,
  );
  const [entryId, mailId] = [newId(now), newId(now)].map(literal);
  return [
    `SELECT ${counts.join(", ")} ${person}`,
    `INSERT INTO audit_entries (id, account_id, actor_type, action, target_id, created_at)
     SELECT ${entryId}, (SELECT id FROM accounts WHERE personal_user_id = u.id), 'operator', 'factors.reset', u.id, ${now} ${person}
       AND EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = u.id) ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at)
     SELECT ${mailId}, 'factors_reset', u.email, u.email_key, ${now}, ${now} ${person} ON CONFLICT (id) DO NOTHING`,
    ...["sessions", "oauth_grants", ...Object.values(TABLES)].map(
      (table) => `DELETE FROM ${table} WHERE user_id = (SELECT id ${person})`,
    ),
    `UPDATE users SET device_epoch = ${entryId} WHERE email_key = ${literal(emailKey(email))}`,
    `DELETE FROM tokens WHERE purpose IN ('reset_password', 'second_step', 'sign_in_link') AND subject = (SELECT id ${person})`,
  ];
}
