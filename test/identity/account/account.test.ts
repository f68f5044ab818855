import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { addKey, BASE_URL, call, createAccount } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { signUp } from "../people/support.ts";
import { actFor, join, makeTeam } from "../teams/support.ts";

describe("an account", () => {
  it("is shown and renamed: the personal one, or the one in the header or the parameter", async () => {
    const team = await makeTeam();
    const { browser } = team.owner;
    const personal = (await browser.get("/api/account")).body["account"];
    expect(personal).toMatchObject({ name: "Ann Lee", kind: "personal", role: "owner", linkDefaults: null });
    const patched = await browser.send("PATCH", "/api/account", { body: { name: "Mine" } });
    expect(patched.body).toEqual({ account: { ...(personal as object), name: "Mine" } });
    const viewer = await join(team, "viewer");
    const shown = await viewer.browser.get(`/api/account?accountId=${team.id}`);
    expect(shown.body).toMatchObject({ account: { id: team.id, kind: "team", role: "viewer" } });
    expect((await actFor(team, viewer, "GET", "/api/account/role")).body).toEqual({ role: "viewer" });
    const refused = await actFor(team, viewer, "PATCH", "/api/account", { name: "Mine" });
    expect(refused.body).toMatchObject({
      details: [{ code: "lacks_permission", resource: "role", value: "viewer", allowed: ["account:write"] }],
    });
    const key = (await createAccount()).key;
    for (const path of ["", "/role", "/audit"])
      expect((await call("GET", `/api/account${path}`, { key })).status).toBe(401);
  });

  it("gives new links its defaults, for keys and sessions, unless the request has others", async () => {
    const { browser, userId } = await signUp();
    const accountId = await env.DB.prepare("SELECT id FROM accounts WHERE personal_user_id = ?1")
      .bind(userId)
      .first<number>("id");
    const set = (linkDefaults: unknown) => browser.send("PATCH", "/api/account", { body: { linkDefaults } });
    const foreign = await set({ domain: "go.acme.com" });
    expect(foreign.body).toMatchObject({ details: [{ path: "linkDefaults.domain" }] });
    await insertDomain(accountId ?? 0, "go.acme.com");
    const defaults = { domain: "go.acme.com", redirectStatus: 307, tags: ["spring", "sale"] };
    expect((await set(defaults)).body).toMatchObject({ account: { linkDefaults: defaults } });

    const { key } = (await browser.post("/api/keys", { name: "Robot" })).body as { key: { value: string } };
    const headers = { Authorization: `Bearer ${key.value}` };
    const url = "https://example.com/";
    const links = [
      (await browser.post("/api/links", { url })).body["link"],
      (await browser.post("/api/links", { url }, { headers })).body["link"],
      (await browser.post("/api/links/bulk", { links: [{ url }] })).body as { results: { link: object }[] },
    ];
    const expected = {
      redirectStatus: 307,
      tags: ["spring", "sale"],
      shortUrl: expect.stringContaining("go.acme.com"),
    };
    expect(links).toMatchObject([expected, expected, { results: [{ link: expected }] }]);
    const own = { url, slug: "own", domain: new URL(BASE_URL).host, redirectStatus: 301, tags: null };
    const other = await browser.post("/api/links", own);
    expect(other.body).toMatchObject({ link: { redirectStatus: 301, tags: [] } });
    const upsert = await browser.send("PUT", "/api/links/upsert", { body: { url: `${url}2`, slug: "own" } });
    expect([upsert.status, upsert.body]).toMatchObject([200, { link: { redirectStatus: 301, tags: [] } }]);
    const upserted = await browser.send("PUT", "/api/links/upsert", { body: { url, slug: "fresh" } });
    expect(upserted.body).toMatchObject({
      link: { redirectStatus: 307, shortUrl: expect.stringContaining(new URL(BASE_URL).host) },
    });
    expect((await set(null)).body).toMatchObject({ account: { linkDefaults: null } });
    expect((await browser.post("/api/links", { url })).body).toMatchObject({ link: { redirectStatus: 302, tags: [] } });
  });

  it("has an audit log that says who did what from where, and no secret", async () => {
    const team = await makeTeam();
    const member = await join(team, "admin");
    const { key } = (await actFor(team, member, "POST", "/api/keys", { name: "Robot" })).body as {
      key: { id: string; value: string };
    };
    const patch = { headers: { Authorization: `Bearer ${key.value}` }, body: { name: "Android" } };
    await member.browser.send("PATCH", `/api/keys/${key.id}`, patch);
    const read = (query: string) => actFor(team, member, "GET", `/api/account/audit${query}`);
    const { entries } = (await read("")).body as { entries: { action: string; id: string }[] };
    const by = ({ userId }: { userId: string }) => ({ type: "user", id: userId, name: "Ann Lee" });
    // The key had its former name when it changed the name.
    expect(entries).toMatchObject([
      { action: "key.update", actor: { type: "key", id: key.id, name: "Robot" }, targetId: key.id },
      { action: "key.create", actor: by(member), targetId: key.id },
      { action: "member.add", actor: by(member), targetId: member.userId },
      { action: "invitation.create", actor: by(team.owner) },
      { action: "team.create", actor: by(team.owner), targetId: team.id, country: null },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.value);
    const first = (await read("?limit=4")).body;
    const rest = await read(`?limit=4&cursor=${first["nextCursor"] as string}`);
    expect(rest.body).toMatchObject({ entries: [{ id: entries[4]?.id }], nextCursor: null });
    const viewer = await join(team, "member");
    expect((await actFor(team, viewer, "GET", "/api/account/audit")).status).toBe(403);
  });

  it("that the operator disabled refuses its keys and its members, and one of a person the sign-in", async () => {
    const team = await makeTeam();
    const { key } = (await actFor(team, team.owner, "POST", "/api/keys", { name: "Robot" })).body as {
      key: { value: string };
    };
    const disable = (condition: string) =>
      env.DB.prepare(`UPDATE accounts SET disabled_at = 1 WHERE personal_user_id IS ${condition} NULL`).run();
    await disable("");
    const byKey = await call("GET", "/api/links", { key: key.value });
    const { accountId } = await createAccount();
    await env.DB.prepare("UPDATE accounts SET disabled_at = 1 WHERE id = ?1").bind(accountId).run();
    // A key that was being created at that time.
    const late = await addKey(accountId);
    expect((await call("GET", "/api/links", { key: late.key })).status).toBe(403);
    const bySession = await actFor(team, team.owner, "GET", "/api/links");
    for (const response of [await byKey.json(), bySession.body])
      expect(response).toMatchObject({ code: "forbidden", details: [{ code: "account_disabled" }] });
    expect((await team.owner.browser.get(`/api/teams/${team.id}`)).status).toBe(403);
    expect((await team.owner.browser.get("/api/links")).status).toBe(200);
    await disable("NOT");
    expect((await team.owner.browser.get("/api/links")).status).toBe(403);
    const { email } = team.owner;
    const signIn = await team.owner.browser.post("/api/auth/sign-in", { email, password: "seventeen quiet lanterns" });
    expect(signIn.body.code).toBe("invalid_credentials");
  });
});
