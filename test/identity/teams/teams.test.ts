import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { personalId } from "../account/support.ts";
import { enrolTotp } from "../people/factors.ts";
import { forgetConfirmation, signUp, takeMails } from "../people/support.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { actFor, accept, invite, join, makeTeam, type Person, type TeamOf } from "./support.ts";
import { MAX_TEAMS_PER_OWNER } from "../../../src/identity/teams/limits.ts";

const memberPath = (team: TeamOf, { userId }: Person) => `/api/teams/${team.id}/members/${userId}`;

describe("a team", () => {
  it("is created, listed, renamed and used as an account", async () => {
    const team = await makeTeam();
    const { browser } = team.owner;
    const expected = {
      id: team.id,
      name: "Acme",
      role: "owner",
      requireMfa: false,
      createdAt: expect.any(Number),
      deletesAt: null,
    };
    expect((await browser.get(`/api/teams/${team.id.toUpperCase()}`)).body).toEqual({ team: expected });
    expect((await browser.get("/api/teams")).body).toEqual({ teams: [expected], nextCursor: null });
    const renamed = await browser.send("PATCH", `/api/teams/${team.id}`, { body: { name: "Acme Inc." } });
    expect(renamed.body).toEqual({ team: { ...expected, name: "Acme Inc." } });
    expect((await browser.send("PATCH", `/api/teams/${team.id}`, { body: {} })).status).toBe(400);
    const created = await actFor(team, team.owner, "POST", "/api/links", { url: "https://example.com/" });
    expect(created.status).toBe(201);
    expect((await browser.get("/api/links")).body).toEqual({ links: [], nextCursor: null });
    const { accounts } = (await browser.get("/api/auth/session")).body;
    expect(accounts).toMatchObject([
      { kind: "personal", role: "owner" },
      { id: team.id, kind: "team", role: "owner" },
    ]);
  });

  it("is one of few that a person owns", async () => {
    const owner = await signUp();
    for (let count = 0; count < MAX_TEAMS_PER_OWNER; count++) {
      owner.browser.address = `198.51.100.${count}`;
      expect((await owner.browser.post("/api/teams", { name: `Team ${count}` })).status).toBe(201);
    }
    expect((await owner.browser.post("/api/teams", { name: "One more" })).body.code).toBe("limit_reached");
    const { body } = await owner.browser.get("/api/teams?limit=15");
    const rest = await owner.browser.get(`/api/teams?limit=15&cursor=${body["nextCursor"] as string}`);
    expect([body["teams"], rest.body["teams"]].map((page) => (page as object[]).length)).toEqual([15, 5]);
  });

  it("is 404 if it does not exist or is a personal account, and 403 for strangers", async () => {
    const [team, stranger] = [await makeTeam(), await signUp()];
    const personal = await env.DB.prepare("SELECT uuid FROM accounts WHERE personal_user_id = ?1")
      .bind(team.owner.userId)
      .first<string>("uuid");
    for (const id of [personal, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", "x"])
      expect((await team.owner.browser.get(`/api/teams/${id}/members`)).status).toBe(404);
    const { owner } = team;
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { name: "Mine" }],
      ["GET", "/members"],
      ["PATCH", `/members/${owner.userId}`, { role: "viewer" }],
      ["DELETE", `/members/${owner.userId}`],
      ["DELETE", `/members/${stranger.userId}`],
      ["POST", "/invitations", { email: stranger.email, role: "owner" }],
      ["GET", "/invitations"],
      ["POST", "/transfer", { userId: stranger.userId }],
    ] as const) {
      const reply = await stranger.browser.send(method, `/api/teams/${team.id}${path}`, { body });
      expect([method, path, reply.status, reply.body["details"]]).toMatchObject([
        method,
        path,
        403,
        [{ code: "not_a_member" }],
      ]);
    }
    // Ids of another team do not work under the own team either.
    const own = await makeTeam(stranger);
    await invite(team, "bob@example.com");
    const invited = await env.DB.prepare("SELECT id FROM invitations").first<string>("id");
    const { browser } = stranger;
    for (const path of [`members/${owner.userId}`, `invitations/${invited}`])
      expect((await browser.delete(`/api/teams/${own.id}/${path}`)).status).toBe(404);
    expect((await browser.post(`/api/teams/${own.id}/transfer`, { userId: owner.userId })).status).toBe(404);
    expect(await env.DB.prepare("SELECT id FROM invitations").first("id")).toBe(invited);
  });

  it("refuses members without the second factor that it requires, who can still leave; keys go on", async () => {
    const team = await makeTeam();
    const member = await join(team, "admin");
    const { key } = (await actFor(team, member, "POST", "/api/keys", { name: "Robot" })).body as {
      key: { value: string };
    };
    const lacks = (code: string) => ({ status: 403, body: { code: "mfa_required", details: [{ code }] } });
    // Who has none cannot require one.
    const require = await team.owner.browser.send("PATCH", `/api/teams/${team.id}`, { body: { requireMfa: true } });
    expect(require).toMatchObject(lacks("own_factor_first"));
    await enrolTotp(team.owner.browser);
    const required = await team.owner.browser.send("PATCH", `/api/teams/${team.id}`, { body: { requireMfa: true } });
    expect([required.status, required.body]).toMatchObject([200, { team: { requireMfa: true } }]);
    const refused = [
      await member.browser.get(`/api/teams/${team.id}`),
      await actFor(team, member, "GET", "/api/links"),
      await actFor(team, member, "GET", "/api/account"),
      await member.browser.delete(memberPath(team, team.owner)),
    ];
    for (const each of refused) expect(each).toMatchObject(lacks("team_needs_factor"));
    expect((await member.browser.get("/api/links")).status).toBe(200);
    const byKey = await member.browser.get("/api/links", { headers: { Authorization: `Bearer ${key.value}` } });
    expect(byKey.status).toBe(200);
    await enrolTotp(member.browser);
    expect((await member.browser.get(`/api/teams/${team.id}`)).status).toBe(200);
    const other = await join(team, "viewer");
    expect((await other.browser.delete(memberPath(team, other))).status).toBe(200);
  });

  it("lets in members without a second factor again only after the owner has confirmed the identity", async () => {
    const team = await makeTeam();
    const { browser } = team.owner;
    const member = await join(team, "viewer");
    await enrolTotp(browser);
    const change = (body: object) => browser.send("PATCH", `/api/teams/${team.id}`, { body });
    expect((await change({ requireMfa: true })).status).toBe(200);
    await forgetConfirmation();
    const refused = await change({ name: "Acme Inc.", requireMfa: false });
    expect([refused.status, refused.body.code]).toEqual([403, "confirm_identity"]);
    expect((await change({ requireMfa: true })).body).toMatchObject({ team: { name: "Acme", requireMfa: true } });
    expect((await actFor(team, member, "GET", "/api/links")).status).toBe(403);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ?1").bind(Date.now()).run();
    expect((await change({ requireMfa: false })).body).toMatchObject({ team: { requireMfa: false } });
    expect((await actFor(team, member, "GET", "/api/links")).status).toBe(200);
  });
});

describe("a member", () => {
  it("gets another role, is told by mail, and loses what the former role could do at the next request", async () => {
    const team = await makeTeam();
    const member = await join(team, "admin");
    const { browser } = team.owner;
    const bob = await invite({ ...team, owner: member }, "bob@example.com", "admin");
    await forgetConfirmation();
    const change = (role: string) => browser.send("PATCH", memberPath(team, member), { body: { role } });
    expect((await change("viewer")).body.code).toBe("confirm_identity");
    await browser.post("/api/auth/confirm", { password: "seventeen quiet lanterns" });
    expect((await change("viewer")).body).toMatchObject({ member: { userId: member.userId, role: "viewer" } });
    expect(await takeMails()).toMatchObject([{ to: member.email, subject: "Your role was changed" }]);
    const create = await actFor(team, member, "POST", "/api/links", { url: "https://example.com/" });
    expect(create.body["details"]).toMatchObject([
      { code: "lacks_permission", resource: "role", value: "viewer", allowed: ["links:write"] },
    ]);
    // The invitation that the member could not send any more is void.
    const invited = await signUp("bob@example.com");
    expect((await accept(invited, bob)).status).toBe(400);
  });

  it("who is an admin changes everybody but owners, and makes nobody one", async () => {
    const team = await makeTeam();
    const [admin, member] = [await join(team, "admin"), await join(team, "member")];
    const { browser } = admin;
    const role = (person: Person, role: string) => browser.send("PATCH", memberPath(team, person), { body: { role } });
    expect((await role(member, "admin")).status).toBe(200);
    expect((await role(member, "owner")).status).toBe(403);
    expect((await role(admin, "owner")).status).toBe(403);
    expect((await role(team.owner, "viewer")).status).toBe(403);
    expect((await browser.delete(memberPath(team, team.owner))).status).toBe(403);
    const invitation = { email: "eve@example.com", role: "owner" };
    expect((await browser.post(`/api/teams/${team.id}/invitations`, invitation)).status).toBe(403);
    expect((await browser.delete(memberPath(team, member))).status).toBe(200);
    expect((await role(member, "viewer")).status).toBe(404);
    const { members } = (await browser.get(`/api/teams/${team.id}/members`)).body as { members: { role: string }[] };
    expect(members.map((each) => each.role).sort()).toEqual(["admin", "owner"]);
  });

  it("who stops being an owner meanwhile makes nobody one", async () => {
    const team = await makeTeam();
    const [second, viewer] = [await join(team, "owner"), await join(team, "viewer")];
    const demote = env.DB.prepare("UPDATE memberships SET role = 'admin' WHERE user_id = ?1 AND account_id <> ?2").bind(
      second.userId,
      await personalId(second),
    );
    let isDemoted = false;
    const change = async () => {
      const path = memberPath(team, viewer);
      const { status } = await second.browser.send("PATCH", path, { body: { role: "owner" } });
      expect([isDemoted, status]).toEqual([true, 403]);
    };
    await interceptD1(async (sql, send) => {
      if (!isDemoted && JSON.stringify(sql).includes("UPDATE memberships SET role = ")) {
        isDemoted = true;
        await demote.run();
      }
      return send();
    }, change);
    const { members } = (await team.owner.browser.get(`/api/teams/${team.id}/members`)).body;
    expect(members).toContainEqual(expect.objectContaining({ userId: viewer.userId, role: "viewer" }));
  });

  it("who leaves has no access at the next request, and comes back by no invitation of their own or key", async () => {
    const team = await makeTeam();
    const member = await join(team, "admin");
    const { key } = (await actFor(team, member, "POST", "/api/keys", { name: "Robot" })).body as {
      key: { id: string; value: string };
    };
    const other = await signUp();
    const own = await invite({ ...team, owner: member }, other.email, "admin");
    expect((await actFor(team, member, "GET", "/api/links")).status).toBe(200);
    await takeMails();
    const left = await member.browser.delete(memberPath(team, member));
    expect(left.body).toMatchObject({ success: true, keys: [{ id: key.id, name: "Robot" }] });
    expect(await takeMails()).toMatchObject([{ to: member.email, subject: "You left a team" }]);
    for (const path of ["/api/links", "/api/account", "/api/account/audit", "/api/keys"])
      expect([path, (await actFor(team, member, "GET", path)).status]).toEqual([path, 403]);
    expect((await member.browser.get(`/api/teams/${team.id}`)).status).toBe(403);
    expect((await accept(other, own)).status).toBe(400);
    const byKey = await other.browser.get("/api/links", { headers: { Authorization: `Bearer ${key.value}` } });
    expect(byKey.status).toBe(401);
    const { keys } = (await actFor(team, team.owner, "GET", "/api/keys")).body;
    const createdBy = { type: "user", id: member.userId, name: "Ann Lee" };
    expect(keys).toMatchObject([{ id: key.id, status: "revoked", createdBy }]);
  });

  it("always includes an owner, also if two leave, or step down, at once", async () => {
    const team = await makeTeam();
    const leave = (person: Person) => person.browser.delete(memberPath(team, person));
    expect([(await leave(team.owner)).status, (await leave(team.owner)).body.code]).toEqual([409, "conflict"]);
    const second = await join(team, "owner");
    const stepDown = (person: Person) =>
      person.browser.send("PATCH", memberPath(team, person), { body: { role: "viewer" } });
    const down = await Promise.all([stepDown(team.owner), stepDown(second)]);
    expect(down.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await env.DB.prepare("UPDATE memberships SET role = 'owner'").run();
    const left = await Promise.all([leave(team.owner), leave(second)]);
    expect(left.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const owners = await env.DB.prepare(
      "SELECT count(*) AS n FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE a.uuid = ?1 AND m.role = 'owner'",
    )
      .bind(team.id)
      .first("n");
    expect(owners).toBe(1);
  });
});

describe("a transfer", () => {
  it("needs a confirmed identity, makes a member the owner and the owner an admin, and tells both", async () => {
    const team = await makeTeam();
    const [next, stranger] = [await join(team, "viewer"), await signUp()];
    const { browser } = team.owner;
    const transfer = (userId: string) => browser.post(`/api/teams/${team.id}/transfer`, { userId });
    expect((await transfer(stranger.userId)).status).toBe(404);
    expect((await transfer(team.owner.userId)).status).toBe(400);
    await takeMails();
    const done = await transfer(next.userId);
    expect([done.status, done.body]).toMatchObject([200, { team: { role: "admin" } }]);
    expect((await takeMails()).map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual(
      [next.email, team.owner.email].sort().map((to) => `${to} Your role was changed`),
    );
    expect((await transfer(next.userId)).status).toBe(403);
    expect((await next.browser.get(`/api/teams/${team.id}`)).body).toMatchObject({ team: { role: "owner" } });
    await forgetConfirmation();
    const back = await next.browser.post(`/api/teams/${team.id}/transfer`, { userId: team.owner.userId });
    expect(back.body.code).toBe("confirm_identity");
  });
});
