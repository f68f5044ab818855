import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { deleteJobs, jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import { deleteOwn, restoreOwn, signIn } from "../../identity/account/support.ts";
import { forgetConfirmation, signUp } from "../../identity/people/support.ts";
import { actFor, join, makeTeam, type TeamOf } from "../../identity/teams/support.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { EXPORTS, fetchFile, finish, personalAccount, startExport, unzip, whileBeginHeld } from "./support.ts";
import { EXPORT_TTL_MS, EXPORT_WINDOW_MS, MAX_KEPT_ACCOUNT_EXPORTS } from "../../../src/moving/exports/limits.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

describe("an account export", () => {
  it("is for owners only, with a confirmed identity to start it, and not for keys", async () => {
    const team = await makeTeam();
    const paths = [EXPORTS, `${EXPORTS}/${SOME_ID}`, `${EXPORTS}/${SOME_ID}/file`] as const;
    for (const role of ["viewer", "member", "admin"] as const) {
      const person = await join(team, role);
      for (const [index, path] of paths.entries()) {
        const { status, body } = await actFor(team, person, index === 0 ? "POST" : "GET", path);
        const lacking = { code: "lacks_permission", resource: "role", value: role, allowed: ["account:export"] };
        expect([status, body]).toMatchObject([403, { code: "forbidden", details: [lacking] }]);
      }
    }
    const { key } = await createAccount();
    expect((await call("POST", EXPORTS, { key })).status).toBe(401);
    await forgetConfirmation();
    const refused = await actFor(team, team.owner, "POST", EXPORTS);
    expect([refused.status, refused.body.code]).toEqual([403, "confirm_identity"]);
    expect(await countEntries()).toBe(0);
  });

  it("is not found in another account, and is downloaded with the account in the parameter", async () => {
    const team = await makeTeam();
    const { browser, userId } = team.owner;
    const { id } = await startExport(browser, { "X-Account-Id": team.id });
    await finish(browser, id, { "X-Account-Id": team.id });
    const stranger = await signUp();
    for (const each of [browser, stranger.browser])
      for (const [path, status] of [
        [`${EXPORTS}/${id}`, 403],
        [`${EXPORTS}/${id}/file`, 403],
        [`${EXPORTS}/1`, 404],
        [`${EXPORTS}/${SOME_ID}`, 404],
      ] as const)
        expect((await each.get(path)).status).toBe(status);
    const parameter = `${EXPORTS}/${id}/file?accountId=${team.id}`;
    expect((await stranger.browser.get(parameter)).status).toBe(403);
    const file = await call("GET", parameter, { headers: { Cookie: `__Host-tern=${browser.session}` } });
    const manifest: unknown = JSON.parse((await unzip(await file.arrayBuffer())).get("export.json") ?? "");
    expect(manifest).toMatchObject({ account: { id: team.id, kind: "team" } });
    const entries = await env.DB.prepare(
      "SELECT actor_id, target_id, uuid FROM audit_entries e JOIN accounts a ON a.id = e.account_id WHERE action = 'export.create'",
    ).all();
    expect(entries.results).toEqual([{ actor_id: userId, target_id: id, uuid: team.id }]);
    const mails = await env.DB.prepare("SELECT recipient FROM mails WHERE kind = 'export_started'").all();
    expect(mails.results).toEqual([{ recipient: team.owner.email }]);
  });

  it("has a file with a name, a size and an ETag, and before it is done a 409", async () => {
    const { browser } = await signUp();
    const { id } = await whileBeginHeld(async () => {
      const started = await startExport(browser);
      const early = await fetchFile(browser, started.id);
      expect([early.status, (await jsonOf<ErrorJson>(early)).code]).toEqual([409, "conflict"]);
      return started;
    });
    const state = await finish(browser, id);
    const whole = await fetchFile(browser, id);
    const bytes = await whole.arrayBuffer();
    const date = new Date(state.createdAt).toISOString().slice(0, 10);
    const headers = {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="account-${date}.zip"`,
      "content-length": String(bytes.byteLength),
      etag: `"${id}"`,
      "cache-control": "no-store",
    };
    expect(Object.fromEntries(whole.headers)).toMatchObject(headers);
    const head = await fetchFile(browser, id, {}, "HEAD");
    expect([head.status, Object.fromEntries(head.headers)]).toMatchObject([200, headers]);
    expect((await fetchFile(browser, id, { "If-None-Match": `"${id}"` })).status).toBe(304);
  });

  it("is started twice an hour, so that two run at once, and four files are kept for a week", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { browser, userId } = await signUp();
    const both = [await startExport(browser)];
    vi.setSystemTime(Date.now() + 1);
    both.push(await startExport(browser));
    vi.setSystemTime(Date.now() + 60_500);
    const refused = await browser.post(EXPORTS);
    expect([refused.status, refused.body.code, refused.headers.get("X-RateLimit-Limit")]).toEqual([
      429,
      "rate_limited",
      "2",
    ]);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBe(Math.ceil((both[0]?.createdAt ?? 0) / 1000 + EXPORT_WINDOW_MS / 1000 - Date.now() / 1000));
    for (const { id } of both) expect(await finish(browser, id)).toMatchObject({ status: "done" });
    const ids = both.map(({ id }) => id);
    for (let round = 0; round < 3; round++) {
      vi.setSystemTime(Date.now() + EXPORT_WINDOW_MS);
      await browser.post("/api/auth/confirm", { password: "seventeen quiet lanterns" });
      const { id } = await startExport(browser);
      // Its time has not come for the runtime, whose clock is the real one.
      await runDurableObjectAlarm(jobRunnerOf(env, await personalAccount(userId), "account-exports"));
      expect(await finish(browser, id)).toMatchObject({ status: "done" });
      ids.push(id);
    }
    const kept = async () => {
      const statuses = ids.map(async (id) => (await browser.get(`${EXPORTS}/${id}`)).status);
      return (await Promise.all(statuses)).map((status) => status === 200);
    };
    expect(await kept()).toEqual(ids.map((_, index) => index >= ids.length - MAX_KEPT_ACCOUNT_EXPORTS));
    vi.setSystemTime((both[1]?.createdAt ?? 0) + EXPORT_TTL_MS);
    expect((await kept()).filter(Boolean)).toHaveLength(MAX_KEPT_ACCOUNT_EXPORTS - 1);
  });

  it("is refused while two are running", async () => {
    const { browser, userId } = await signUp();
    await whileBeginHeld(async () => {
      await startExport(browser);
      await startExport(browser);
      // As if it were later. The clock of the alarms is the real one.
      await runInDurableObject(jobRunnerOf(env, await personalAccount(userId), "account-exports"), (_, { storage }) => {
        storage.sql.exec("UPDATE jobs SET started_at = started_at - ?", EXPORT_WINDOW_MS);
      });
      const refused = await browser.post(EXPORTS);
      expect([refused.status, refused.body.code]).toEqual([409, "limit_reached"]);
    });
  });

  it("leaves nothing in storage when it expires, and when the account is deleted", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { browser, userId } = await signUp();
    const accountId = await personalAccount(userId);
    const exporter = jobRunnerOf(env, accountId, "account-exports");
    const tables = () =>
      runInDurableObject(exporter, async (_, { storage }) => {
        const names = storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('jobs', 'records')").toArray();
        return [names.length, (await storage.getAlarm()) !== null];
      });
    await finish(browser, (await startExport(browser)).id);
    expect(await tables()).toEqual([2, true]);
    vi.setSystemTime(Date.now() + EXPORT_TTL_MS);
    await runDurableObjectAlarm(exporter);
    expect(await tables()).toEqual([0, false]);

    await browser.post("/api/auth/confirm", { password: "seventeen quiet lanterns" });
    const { id } = await startExport(browser);
    await deleteJobs(env, accountId);
    expect(await tables()).toEqual([0, false]);
    expect((await browser.get(`${EXPORTS}/${id}`)).status).toBe(404);
    await deleteJobs(env, accountId);
  });

  it("fails if the person loses the role before it begins", async () => {
    const team = await makeTeam();
    const { browser } = team.owner;
    const admin = await join(team, "admin");
    const account = { "X-Account-Id": team.id };
    const { id } = await whileBeginHeld(async () => {
      const started = await startExport(browser, account);
      await env.DB.prepare("UPDATE memberships SET role = 'owner' WHERE role = 'admin'").run();
      await env.DB.prepare(
        "UPDATE memberships SET role = 'admin' WHERE user_id = ?1 AND account_id = (SELECT id FROM accounts WHERE uuid = ?2)",
      )
        .bind(team.owner.userId, team.id)
        .run();
      return started;
    });
    const state = await finish(admin.browser, id, account);
    expect(state).toMatchObject({ status: "failed", fault: { code: "job_not_allowed" } });
    const file = await fetchFile(admin.browser, id, account);
    expect(file.status).toBe(409);
    expect(await countEntries()).toBe(0);
  });

  it("ends when the account is deleted, and a complete one cannot be downloaded until it is restored", async () => {
    const person = await signUp();
    const { browser, userId } = person;
    const exporter = jobRunnerOf(env, await personalAccount(userId), "account-exports");
    const [complete, running] = [await startExport(browser), await startExport(browser)];
    for (const { id } of [complete, running]) expect(await finish(browser, id)).toMatchObject({ status: "done" });
    // As if it had more pages to read. Its next alarm is far in the future.
    await runInDurableObject(exporter, (_, { storage }) => {
      storage.sql.exec("UPDATE jobs SET status = 'running', details = NULL, due_at = 0 WHERE id = ?", running.id);
    });
    expect((await deleteOwn(person)).status).toBe(202);
    await runDurableObjectAlarm(exporter);
    await signIn(person);
    for (const { id } of [complete, running]) expect((await fetchFile(browser, id)).status).toBe(403);
    expect((await restoreOwn(person)).status).toBe(200);
    expect((await browser.get(`${EXPORTS}/${running.id}`)).body).toMatchObject({
      export: { status: "failed", size: null, fault: { code: "job_not_allowed" } },
    });
    expect((await fetchFile(browser, running.id)).status).toBe(409);
    expect((await fetchFile(browser, complete.id)).status).toBe(200);
  });

  it("ends when the operator disables the account, and a complete one cannot be downloaded until it is enabled", async () => {
    const team = await makeTeam();
    const { browser } = team.owner;
    const account = { "X-Account-Id": team.id };
    const setDisabled = (at: number | null) =>
      env.DB.prepare("UPDATE accounts SET disabled_at = ?1 WHERE uuid = ?2").bind(at, team.id).run();
    const complete = await startExport(browser, account);
    expect(await finish(browser, complete.id, account)).toMatchObject({ status: "done" });
    const { id } = await whileBeginHeld(async () => {
      const started = await startExport(browser, account);
      await setDisabled(Date.now());
      return started;
    });
    const paths = [`${EXPORTS}/${id}`, `${EXPORTS}/${complete.id}`, `${EXPORTS}/${complete.id}/file`];
    const replies = paths.map((path) => browser.get(path, { headers: account }));
    for (const reply of [...(await Promise.all(replies)), await browser.send("POST", EXPORTS, { headers: account })])
      expect([reply.status, reply.body]).toMatchObject([403, { details: [{ code: "account_disabled" }] }]);
    const exporter = jobRunnerOf(env, await idOf(team), "account-exports");
    await vi.waitUntil(async () => (await exporter.find(id))?.status === "failed", { timeout: 30_000 });
    await setDisabled(null);
    expect((await browser.get(`${EXPORTS}/${id}`, { headers: account })).body).toMatchObject({
      export: { status: "failed", size: null, fault: { code: "job_not_allowed" } },
    });
    expect((await fetchFile(browser, id, account)).status).toBe(409);
    expect((await fetchFile(browser, complete.id, account)).status).toBe(200);
    expect(await countEntries()).toBe(1);
  });

  it("of a team is not downloaded by an owner who lost the role, but by others", async () => {
    const team = await makeTeam();
    const account = { "X-Account-Id": team.id };
    const { id } = await startExport(team.owner.browser, account);
    await finish(team.owner.browser, id, account);
    const later = await join(team, "owner");
    const path = `/api/teams/${team.id}/members/${team.owner.userId}`;
    expect((await later.browser.send("PATCH", path, { body: { role: "admin" } })).status).toBe(200);
    expect((await fetchFile(team.owner.browser, id, account)).status).toBe(403);
    expect((await fetchFile(later.browser, id, account)).status).toBe(200);
  });
});

async function idOf(team: TeamOf): Promise<number> {
  const statement = env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(team.id);
  return (await statement.first<number>("id")) ?? 0;
}

async function countEntries(): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS n FROM audit_entries WHERE action = 'export.create'").first<number>("n");
}
