import { newId } from "../../src/platform/lib/uuid.ts";
import { SIGN_IN_LINK_TTL_MS } from "./limits.ts";
import { hashToken, newToken } from "../../src/platform/lib/token.ts";

const DEMO_EMAIL = "demo@example.com";

/** The person who owns the demo account, and the token with which a browser signs in once. */
export interface DemoPerson {
  id: string;
  email: string;
  token: string;
}

/** Makes an owner for the account unless it has one, and a new token, which replaces that of the last start. */
export async function demoPerson(database: D1Database, accountId: number, now: number): Promise<DemoPerson> {
  const owner = (await findOwner(database, accountId)) ?? (await addOwner(database, accountId, now));
  const token = newToken();
  await database.batch([
    database.prepare("DELETE FROM tokens WHERE subject = ?1 AND purpose = 'sign_in_link'").bind(owner.id),
    database
      .prepare(
        `INSERT INTO tokens (hash, purpose, subject, payload, created_at, expires_at)
         VALUES (?1, 'sign_in_link', ?2, '{}', ?3, ?4)`,
      )
      .bind(await hashToken(token), owner.id, now, now + SIGN_IN_LINK_TTL_MS),
  ]);
  return { ...owner, token };
}

interface Owner {
  id: string;
  email: string;
}

function findOwner(database: D1Database, accountId: number): Promise<Owner | null> {
  return database
    .prepare(
      `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.account_id = ?1 AND m.role = 'owner' ORDER BY m.joined_at LIMIT 1`,
    )
    .bind(accountId)
    .first<Owner>();
}

/** The person has no password. An account that replaces the demo account of the last start becomes a team of the same person. */
async function addOwner(database: D1Database, accountId: number, now: number): Promise<Owner> {
  await database.batch([
    database
      .prepare(
        `INSERT INTO users (id, email, email_key, name, created_at) VALUES (?1, ?2, ?2, 'Demo', ?3) ON CONFLICT DO NOTHING`,
      )
      .bind(newId(now), DEMO_EMAIL, now),
    database
      .prepare(
        `UPDATE accounts SET personal_user_id = (SELECT id FROM users WHERE email_key = ?2)
         WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts a JOIN users u ON u.id = a.personal_user_id WHERE u.email_key = ?2)`,
      )
      .bind(accountId, DEMO_EMAIL),
    database
      .prepare(
        `INSERT INTO memberships (account_id, user_id, role, joined_at)
         SELECT ?1, id, 'owner', ?3 FROM users WHERE email_key = ?2`,
      )
      .bind(accountId, DEMO_EMAIL, now),
  ]);
  const owner = await findOwner(database, accountId);
  if (owner === null) throw new Error("the demo account has no owner");
  return owner;
}
