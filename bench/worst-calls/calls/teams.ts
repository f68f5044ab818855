import { MAX_ACCOUNT_NAME_CHARS, MAX_MEMBERS_PER_TEAM, MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import { hashToken, newToken } from "../../../src/lib/token.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { DESTINATION } from "../../runtime.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import { fill, personCall, type PersonAsk } from "./person.ts";
import { MAX_CLAIMS_PER_BROWSER } from "../../../src/links/limits.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM, MAX_TEAMS_PER_OWNER } from "../../../src/teams/limits.ts";

// The account that a person acts for, and teams.

const PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}`;

const get = (path: string): PersonAsk => ({ method: "GET", path });
const longName = () => ({ name: randomText(MAX_ACCOUNT_NAME_CHARS) });

/** Other members up to the maximum, without one place for an invitation. */
async function fillMembers(account: FilledAccount): Promise<void> {
  const id = "format('01920b5c-7d6a-7c3e-9b1f-%012x', i)";
  const members = MAX_MEMBERS_PER_TEAM - 3;
  await fill(
    account,
    "users (id, email, email_key, name, created_at, device_epoch)",
    `${id}, 'm' || i || '@example.com', 'm' || i || '@example.com', 'Ann', 0, ''`,
    members,
  );
  await fill(account, "memberships", `${account.person.teamId}, ${id}, 'member', 0`, members);
}

/** Pending invitations up to one below the maximum. */
async function fillInvitations(account: FilledAccount): Promise<void> {
  const id = "format('01920b5c-7d6a-7c3e-9b1f-%012x', i)";
  const address = "'i' || i || '@example.com'";
  const values = `${id}, ${account.person.teamId}, ${address}, ${address}, 'member', NULL, NULL, 0, 4e12, NULL`;
  await fill(account, "invitations", values, MAX_PENDING_INVITATIONS_PER_TEAM - 2);
}

/** Teams of the person up to one below the maximum. */
async function fillTeams(account: FilledAccount): Promise<void> {
  const { userId, teamId, accountId } = account.person;
  const { db } = account.server;
  await fill(
    account,
    "accounts (uuid, name, created_at)",
    "format('01920b5c-7d6a-7c3e-9b1f-%012x', i), 'Filled', 0",
    MAX_TEAMS_PER_OWNER - 2,
  );
  // The owner of the calls before gives them to nobody, so that there is room.
  await db
    .prepare("INSERT OR IGNORE INTO users VALUES ('keeper', 'keeper', 'keeper', 'Keeper', NULL, 0, '', NULL)")
    .run();
  const others = "SELECT account_id FROM memberships WHERE user_id = ?1 AND account_id NOT IN (?2, ?3)";
  await db
    .prepare(`INSERT OR IGNORE INTO memberships SELECT account_id, 'keeper', 'owner', 0 FROM (${others})`)
    .bind(userId, accountId, teamId)
    .run();
  await db
    .prepare(`DELETE FROM memberships WHERE user_id = ?1 AND account_id NOT IN (?2, ?3)`)
    .bind(userId, accountId, teamId)
    .run();
  await db
    .prepare("INSERT OR IGNORE INTO memberships SELECT id, ?1, 'owner', 0 FROM accounts WHERE name = 'Filled'")
    .bind(userId)
    .run();
}

/** An invitation of the person to another team; returns its token. */
async function inviteToOther(account: FilledAccount): Promise<string> {
  const { db } = account.server;
  await fillTeams(account);
  const { userId, email } = account.person;
  const team = await db.prepare("SELECT min(id) AS id FROM accounts WHERE name = 'Filled'").first<number>("id");
  await db.prepare("INSERT OR IGNORE INTO memberships VALUES (?1, 'keeper', 'owner', 0)").bind(team).run();
  await db.prepare("DELETE FROM memberships WHERE account_id = ?1 AND user_id = ?2").bind(team, userId).run();
  const token = newToken();
  await db
    .prepare("INSERT INTO invitations VALUES (?1, ?2, ?3, ?3, 'member', ?4, NULL, 0, 4e12, NULL)")
    .bind(crypto.randomUUID(), team, email, await hashToken(token))
    .run();
  return token;
}

let claimed = 0;

/** As many anonymous links as a browser can claim. */
async function addClaims({ server }: FilledAccount): Promise<string> {
  const first = ++claimed * MAX_CLAIMS_PER_BROWSER;
  const last = first + MAX_CLAIMS_PER_BROWSER - 1;
  const secret = newToken();
  await insertLinks(server.db, { prefix: "claim", first, last, url: DESTINATION });
  await server.db
    .prepare(
      `UPDATE links SET expires_at = 4e12 WHERE domain = '' AND slug IN
         (SELECT 'claim' || value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(Array.from({ length: MAX_CLAIMS_PER_BROWSER }, (_, n) => first + n)))
    .run();
  await server.db
    .prepare(
      `INSERT INTO link_claims (link_seq, link_id, hash, created_at)
       SELECT seq, id, ?1, 0 FROM links WHERE domain = '' AND slug IN (SELECT 'claim' || value FROM json_each(?2))`,
    )
    .bind(await hashToken(secret), JSON.stringify(Array.from({ length: MAX_CLAIMS_PER_BROWSER }, (_, n) => first + n)))
    .run();
  return secret;
}

const ofTeam = ({ person }: FilledAccount) => `/api/teams/${person.team}`;

export const teamCalls = {
  "GET /api/account": [personCall("an account", () => get("/api/account"))],
  "PATCH /api/account": [
    personCall("the longest name", () => ({ method: "PATCH", path: "/api/account", body: longName() })),
  ],
  "GET /api/account/role": [personCall("a role", () => get("/api/account/role"))],
  "GET /api/account/audit": [
    personCall("a page of 100 entries", async (account) => {
      const { accountId, userId } = account.person;
      const entry = `format('01920b5c-7d6a-7c3e-9b1f-%012x', i), ${accountId}, 'user', '${userId}', 'account.update', 0`;
      await fill(
        account,
        "audit_entries (id, account_id, actor_type, actor_id, action, created_at)",
        entry,
        MAX_PAGE_SIZE_ITEMS + 1,
      );
      return get(`/api/account/audit?${PAGE}`);
    }),
  ],
  "POST /api/account/claims": [
    personCall("fifty links", async (account) => ({
      method: "POST",
      path: "/api/account/claims",
      cookies: { "tern-claims": await addClaims(account) },
    })),
  ],
  "POST /api/teams": [
    personCall("the last of twenty teams", async (account) => {
      await fillTeams(account);
      return { method: "POST", path: "/api/teams", body: longName() };
    }),
  ],
  "GET /api/teams": [
    personCall("nineteen teams", async (account) => {
      await fillTeams(account);
      return get(`/api/teams?${PAGE}`);
    }),
  ],
  "GET /api/teams/:id": [personCall("a team", (account) => get(ofTeam(account)))],
  "PATCH /api/teams/:id": [
    personCall("the longest name", (account) => ({ method: "PATCH", path: ofTeam(account), body: longName() })),
  ],
  "GET /api/teams/:id/members": [
    personCall("a page of 100 members", async (account) => {
      await fillMembers(account);
      return get(`${ofTeam(account)}/members?${PAGE}`);
    }),
  ],
  "GET /api/teams/:id/members/:userId/access": [
    personCall("what a member made", (account) =>
      get(`${ofTeam(account)}/members/${account.person.colleagueId}/access`),
    ),
  ],
  "PATCH /api/teams/:id/members/:userId": [
    personCall("a role, with its mail", (account) => ({
      method: "PATCH",
      path: `${ofTeam(account)}/members/${account.person.colleagueId}`,
      body: { role: "admin" },
    })),
  ],
  "DELETE /api/teams/:id/members/:userId": [
    personCall("a member, with the mail", (account) => ({
      method: "DELETE",
      path: `${ofTeam(account)}/members/${account.person.colleagueId}`,
    })),
  ],
  "POST /api/teams/:id/invitations": [
    personCall("the last of fifty invitations, with its mail", async (account) => {
      await fillInvitations(account);
      const email = `${randomText(40).toLowerCase()}@example.com`;
      return { method: "POST", path: `${ofTeam(account)}/invitations`, body: { email, role: "member" } };
    }),
  ],
  "GET /api/teams/:id/invitations": [
    personCall("49 invitations", async (account) => {
      await fillInvitations(account);
      return get(`${ofTeam(account)}/invitations?${PAGE}`);
    }),
  ],
  "DELETE /api/teams/:id/invitations/:invitationId": [
    personCall("an invitation", (account) => ({
      method: "DELETE",
      path: `${ofTeam(account)}/invitations/${account.person.invitationId}`,
    })),
  ],
  "POST /api/auth/invitation": [
    personCall("an invitation", async (account) => ({
      method: "POST",
      path: "/api/auth/invitation",
      body: { token: await inviteToOther(account) },
      isVisitor: true,
    })),
  ],
  "POST /api/teams/invitations/accept": [
    personCall("a person with eighteen teams", async (account) => ({
      method: "POST",
      path: "/api/teams/invitations/accept",
      body: { token: await inviteToOther(account) },
    })),
  ],
  "POST /api/teams/invitations/decline": [
    personCall("an invitation", async (account) => ({
      method: "POST",
      path: "/api/teams/invitations/decline",
      body: { token: await inviteToOther(account) },
    })),
  ],
  "POST /api/teams/:id/transfer": [
    personCall("to a member, with the mails", (account) => ({
      method: "POST",
      path: `${ofTeam(account)}/transfer`,
      body: { userId: account.person.colleagueId },
    })),
  ],
} satisfies Record<string, WorstCall[]>;
