import { env } from "cloudflare:workers";
import type { Role } from "../../../src/platform/auth/roles.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";
import { createAccount } from "../../support/api.ts";

// Persons and sessions that are written into the database directly, because a sign-up takes many requests.

/** A person with a session, and the uuid of an account in which they have the role. */
export async function addMember(role: Role): Promise<{ cookie: string; account: string; key: string }> {
  const { accountId, key } = await createAccount();
  const account = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(accountId).first<string>("uuid");
  const cookie = await addPerson();
  await env.DB.prepare(`INSERT INTO memberships SELECT ?1, user_id, ?2, 0 FROM sessions WHERE hash = ?3`)
    .bind(accountId, role, await hashToken(cookie))
    .run();
  return { cookie, account: account ?? "", key };
}

/** A person without accounts. */
export async function addPerson(): Promise<string> {
  const [user, cookie, now] = [newId(Date.now()), newToken(), Date.now()];
  await env.DB.batch([
    env.DB.prepare("INSERT INTO users VALUES (?1, ?1, ?1, 'Ann', NULL, 0, '', NULL, NULL)").bind(user),
    env.DB.prepare("INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?4, ?4, '', '', '', NULL, NULL, NULL, NULL)").bind(
      newId(now),
      await hashToken(cookie),
      user,
      now,
    ),
  ]);
  return cookie;
}

/** A further session of the person; some operations end the one that calls them. */
export async function addSessionOf({ account }: { account: string }): Promise<string> {
  const [further, now] = [newToken(), Date.now()];
  const user = await env.DB.prepare(
    "SELECT user_id FROM memberships WHERE account_id = (SELECT id FROM accounts WHERE uuid = ?1)",
  )
    .bind(account)
    .first<string>("user_id");
  await env.DB.prepare("INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?4, ?4, '', '', '', NULL, NULL, NULL, NULL)")
    .bind(newId(now), await hashToken(further), user, now)
    .run();
  return further;
}
