import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { deleteOwn } from "../../identity/account/support.ts";
import { finish, startExport } from "../../moving/exports/support.ts";
import { runCron } from "../../support/api.ts";
import { Browser, newEmail, signUp } from "../../identity/people/support.ts";
import { actFor, invite, join, makeTeam, type Person, type TeamOf } from "../../identity/teams/support.ts";
import { internet } from "../../webhooks/support.ts";

beforeEach(() => internet.reset());

interface Entry {
  action: string;
  actor: { id: string | null; name: string | null };
  targetId: string | null;
  targetName: string | null;
  before: object | null;
  after: object | null;
}

async function entriesOf(team: TeamOf, person: Person = team.owner): Promise<Entry[]> {
  return (await actFor(team, person, "GET", "/api/account/audit?limit=100")).body["entries"] as Entry[];
}

const rename = ({ browser }: Person, name: string) => browser.patch("/api/auth/user", { name });

it("an admin who takes the owner's name does not become the owner of what they did", async () => {
  const team = await makeTeam();
  await rename(team.owner, "Olga Owner");
  const admin = await join(team, "admin");
  await rename(admin, "Mallory");
  const { key } = (await actFor(team, admin, "POST", "/api/keys", { name: "Back door" })).body as {
    key: { id: string };
  };
  // Names are told apart by the millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await rename(admin, "Olga Owner");
  await rename(admin, "Olga Owner");
  const entries = await entriesOf(team);
  expect(entries.find(({ targetId }) => targetId === key.id)?.actor).toMatchObject({
    id: admin.userId,
    name: "Mallory",
  });
  const renames = entries.filter(({ action, actor }) => action === "user.update" && actor.id === admin.userId);
  expect(renames.map(({ before, after }) => [before, after])).toEqual([
    [{ name: "Mallory" }, { name: "Olga Owner" }],
    [{ name: "Ann Lee" }, { name: "Mallory" }],
  ]);
  const joined = entries.find(({ action, targetId }) => action === "member.add" && targetId === admin.userId);
  expect([joined?.targetName, joined?.actor.name]).toEqual(["Ann Lee", "Ann Lee"]);
  // The personal account has them too.
  const { body } = await admin.browser.get("/api/account/audit");
  const own = (body["entries"] as Entry[]).filter(({ action }) => action === "user.update");
  expect(own).toHaveLength(2);
});

it("keeps the old and the new values of roles, permissions and invitations, and the names of keys that acted", async () => {
  const team = await makeTeam();
  const { owner } = team;
  const member = await join(team, "member");
  const path = `/api/teams/${team.id}/members/${member.userId}`;
  await owner.browser.patch(path, { role: "admin" });
  await owner.browser.post(`/api/teams/${team.id}/transfer`, { userId: member.userId });
  await member.browser.patch(`/api/teams/${team.id}/members/${owner.userId}`, { role: "viewer" });
  await member.browser.delete(`/api/teams/${team.id}/members/${owner.userId}`);
  const invited = newEmail();
  await invite({ ...team, owner: member }, invited, "viewer");
  const { body } = await member.browser.get(`/api/teams/${team.id}/invitations`);
  const [invitation] = body["invitations"] as [{ id: string }];
  await member.browser.delete(`/api/teams/${team.id}/invitations/${invitation.id}`);
  const create = { name: "CI", permissions: ["links:read", "keys:write"] };
  const { key } = (await actFor(team, member, "POST", "/api/keys", create)).body as {
    key: { id: string; value: string };
  };
  const byKey = { Authorization: `Bearer ${key.value}` };
  await member.browser.send("PATCH", `/api/keys/${key.id}`, { body: { name: "Robot" }, headers: byKey });
  await member.browser.send("PATCH", `/api/keys/${key.id}`, { body: { permissions: ["links:read"] }, headers: byKey });
  await actFor(team, member, "DELETE", `/api/keys/${key.id}`);

  const entries = (await entriesOf(team, member)).toReversed();
  const { permissions } = create;
  expect(
    entries
      .slice(2)
      .map(({ action, before, after, targetName, actor }) => [action, before, after, targetName, actor.name]),
  ).toEqual([
    ["member.add", null, { role: "member" }, "Ann Lee", "Ann Lee"],
    ["member.update", { role: "member" }, { role: "admin" }, "Ann Lee", "Ann Lee"],
    ["team.transfer", { role: "admin" }, { role: "owner" }, "Ann Lee", "Ann Lee"],
    ["member.update", { role: "admin" }, { role: "viewer" }, "Ann Lee", "Ann Lee"],
    ["member.remove", { role: "viewer" }, null, "Ann Lee", "Ann Lee"],
    ["invitation.create", null, { role: "viewer" }, invited, "Ann Lee"],
    ["invitation.revoke", { role: "viewer" }, null, invited, "Ann Lee"],
    ["key.create", null, { name: "CI", permissions }, "CI", "Ann Lee"],
    ["key.update", { name: "CI", permissions }, { name: "Robot" }, "CI", "CI"],
    ["key.update", { name: "Robot", permissions }, { permissions: ["links:read"] }, "Robot", "Robot"],
    ["key.revoke", { name: "Robot", permissions: ["links:read"] }, null, "Robot", "Ann Lee"],
  ]);
});

it("records downloads and claims", async () => {
  const { browser } = await signUp();
  const { id } = await startExport(browser);
  await finish(browser, id);
  // A browser asks twice for one download.
  for (let n = 0; n < 2; n++) expect((await browser.get(`/api/account/exports/${id}/file`)).status).toBe(200);
  // A browser that shortened a link before its person signed in.
  const visitor = new Browser();
  expect((await visitor.post("/api/shorten", { url: "https://example.com/" })).status).toBe(201);
  for (const [name, value] of visitor.cookies) browser.cookies.set(name, value);
  expect((await browser.post("/api/account/claims")).status).toBe(200);
  const { body } = await browser.get("/api/account/audit");
  const entries = (body["entries"] as Entry[]).map(({ action, targetId, after }) => [action, targetId, after]);
  expect(entries.filter(([action]) => action === "export.download")).toEqual([["export.download", id, null]]);
  expect(entries).toContainEqual(["links.claim", expect.any(String), { links: 1 }]);
});

it("of a deleted person no name and no address is left, and the entries stay", async () => {
  const team = await makeTeam();
  const admin = await join(team, "admin");
  await rename(admin, "Mallory");
  await rename(admin, "Trudy");
  expect((await deleteOwn(admin, "Ann Lee")).status).toBe(202);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY_MS + 2 * HOUR_MS + MINUTE_MS });
  for (let runs = 0; runs < 4; runs++) await runCron(Date.now());
  vi.useRealTimers();
  const { results } = await env.DB.prepare(
    "SELECT json_group_array(json_array(actor_name, target_name, before, after)) AS texts FROM audit_entries",
  ).all();
  const names = await env.DB.prepare("SELECT count(*) AS n FROM former_names WHERE user_id = ?1")
    .bind(admin.userId)
    .first("n");
  expect([
    JSON.stringify(results).match(/Mallory|Trudy/),
    JSON.stringify(results).includes(admin.email),
    names,
  ]).toEqual([null, false, 0]);
  const left = await env.DB.prepare("SELECT count(*) AS n FROM audit_entries WHERE actor_id = ?1")
    .bind(admin.userId)
    .first<number>("n");
  expect(left).toBeGreaterThan(0);
});
