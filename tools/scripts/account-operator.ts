import { newId } from "../../src/platform/lib/uuid.ts";
import { emailKey } from "../../src/platform/mail/email-address.ts";
import { literal } from "./account-sql.ts";
import { missingIn } from "./announce.ts";
import type { Target } from "./backup/target.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

/** Makes the person with this address an operator of the service, or ends that. It counts from the person's next request. */
export async function setOperator(target: Target, run: Wrangler, email: string, isOperator: boolean): Promise<void> {
  const now = Date.now();
  const person = `FROM users u WHERE u.email_key = ${literal(emailKey(email))}`;
  const changes = `${isOperator ? "NOT " : ""}EXISTS (SELECT 1 FROM operators WHERE user_id = u.id)`;
  const [entryId, mailId] = [newId(now), newId(now)].map(literal);
  const [action, mail] = isOperator ? ["operator.add", "operator_added"] : ["operator.remove", "operator_removed"];
  const [found] = await queryDatabase<{ id: string }>(
    target,
    run,
    `SELECT u.id ${person}`,
    `INSERT INTO operator_entries (id, action, subject, created_at)
     SELECT ${entryId}, '${action}', u.id, ${now} ${person} AND ${changes} ON CONFLICT (id) DO NOTHING`,
    // The Worker writes the mail, because only it can encrypt.
    `INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at)
     SELECT ${mailId}, '${mail}', u.email, u.email_key, ${now}, ${now} ${person} AND ${changes} ON CONFLICT (id) DO NOTHING`,
    isOperator
      ? `INSERT INTO operators (user_id, added_at) SELECT u.id, ${now} ${person} ON CONFLICT (user_id) DO NOTHING`
      : `DELETE FROM operators WHERE user_id = (SELECT u.id ${person})`,
  );
  if (found === undefined) throw missingIn(target, `No person has the address ${email}`);
  console.log(
    isOperator
      ? `${email} is an operator now. The page is /app/admin, and needs a second factor.`
      : `${email} is no operator any more, from the next request on.`,
  );
}
