import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { INVITATION_TTL_MS } from "../../../src/limits.ts";
import { runCron } from "../../../src/cron.ts";
import { freshAddress } from "../../support/address.ts";
import { newEmail, PASSWORD, Browser, forgetConfirmation, signUp, takeMails } from "../people/support.ts";
import { accept, invite, join, makeTeam } from "./support.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM } from "../../../src/identity/teams/limits.ts";

const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

describe("an invitation", () => {
  it("lets the invited person sign up and join, also where nobody else may sign up", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const token = await invite(team, email.toUpperCase(), "admin");
    const bindings = { SIGN_UP: "invited" };
    const browser = new Browser();
    await browser.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Bob" }, { bindings });
    const [mail] = await takeMails();
    const { body } = await browser.post("/api/auth/verify-email", { token: mail?.token });
    browser.address = freshAddress();
    const listed = (await team.owner.browser.get(`/api/teams/${team.id}/invitations`)).body;
    expect(listed).toMatchObject({
      invitations: [{ email: email.toUpperCase(), role: "admin", invitedBy: team.owner.userId }],
      nextCursor: null,
    });
    const joined = await browser.post("/api/teams/invitations/accept", { token });
    expect(joined.body).toMatchObject({ team: { id: team.id, role: "admin" } });
    expect((await browser.post("/api/teams/invitations/accept", { token })).status).toBe(400);
    const { members } = (await browser.get(`/api/teams/${team.id}/members`)).body;
    expect(members).toMatchObject([
      { userId: (body["user"] as { id: string }).id, name: "Bob", email, role: "admin" },
      { userId: team.owner.userId, role: "owner" },
    ]);
    expect((await browser.get(`/api/teams/${team.id}/invitations`)).body["invitations"]).toEqual([]);
  });

  it("works for the invited address only, as it is when the answer comes", async () => {
    const team = await makeTeam();
    const [invited, thief] = [await signUp(), await signUp()];
    const token = await invite(team, invited.email, "owner");
    for (const path of ["accept", "decline"]) {
      const reply = await thief.browser.post(`/api/teams/invitations/${path}`, { token });
      expect([reply.status, reply.body]).toMatchObject([403, { details: [{ code: "other_address" }] }]);
      expect((await new Browser().post(`/api/teams/invitations/${path}`, { token })).status).toBe(401);
    }
    // The person's address has changed since.
    await env.DB.prepare("UPDATE users SET email = 'x@example.com', email_key = 'x@example.com' WHERE id = ?1")
      .bind(invited.userId)
      .run();
    expect((await accept(invited, token)).status).toBe(403);
    expect(await env.DB.prepare("SELECT answered_by FROM invitations").first("answered_by")).toBeNull();
    expect(await count("memberships")).toBe(4);
  });

  it("is answered once by 40 requests at once", async () => {
    const team = await makeTeam();
    const invited = await signUp();
    const token = await invite(team, invited.email, "viewer");
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        invited.browser.post(
          `/api/teams/invitations/${index % 2 === 0 ? "accept" : "decline"}`,
          { token },
          { headers: { "CF-Connecting-IP": freshAddress() } },
        ),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(39);
    const entries = await env.DB.prepare(
      "SELECT count(*) AS n FROM audit_entries WHERE action IN ('member.add', 'invitation.decline')",
    ).first("n");
    expect(entries).toBe(1);
  });

  it("ends when it is declined, revoked, replaced or too old", async () => {
    const team = await makeTeam();
    const invited = await signUp();
    const { browser } = team.owner;
    const declined = await invite(team, invited.email);
    expect((await invited.browser.post("/api/teams/invitations/decline", { token: declined })).status).toBe(200);
    expect((await accept(invited, declined)).status).toBe(400);

    const replaced = await invite(team, invited.email);
    const revoked = await invite(team, invited.email, "viewer");
    expect((await accept(invited, replaced)).status).toBe(400);
    const { invitations } = (await browser.get(`/api/teams/${team.id}/invitations`)).body as {
      invitations: { id: string; role: string }[];
    };
    expect(invitations).toMatchObject([{ role: "viewer" }]);
    const path = `/api/teams/${team.id}/invitations/${invitations[0]?.id.toUpperCase()}`;
    expect([(await browser.delete(path)).status, (await browser.delete(path)).status]).toEqual([200, 404]);
    expect((await accept(invited, revoked)).status).toBe(400);
    // The mails of an address are limited, and nothing is pending without one.
    const tooMany = await browser.post(`/api/teams/${team.id}/invitations`, { email: invited.email, role: "viewer" });
    expect([tooMany.status, tooMany.body.code]).toEqual([429, "rate_limited"]);

    const late = await signUp();
    const old = await invite(team, late.email);
    await env.DB.prepare("UPDATE invitations SET expires_at = ?1").bind(Date.now()).run();
    expect((await accept(late, old)).status).toBe(400);
    const context = {
      env,
      db: env.DB,
      now: Date.now() + INVITATION_TTL_MS + 1,
      baseUrl: "https://tern.test",
      waitUntil: () => {},
    };
    await runCron(context);
    expect(await count("invitations")).toBe(0);
  });

  it("goes to nobody who is a member, and at most 50 are pending", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const { browser } = team.owner;
    const send = (email: string) => browser.post(`/api/teams/${team.id}/invitations`, { email, role: "member" });
    const again = await send(member.email.toUpperCase());
    expect([again.status, again.body]).toMatchObject([409, { details: [{ code: "is_member" }] }]);
    await env.DB.prepare(
      `INSERT INTO invitations (id, account_id, email, email_key, role, token_hash, created_at, expires_at)
       SELECT 'i' || value, (SELECT id FROM accounts WHERE uuid = ?1), 'p' || value || '@example.com',
         'p' || value || '@example.com', 'viewer', 'h' || value, 0, ?2 FROM json_each(?3)`,
    )
      .bind(
        team.id,
        Date.now() + INVITATION_TTL_MS,
        JSON.stringify(Array.from({ length: MAX_PENDING_INVITATIONS_PER_TEAM - 1 }, (_, n) => n)),
      )
      .run();
    expect((await send("first@example.com")).status).toBe(201);
    expect((await send("second@example.com")).body.code).toBe("limit_reached");
    expect((await send("first@example.com")).status).toBe(201);
    await forgetConfirmation();
    expect((await send("first@example.com")).body.code).toBe("confirm_identity");
  });

  it("keeps the role of a person who is a member by then", async () => {
    const team = await makeTeam();
    const invited = await signUp();
    const token = await invite(team, invited.email, "viewer");
    await env.DB.prepare("INSERT INTO memberships SELECT id, ?1, 'admin', 0 FROM accounts WHERE uuid = ?2")
      .bind(invited.userId, team.id)
      .run();
    expect((await accept(invited, token)).body).toMatchObject({ team: { role: "admin" } });
  });
});
