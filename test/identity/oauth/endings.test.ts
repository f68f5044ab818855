import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { post } from "../../assistants/client.ts";
import { enrolTotp, stopClock } from "../people/factors.ts";
import { Browser, forgetConfirmation, OTHER_PASSWORD, signUp, takeMails } from "../people/support.ts";
import { actFor, join, makeTeam, type Person } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { askFor, connect, discover, refresh, register, type Connection } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const statusOf = async ({ access }: Connection) => (await post(access, LIST)).status;
const mailTo = async ({ email }: Person, subject: string) =>
  (await takeMails()).find((mail) => mail.to === email && mail.subject === subject);

/** What ends the apps of a person. */
const ENDINGS: Record<string, (person: Person) => Promise<unknown>> = {
  "a new password by mail": async (person) => {
    await new Browser().post("/api/auth/password/forgot", { email: person.email });
    const mail = await mailTo(person, "Set a new password");
    const reply = await new Browser().post("/api/auth/password/reset", {
      token: mail?.token,
      password: OTHER_PASSWORD,
    });
    expect(reply.status).toBe(200);
  },
  "the undo of a second factor": async (person) => {
    await enrolTotp(person.browser);
    const mail = await mailTo(person, "An authenticator app was added");
    expect((await new Browser().post("/api/auth/mfa/undo", { token: mail?.token })).status).toBe(200);
  },
  "the undo of an address": async (person) => {
    await person.browser.post("/api/auth/email/change", { email: `new-${person.email}` });
    const mail = await mailTo(person, "Your address is about to change");
    expect((await new Browser().post("/api/auth/email/undo", { token: mail?.token })).status).toBe(200);
  },
  "the deletion of the person": async ({ browser }) => {
    expect((await browser.send("DELETE", "/api/account", { body: { confirm: "Ann Lee" } })).status).toBe(202);
  },
};

describe("all apps of a person end with", () => {
  it.each(Object.entries(ENDINGS))("%s, and those of others go on", async (_, end) => {
    const [mine, other] = [await connect(), await connect()];
    expect(await statusOf(mine)).toBe(200);
    await end(mine.person);
    expect(await statusOf(mine)).toBe(401);
    expect((await refresh(mine)).status).toBe(400);
    expect(await statusOf(other)).toBe(200);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(1);
  });
});

describe("in a team, an app ends or stops with", () => {
  it("the membership of its person, and does not come back with it", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const [there, own] = [await connect({ person: member, account: team.id }), await connect({ person: member })];
    const path = `/api/teams/${team.id}/members/${member.userId}`;
    expect((await actFor(team, team.owner, "DELETE", path)).status).toBe(200);
    expect([await statusOf(there), await statusOf(own)]).toEqual([401, 200]);
    const id = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id).first<number>("id");
    await env.DB.prepare("INSERT INTO memberships VALUES (?1, ?2, 'member', 0)").bind(id, member.userId).run();
    expect(await statusOf(there)).toBe(401);
  });

  it("a requirement of a second factor, unless it was connected with one that the person still has", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const before = await connect({ person: member, account: team.id });
    await enrolTotp(team.owner.browser);
    expect((await team.owner.browser.patch(`/api/teams/${team.id}`, { requireMfa: true })).status).toBe(200);
    const refused = await post(before.access, LIST);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('"code":"mfa_required"');
    await enrolTotp(member.browser);
    expect(await statusOf(before)).toBe(403);
    const after = await connect({ person: member, account: team.id });
    expect(await statusOf(after)).toBe(200);
    await member.browser.delete("/api/auth/mfa/totp");
    expect(await statusOf(after)).toBe(403);
  });

  it("the deletion of the team, and its operator's decision", async () => {
    const team = await makeTeam();
    const connection = await connect({ person: team.owner, account: team.id });
    const set = (column: string, value: number | null, where: string) =>
      env.DB.prepare(`UPDATE accounts SET ${column} = ?1 WHERE ${where} = ?2`)
        .bind(value, where === "uuid" ? team.id : team.owner.userId)
        .run();
    for (const [column, where] of [
      ["disabled_at", "uuid"],
      ["deleted_at", "uuid"],
      ["disabled_at", "personal_user_id"],
    ] as const) {
      await set(column, Date.now(), where);
      expect([column, where, await statusOf(connection)]).toEqual([column, where, 403]);
      await set(column, null, where);
      expect(await statusOf(connection)).toBe(200);
    }
  });
});

describe("connected apps", () => {
  interface Apps {
    apps: { id: string; person: { id: string }; isOwn: boolean; lastUsedAt: number | null; scopes: string[] }[];
  }
  const listOf = async (team: { id: string }, person: Person) =>
    ((await person.browser.get(`/api/auth/apps?accountId=${team.id}`)).body as unknown as Apps).apps;

  it("are seen by their person, and all of them by admins and owners", async () => {
    const team = await makeTeam();
    const [admin, member, viewer] = [await join(team, "admin"), await join(team, "member"), await join(team, "viewer")];
    await connect({ person: member, account: team.id });
    await connect({ person: viewer, account: team.id, scopes: ["links:read"] });
    await connect({ person: member });
    expect((await listOf(team, member)).map(({ person, isOwn }) => [person.id, isOwn])).toEqual([
      [member.userId, true],
    ]);
    expect((await listOf(team, viewer)).map(({ scopes }) => scopes)).toEqual([["links:read"]]);
    for (const manager of [admin, team.owner]) {
      const seen = (await listOf(team, manager)).map(({ person, isOwn }) => `${person.id} ${isOwn}`);
      expect(seen.toSorted()).toEqual([viewer, member].map(({ userId }) => `${userId} false`).toSorted());
    }
  });

  it("show when they were last used, exact to the minute", async () => {
    const connection = await connect();
    const read = async () => {
      const { body } = await connection.person.browser.get("/api/auth/apps");
      return (body as unknown as Apps).apps[0]?.lastUsedAt;
    };
    expect(await read()).toBe(Date.now());
    await env.DB.prepare("UPDATE oauth_grants SET last_used_at = ?1")
      .bind(Date.now() - 60_000)
      .run();
    expect(await statusOf(connection)).toBe(200);
    expect(await read()).toBe(Date.now());
  });

  it("are disconnected by their person or by an admin: at once, with a mail and an entry in the audit log", async () => {
    const team = await makeTeam();
    const [admin, member, other] = [await join(team, "admin"), await join(team, "member"), await join(team, "member")];
    for (const ender of [member, admin]) {
      const connection = await connect({ person: member, account: team.id });
      const [app] = await listOf(team, member);
      await takeMails();
      expect((await actFor(team, other, "DELETE", `/api/auth/apps/${app?.id}`)).status).toBe(404);
      expect((await ender.browser.delete(`/api/auth/apps/${app?.id}`)).status).toBe(404);
      expect(await statusOf(connection)).toBe(200);
      expect((await actFor(team, ender, "DELETE", `/api/auth/apps/${app?.id}`)).status).toBe(200);
      expect(await statusOf(connection)).toBe(401);
      expect(await mailTo(member, "An app was disconnected")).toBeDefined();
      expect((await actFor(team, ender, "DELETE", `/api/auth/apps/${app?.id}`)).status).toBe(404);
      const { body } = await actFor(team, admin, "GET", "/api/account/audit");
      const entries = body["entries"] as { action: string; targetId: string }[];
      const ended = entries.find(({ action, targetId }) => action === "app.disconnect" && targetId === app?.id);
      expect(ended).toMatchObject({
        action: "app.disconnect",
        actor: { id: ender.userId },
        targetId: app?.id,
        targetName: "Assistant",
        before: { permissions: expect.arrayContaining(["links:read"]) as string[] },
      });
    }
  });
});

describe("a session without a confirmed identity", () => {
  it("gives an app nothing", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app);
    await forgetConfirmation();
    expect((await browser.post("/api/auth/apps/describe", { query })).body["needsConfirmation"]).toBe(true);
    const decide = (scopes: readonly string[]) => browser.post("/api/auth/apps/decide", { query, allow: true, scopes });
    for (const scopes of [SCOPES_OF_RESOURCE["/mcp"], ["links:write"], ["links:read", "domains:write"], ["links:read"]])
      expect([await decide(scopes).then(({ status, body }) => [status, body.code])]).toEqual([
        [403, "confirm_identity"],
      ]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(0);
  });
});

it("a person connects a hundred apps at most", async () => {
  const person = await signUp();
  const connection = await connect({ person });
  await env.DB.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 99)
     INSERT INTO oauth_grants SELECT format('01920b5c-7d6a-7c3e-9b1f-%012x', n), account_id, user_id, client_hash, client_name,
       client_host, redirect_uri, scopes, refused_scopes, created_at, last_used_at, expires_at, factor_at, resource, confirmed_at FROM oauth_grants, n`,
  ).run();
  const { query } = await askFor(connection.app);
  const reply = await person.browser.post("/api/auth/apps/decide", { query, allow: true, scopes: ["links:read"] });
  expect([reply.status, reply.body.code]).toEqual([409, "limit_reached"]);
  expect(await statusOf(connection)).toBe(200);
});
