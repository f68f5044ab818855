import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/limits.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { linkQuery, readNearest } from "../../../src/redirect/lookup/store/links.ts";
import { call, runCron } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { forgetConfirmation, PASSWORD, signUp, takeMails } from "../people/support.ts";
import { accept, actFor, invite, join, makeTeam, type TeamOf } from "../teams/support.ts";
import { fireAlarm, tagRunnerOf, whileChecksHeld } from "../../links/tags/support.ts";
import { internet, Service } from "../../webhooks/support.ts";
import { addKey, addLink, changesOf, copyOf, deleteOwn, personalId, restoreOwn, signIn, visit } from "./support.ts";

beforeEach(() => internet.reset());

const deleteTeam = (team: TeamOf, by = team.owner, confirm = "Acme") =>
  by.browser.send("DELETE", `/api/teams/${team.id}`, { body: { confirm } });
const restoreTeam = (team: TeamOf, by = team.owner) => actFor(team, by, "POST", "/api/account/restore");

const DELETED = { code: "account_deleted" };

describe("deleting the personal account", () => {
  it("needs a confirmed identity and the account's name, and stops keys, sessions and links at once", async () => {
    const person = await signUp();
    const accountId = await personalId(person);
    const key = await addKey(person);
    await addLink(key, "spring");
    await insertDomain(accountId, "go.acme.com", { root_url: "https://acme.com/" });
    await createLinkAt("go.acme.com", key, { slug: "sale" });
    const paths = ["/spring", "/spring+", "https://go.acme.com/sale", "https://go.acme.com/"];
    for (const path of paths) expect([path, await visit(path)]).toEqual([path, path.endsWith("+") ? 200 : 302]);
    expect((await deleteOwn(person, "ann lee")).body).toMatchObject({ details: [{ path: "confirm" }] });
    await forgetConfirmation();
    expect((await deleteOwn(person)).body.code).toBe("confirm_identity");
    await person.browser.post("/api/auth/confirm", { password: PASSWORD });
    const other = copyOf(person.browser);
    await takeMails();

    const reply = await deleteOwn(person);
    expect([reply.status, reply.body]).toEqual([202, { deletesAt: expect.closeTo(Date.now() + 7 * DAY_MS, -5) }]);
    expect((await takeMails()).map(({ to, subject }) => [to, subject])).toEqual([
      [person.email, "Your account is deleted"],
    ]);
    expect(person.browser.session).toBeUndefined();
    expect((await other.get("/api/auth/session")).status).toBe(401);
    for (const path of paths) expect([path, await visit(path)]).toEqual([path, 404]);
    // Another isolate, which has no entry of the link.
    memoryCache.clear();
    expect(await readNearest(env.DB, linkQuery(env, "", "spring"))).toBeNull();
    const byKey = await call("GET", "/api/links", { key });
    expect([byKey.status, await byKey.json()]).toMatchObject([403, DELETED]);

    expect((await signIn(person)).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/api/auth/session"],
      ["GET", "/api/links"],
      ["GET", "/api/account"],
      ["POST", "/api/teams"],
      ["DELETE", "/api/account"],
    ] as const) {
      const body = method === "GET" ? undefined : { name: "Acme", confirm: "Ann Lee" };
      const refused = await person.browser.send(method, path, { body });
      expect([path, refused.status, refused.body]).toMatchObject([path, 403, DELETED]);
    }
    expect((await person.browser.post("/api/auth/sign-out")).body).toEqual({ success: true });
    expect((await restoreOwn(person)).status).toBe(401);
    await signIn(person);
    expect((await restoreOwn(person)).body).toMatchObject({ account: { name: "Ann Lee", kind: "personal" } });
    expect((await takeMails()).map(({ subject }) => subject)).toEqual(["Your account is restored"]);
    for (const path of paths) expect([path, await visit(path)]).toEqual([path, path.endsWith("+") ? 200 : 302]);
    expect((await call("GET", "/api/links", { key })).status).toBe(200);
    expect((await person.browser.get("/api/auth/session")).status).toBe(200);
    expect((await restoreOwn(person)).status).toBe(200);
    expect(await changesOf(accountId)).toEqual(["account.delete", "account.restore"]);
  });

  it("takes few rows whatever the account has, and a redirect of a live account reads no row more", async () => {
    const person = await signUp();
    const accountId = await personalId(person);
    const key = await addKey(person);
    await insertManyLinks(env.DB, accountId, 3_000);
    await addLink(key, "spring");
    const rows = async () => {
      const { rowsRead } = await measureD1(() => readNearest(env.DB, linkQuery(env, "", "spring")));
      return rowsRead;
    };
    const before = await rows();
    const measured = await measureD1(() => deleteOwn(person));
    // The account and its two indexes, the entry, the mail and the session.
    expect(measured.rowsWritten).toBeLessThan(20);
    expect(measured.rowsRead).toBeLessThan(60);
    expect([before, await rows()]).toEqual([1, 2]);
  });

  it("of the sole owner of a team with members is refused with its name; a team without others goes and comes back", async () => {
    const team = await makeTeam();
    const { owner } = team;
    const alone = await makeTeam(owner);
    const teamKey = await addKey(owner, { "X-Account-Id": alone.id });
    await addLink(teamKey, "alone");
    const member = await join(team, "member");
    const refused = await deleteOwn(owner);
    expect([refused.status, refused.body]).toMatchObject([409, { details: [{ code: "only_owner", value: '"Acme"' }] }]);
    expect(await visit("/alone")).toBe(302);
    await owner.browser.send("PATCH", `/api/teams/${team.id}/members/${member.userId}`, { body: { role: "owner" } });
    await takeMails();

    expect((await deleteOwn(owner)).status).toBe(202);
    expect(await visit("/alone")).toBe(404);
    expect((await call("GET", "/api/links", { key: teamKey })).status).toBe(403);
    expect((await actFor(team, member, "GET", "/api/links")).status).toBe(200);
    // The other owner cannot leave while nobody else can act.
    const leave = await member.browser.delete(`/api/teams/${team.id}/members/${member.userId}`);
    expect(leave.status).toBe(409);
    const transfer = await member.browser.post(`/api/teams/${team.id}/transfer`, { userId: owner.userId });
    expect(transfer.status).toBe(409);
    // Nobody else is left, so the team goes with its second owner.
    expect((await deleteOwn(member)).status).toBe(202);
    await signIn(owner);
    expect((await actFor(alone, owner, "POST", "/api/account/restore")).body).toMatchObject(DELETED);
    expect((await restoreOwn(owner)).status).toBe(200);
    expect(await visit("/alone")).toBe(302);
    const { accounts } = (await owner.browser.get("/api/auth/session")).body;
    expect(accounts).toMatchObject([
      { kind: "personal", deletesAt: null },
      { id: team.id, deletesAt: expect.any(Number) },
      { id: alone.id, deletesAt: null },
    ]);
    expect((await restoreTeam(team)).status).toBe(200);
    expect((await actFor(team, owner, "GET", "/api/links")).status).toBe(200);
  });

  it("can be restored for 7 days", async () => {
    const person = await signUp();
    await deleteOwn(person);
    await signIn(person);
    await env.DB.prepare("UPDATE accounts SET deleted_at = deleted_at - ?1")
      .bind(7 * DAY_MS)
      .run();
    const late = await restoreOwn(person);
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
  });
});

describe("deleting a team", () => {
  it("is for owners, leaves its members as they are, and is undone by an owner", async () => {
    const team = await makeTeam();
    const admin = await join(team, "admin");
    const second = await join(team, "owner");
    const token = await invite(team, "dan@example.com");
    const dan = await signUp("dan@example.com");
    const key = await addKey(team.owner, { "X-Account-Id": team.id });
    await addLink(key, "acme-team");
    expect((await deleteTeam(team, admin)).status).toBe(403);
    expect((await deleteTeam(team, team.owner, "Other")).status).toBe(400);
    await takeMails();
    expect((await deleteTeam(team)).status).toBe(202);
    const mails = (await takeMails()).map(({ to, subject }) => `${to}: ${subject}`);
    expect(new Set(mails)).toEqual(new Set([team.owner, second].map(({ email }) => `${email}: A team is deleted`)));
    expect(await visit("/acme-team")).toBe(404);
    for (const person of [team.owner, admin]) {
      expect((await actFor(team, person, "GET", "/api/links")).body).toMatchObject(DELETED);
      expect((await person.browser.get(`/api/teams/${team.id}`)).body).toMatchObject(DELETED);
      expect((await person.browser.get("/api/links")).status).toBe(200);
    }
    const left = await admin.browser.delete(`/api/teams/${team.id}/members/${admin.userId}`);
    expect(left.body).toMatchObject(DELETED);
    expect((await accept(dan, token)).status).toBeGreaterThanOrEqual(400);
    expect((await deleteTeam(team)).body).toMatchObject(DELETED);
    expect((await actFor(team, admin, "POST", "/api/account/restore")).status).toBe(403);
    expect((await actFor(team, second, "POST", "/api/account/restore")).status).toBe(200);
    expect(await visit("/acme-team")).toBe(302);
    expect((await accept(dan, token)).status).toBe(200);
    expect((await call("DELETE", "/api/account", { key, body: { confirm: "Acme" } })).status).toBe(401);
    expect((await actFor(team, second, "DELETE", "/api/account", { confirm: "Acme" })).status).toBe(202);
  });

  it("holds deliveries, jobs and checks of domains until it is restored", async () => {
    const service = new Service();
    const person = await signUp();
    const accountId = await personalId(person);
    const key = await addKey(person);
    await service.createWebhook(key);
    await internet.forget();
    // Without a free connection, the event is stored without a lease.
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 0").run();
    const { body } = await person.browser.post(
      "/api/links",
      { url: "https://example.com/", tags: ["sale"] },
      {
        bindings: service.bindings,
      },
    );
    expect(body).toHaveProperty("link");
    await env.DB.prepare("UPDATE webhooks SET in_flight_limit = 1").run();
    await insertDomain(accountId, "go.acme.com");
    await env.DB.prepare("UPDATE domains SET check_at = 0").run();
    const { id } = await whileChecksHeld(async () => {
      const started = await person.browser.send("DELETE", "/api/tags/sale");
      await deleteOwn(person);
      return started.body["job"] as { id: string };
    });
    const runner = tagRunnerOf(accountId);
    const setDue = (dueAt: number) =>
      runInDurableObject(runner, (_, { storage: { sql } }) => {
        const [row] = sql.exec<{ due_at: number }>("SELECT due_at FROM jobs").toArray();
        sql.exec("UPDATE jobs SET due_at = ?", dueAt);
        return row?.due_at ?? 0;
      });
    // It looks again in a minute.
    await vi.waitUntil(async () => (await setDue(0)) > Date.now());
    const held = () =>
      env.DB.prepare(
        "SELECT (SELECT status FROM deliveries) AS delivery, (SELECT check_at FROM domains) AS check_at",
      ).first();
    await service.deliver();
    await runCron(Date.now(), service.bindings);
    await service.deliver();
    await fireAlarm(accountId);
    expect(await held()).toEqual({ delivery: "pending", check_at: 0 });
    expect(await runner.find(id)).toMatchObject({ status: "reading", error: null });
    expect((await internet.received()).filter(({ url }) => url.includes("receiver"))).toEqual([]);
    await signIn(person);
    await restoreOwn(person);
    await runCron(Date.now(), service.bindings);
    await service.deliver();
    expect(await held()).toMatchObject({ delivery: "delivered" });
    await setDue(0);
    await fireAlarm(accountId);
    await vi.waitUntil(async () => (await runner.find(id))?.status === "done");
  });
});
