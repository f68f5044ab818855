import { newId } from "../../../src/platform/lib/uuid.ts";
import { hashPassword } from "../../../src/identity/people/password-hashing/scrypt.ts";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";

// A person with a session, a team, a colleague and second factors. They are in the database directly, so that each can be
// made again after a request has ended it.

/** The password of the examples in the OpenAPI document. */
const PASSWORD = "seventeen quiet lanterns";
/** A hash of the service takes a quarter of a second. */
const PASSWORD_HASH = hashPassword(PASSWORD, { n: 16, r: 8, p: 1 });

export interface FuzzPerson {
  email: string;
  userId: string;
  colleagueId: string;
  /** The ids of the person's session and of another one of theirs. */
  sessionId: string;
  otherSessionId: string;
  passkeyId: string;
  invitationId: string;
  /** The grant of an app for the personal account. */
  grantId: string;
  /** The personal account and a team, each with its id in responses. */
  accountId: number;
  account: string;
  teamId: number;
  team: string;
  /** The cookie of the session. */
  token: string;
}

/** Makes a person who owns a personal account and this team. `now` is the time of the service. */
export async function createPerson(
  db: D1Database,
  email: string,
  teamId: number,
  now = Date.now(),
): Promise<FuzzPerson> {
  const ids = Array.from({ length: 7 }, () => newId(now));
  const [userId = "", colleagueId = "", sessionId = "", otherSessionId = "", passkeyId = "", invitationId = ""] = ids;
  const grantId = ids[6] ?? "";
  const account = newId(now);
  const addUser = db.prepare("INSERT INTO users VALUES (?1, ?2, ?2, 'Ann Lee', NULL, ?3, '', NULL, NULL)");
  const created = await db.batch<{ id: number; uuid: string }>([
    addUser.bind(userId, email, now),
    addUser.bind(colleagueId, `colleague-of-${email}`, now),
    db
      .prepare(
        "INSERT INTO accounts (uuid, name, created_at, personal_user_id) VALUES (?1, 'Ann Lee', 0, ?2) RETURNING id, uuid",
      )
      .bind(account, userId),
    db.prepare("SELECT id, uuid FROM accounts WHERE id = ?1").bind(teamId),
  ]);
  const accountId = created[2]?.results[0]?.id ?? 0;
  const team = created[3]?.results[0]?.uuid ?? "";
  const others = { colleagueId, sessionId, otherSessionId, passkeyId, invitationId, grantId };
  const person = { email, userId, ...others, accountId, account, teamId, team, token: newToken() };
  await restorePerson(db, person, now);
  return person;
}

/** Makes everything again that requests may have changed or ended. */
export async function restorePerson(db: D1Database, person: FuzzPerson, now = Date.now()): Promise<void> {
  const { email, userId, colleagueId, sessionId, otherSessionId, passkeyId, invitationId, accountId, teamId } = person;
  const { grantId } = person;
  const hash = await hashToken(person.token);
  const session = (id: string, hash: string) =>
    `INSERT OR REPLACE INTO sessions VALUES
       ('${id}', '${hash}', '${userId}', ${now}, ${now}, ${now}, 'desktop', 'Firefox', 'Linux', NULL, NULL, NULL, NULL)`;
  const member = (account: number, user: string, role: string) =>
    `INSERT INTO memberships VALUES (${account}, '${user}', '${role}', 0)
       ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`;
  const statements = [
    `UPDATE users SET email = '${email}', email_key = '${email}', password_hash = '${PASSWORD_HASH}', name = 'Ann Lee'
       WHERE id = '${userId}'`,
    `DELETE FROM sessions WHERE user_id = '${userId}'`,
    session(sessionId, hash),
    session(otherSessionId, `other ${hash}`),
    member(accountId, userId, "owner"),
    member(teamId, userId, "owner"),
    member(teamId, colleagueId, "member"),
    `UPDATE accounts SET require_mfa = 0, link_defaults = NULL, deleted_at = NULL, deleted_with = NULL
       WHERE id IN (${accountId}, ${teamId})`,
    `DELETE FROM totp_factors WHERE user_id = '${userId}'`,
    "DELETE FROM guesses",
    `INSERT OR REPLACE INTO passkeys VALUES
       ('${passkeyId}', '${userId}', 'Laptop', '${passkeyId}', '${passkeyId}', 'AA', 0, '[]', 0, 0, NULL)`,
    `INSERT OR REPLACE INTO oauth_grants VALUES
       ('${grantId}', ${accountId}, '${userId}', 'hash', 'Assistant', NULL, 'https://a.example/', '["links:read"]', '[]',
        ${now}, ${now}, ${now + 1e9}, NULL, '/api', ${now})`,
    `DELETE FROM invitations WHERE account_id = ${teamId}`,
    `INSERT INTO invitations VALUES
       ('${invitationId}', ${teamId}, 'invited@example.com', 'invited@example.com', 'member', NULL, '${userId}', ${now},
        ${now + 1e9}, NULL)`,
  ];
  // One text: each call of this database by a test is a request of its own, that of `bind` too.
  await db.prepare(statements.join(";\n")).run();
}

/**
 * They need a token of a mail, a code, the answer of an authenticator, the request of an app, the name of the account, the id of
 * an export or a link of the person's account, or are for operators, or exist on localhost only or where no mail
 * can be sent. test/identity/people, test/identity/oauth,
 * test/identity/account, test/moving/exports, test/links/destinations and test/safety call them.
 */
export const NEED_SECRETS = new Set([
  "POST /api/auth/verify-email",
  "POST /api/claim",
  "POST /api/auth/invitation",
  "POST /api/auth/sign-in/link",
  "POST /api/auth/sign-in/mfa/options",
  "POST /api/auth/sign-in/mfa",
  "POST /api/auth/confirm",
  "POST /api/auth/password/reset",
  "POST /api/auth/email/confirm",
  "POST /api/auth/email/undo",
  "POST /api/auth/mfa/undo",
  "POST /api/auth/mfa/totp/confirm",
  "DELETE /api/auth/mfa/totp",
  "POST /api/auth/passkeys",
  "POST /api/auth/passkeys/sign-in",
  "POST /api/auth/apps/describe",
  "POST /api/auth/apps/decide",
  "GET /api/auth/outbox",
  "POST /api/teams/{id}/members/{userId}/password-reset",
  "POST /api/teams/invitations/accept",
  "POST /api/teams/invitations/decline",
  "DELETE /api/account",
  "DELETE /api/teams/{id}",
  "GET /api/account/exports/{id}",
  "GET /api/account/exports/{id}/file",
  "GET /api/account/icons/{id}",
  "GET /api/account/mail-reports/stop",
  "POST /api/account/mail-reports/stop",
  "POST /api/account/mail-reports",
  "PATCH /api/account/mail-reports/{id}",
  "DELETE /api/account/mail-reports/{id}",
  "PATCH /api/account/views/{id}",
  "DELETE /api/account/views/{id}",
  "POST /api/admin/takedowns",
  "GET /api/admin/takedowns",
  "DELETE /api/admin/takedowns/{id}",
  "GET /api/admin/audit",
  "GET /api/admin/accounts",
  "POST /api/admin/accounts",
  "GET /api/admin/links",
  "GET /api/admin/hosts",
  "GET /api/admin/status",
  "POST /api/admin/screening",
  "GET /api/admin/screening",
  "DELETE /api/admin/screening/{id}",
  "GET /api/admin/reports",
  "POST /api/admin/reports/{id}/decision",
  "POST /api/admin/reports/dismissals",
  "GET /api/admin/appeals",
  "POST /api/admin/appeals/{id}/decision",
  "POST /api/account/takedowns/{id}/appeal",
]);

/** Lets everybody sign up. Mails go to a receiver; nobody is asked whether a password is known from a breach. */
export const PERSONS = {
  SIGN_UP: "open",
  MAIL_FROM: "tern@tern.test",
  MAIL_API_TOKEN: "token",
  PASSWORD_RANGE_URL: "",
};

/** The ids of the person and of what they have, by which requests name it. */
export function idsOf(person: FuzzPerson): string[] {
  const { team, account, userId, colleagueId, sessionId, otherSessionId, passkeyId, invitationId, grantId } = person;
  return [team, account, userId, colleagueId, sessionId, otherSessionId, passkeyId, invitationId, grantId];
}
