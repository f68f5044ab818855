import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_MEMBERS_PER_TEAM } from "../../../src/limits.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "../people/support.ts";
import { freshAddress } from "../../support/address.ts";
import { internet } from "../../webhooks/support.ts";
import { accept, invite, makeTeam } from "./support.ts";

beforeEach(() => internet.reset());

const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

const signUpWith = (invitation: string, email: string, bindings = {}, browser = new Browser()) =>
  browser.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Bob Roe", invitation }, { bindings });

describe("the mail of an invitation", () => {
  it("names the team and the inviter, so that no mail program makes a link of a name", async () => {
    const team = await makeTeam();
    const { browser, email } = team.owner;
    await browser.patch("/api/auth/user", { name: "https://evil.example" });
    await browser.patch(`/api/teams/${team.id}`, { name: "<b>evil.example</b>" });
    const invited = newEmail();
    await browser.post(`/api/teams/${team.id}/invitations`, { email: invited, role: "viewer" });
    const mail = (await takeMails()).find(({ to }) => to === invited);
    const shown = mail?.text.replaceAll("\u2060", "");
    expect(shown).toContain(`https://evil.example (${email}) invites you to the team “<b>evil.example</b>”.`);
    expect(mail?.text).not.toContain("evil.example");
    expect(mail?.html).not.toContain("evil.example");
    expect(mail?.html).not.toContain("<b>");
    expect(mail?.subject).toBe("You are invited");
  });
});

describe("an invitation", () => {
  it("tells who has its token the team, the inviter, the address and the role", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email, "viewer");
    const { status, body } = await new Browser().post("/api/auth/invitation", { token });
    expect([status, body]).toEqual([
      200,
      {
        invitation: {
          team: { id: team.id, name: "Acme" },
          inviter: "Ann Lee",
          email,
          role: "viewer",
          expiresAt: expect.any(Number),
        },
      },
    ]);
    await env.DB.prepare("UPDATE invitations SET expires_at = ?1").bind(Date.now()).run();
    const dead = await new Browser().post("/api/auth/invitation", { token });
    expect([dead.status, dead.body]).toMatchObject([400, { details: [{ path: "token" }] }]);
  });

  it("signs its person up without a second mail, as a member of the team", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email, "admin");
    const browser = new Browser();
    const { status, body } = await signUpWith(token, email.toUpperCase(), { SIGN_UP: "invited" }, browser);
    expect([status, body]).toMatchObject([200, { session: { current: true }, user: { name: "Bob Roe" } }]);
    expect(await takeMails()).toEqual([]);
    const { accounts } = (await browser.get("/api/auth/session")).body;
    expect(accounts).toMatchObject([
      { kind: "personal", role: "owner", name: "Bob Roe" },
      { id: team.id, kind: "team", role: "admin" },
    ]);
    const userId = (body["user"] as { id: string }).id;
    const { results } = await env.DB.prepare(
      `SELECT e.action, e.target_id, a.uuid = ?2 AS in_team FROM audit_entries e JOIN accounts a ON a.id = e.account_id
       WHERE e.actor_id = ?1 ORDER BY in_team`,
    )
      .bind(userId, team.id)
      .all();
    expect(results).toEqual([
      { action: "user.sign_up", target_id: userId, in_team: 0 },
      { action: "member.add", target_id: userId, in_team: 1 },
    ]);
    // The token is used up, for a sign-up and for an answer.
    const again = await signUpWith(token, email);
    expect([again.status, again.body]).toMatchObject([400, { details: [{ path: "invitation" }] }]);
    expect((await browser.post("/api/teams/invitations/accept", { token })).status).toBe(400);
    const signIn = await new Browser().post("/api/auth/sign-in", { email, password: PASSWORD });
    expect(signIn.status).toBe(200);
  });

  it("signs up the invited address only, and nobody with a wrong, revoked or expired token", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email);
    const other = await signUpWith(token, newEmail());
    expect([other.status, other.body]).toMatchObject([400, { details: [{ path: "email" }] }]);
    expect((await signUpWith("wrong", email)).status).toBe(400);
    expect((await signUpWith(token, email, { SIGN_UP: "closed" })).status).toBe(403);
    await env.DB.prepare("UPDATE invitations SET expires_at = ?1").bind(Date.now()).run();
    expect((await signUpWith(token, email)).status).toBe(400);
    expect(await count("users")).toBe(1);
  });

  it("leaves a person who has an account to sign in", async () => {
    const team = await makeTeam();
    const person = await signUp();
    const token = await invite(team, person.email);
    const refused = await signUpWith(token, person.email);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    const signIn = await new Browser().post("/api/auth/sign-in", { email: person.email, password: PASSWORD });
    expect(signIn.status).toBe(200);
    expect((await accept(person, token)).status).toBe(200);
  });

  it("makes one user, when 20 requests use it at once, and ends links that verify the address", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email);
    const stranger = new Browser();
    await stranger.post("/api/auth/sign-up", { email, password: OTHER_PASSWORD, name: "A stranger" });
    const [verification] = await takeMails();
    const replies = await Promise.all(Array.from({ length: 20 }, () => signUpWith(token, email)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([await count("users"), await count("memberships"), await count("sessions")]).toEqual([2, 4, 2]);
    stranger.address = freshAddress();
    expect((await stranger.post("/api/auth/verify-email", { token: verification?.token })).status).toBe(400);
  });

  it("makes no user where the team is full", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email);
    const numbers = JSON.stringify(Array.from({ length: MAX_MEMBERS_PER_TEAM - 1 }, (_, index) => index));
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO users (id, email, email_key, name, created_at) SELECT 'u' || value, value, value, 'x', 0 FROM json_each(?1)",
      ).bind(numbers),
      env.DB.prepare(
        `INSERT INTO memberships (account_id, user_id, role, joined_at)
         SELECT a.id, 'u' || value, 'viewer', 0 FROM json_each(?1), accounts a WHERE a.uuid = ?2`,
      ).bind(numbers, team.id),
    ]);
    const users = await count("users");
    const refused = await signUpWith(token, email);
    expect([refused.status, refused.body.code]).toEqual([409, "limit_reached"]);
    expect(await count("users")).toBe(users);
  });
});
