import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import { deleteJobs, jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import type { Export } from "../../../src/moving/exports/files/contract.ts";
import { signUp } from "../../identity/people/support.ts";
import { addKey, call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { actFor, join, makeTeam } from "../../identity/teams/support.ts";
import { exportFile, FILES, finishFile, readLinks, startFile } from "./file-support.ts";
import { EXPORTS, finish, startExport, whileBeginHeld } from "./support.ts";
import { EXPORT_TTL_MS, EXPORT_WINDOW_MS, MAX_KEPT_FILE_EXPORTS } from "../../../src/moving/exports/limits.ts";

const without = (...names: string[]) => PERMISSIONS.filter((permission) => !names.includes(permission));

interface Listed {
  exports: Export[];
  nextCursor: string | null;
}

async function list(key: string, query = ""): Promise<Listed> {
  return jsonOf<Listed>(await call("GET", `${FILES}${query}`, { key }));
}

describe("an export of links, clicks or QR codes", () => {
  it("is for callers who may read what is in it, to start it, to see it and to download it", async () => {
    const { accountId, key } = await createAccount();
    const kinds = { links: "links:read", qr: "links:read", clicks: "clicks:read" } as const;
    const ids = new Map<string, string>();
    for (const kind of ["links", "qr", "clicks"]) ids.set(kind, (await exportFile({ key }, { kind })).state.id);
    for (const permission of ["links:read", "clicks:read", "bulk"] as const) {
      const { key: limited, keyId } = await addKey(accountId, without(permission));
      for (const [kind, needed] of Object.entries(kinds)) {
        const id = ids.get(kind) ?? "";
        const answers = [
          await call("POST", FILES, { key: limited, body: { kind } }),
          await call("GET", `${FILES}/${id}`, { key: limited }),
          await call("GET", `${FILES}/${id}/file`, { key: limited }),
        ];
        const isRefused = needed === permission || permission === "bulk";
        const expected = isRefused ? [403, 403, 403] : [202, 200, 200];
        expect([kind, permission, answers.map(({ status }) => status)]).toEqual([kind, permission, expected]);
        if (!isRefused) continue;
        const lacking = { code: "lacks_permission", resource: "key", allowed: [permission] };
        for (const answer of answers)
          expect(await jsonOf(answer)).toMatchObject({ code: "forbidden", details: [lacking] });
      }
      const seen = permission === "bulk" ? undefined : new Set((await list(limited)).exports.map(({ kind }) => kind));
      const readable = Object.entries(kinds).flatMap(([kind, needed]) => (needed === permission ? [] : [kind]));
      if (seen !== undefined) expect([...seen].toSorted()).toEqual(readable.toSorted());
      await call("DELETE", `/api/keys/${keyId}`, { key });
      await waitForAll(key);
    }
  });

  it("is refused to another account, and an export of all data is none of its files", async () => {
    const { browser } = await signUp();
    const { id: whole } = await startExport(browser);
    await finish(browser, whole);
    const own = await browser.post(FILES, { kind: "links" });
    expect(own.status).toBe(202);
    const { id } = own.body["export"] as Export;
    const stranger = await createAccount();
    for (const [path, status] of [
      [`${FILES}/${id}`, 403],
      [`${FILES}/${id}/file`, 403],
      [`${FILES}/1`, 404],
    ] as const)
      expect((await call("GET", path, { key: stranger.key })).status).toBe(status);
    for (const path of [`${FILES}/${whole}`, `${FILES}/${whole}/file`, `${EXPORTS}/${id}`, `${EXPORTS}/${id}/file`])
      expect((await browser.get(path)).status).toBe(404);
    expect((await browser.get(FILES)).body).toMatchObject({ exports: [{ id }], nextCursor: null });
    expect(await list(stranger.key)).toEqual({ exports: [], nextCursor: null });
  });

  it("is started by members of a team, recorded in the audit log, and downloaded with the account in the parameter", async () => {
    const team = await makeTeam();
    const [member, viewer] = [await join(team, "member"), await join(team, "viewer")];
    const body = { kind: "links", format: "json" };
    expect((await actFor(team, viewer, "POST", FILES, body)).status).toBe(403);
    const started = await actFor(team, member, "POST", FILES, body);
    expect(started.status).toBe(202);
    const { id } = started.body["export"] as Export;
    const headers = { Cookie: `__Host-tern=${member.browser.session}`, "X-Account-Id": team.id };
    await finishFile({ headers }, id);
    const file = await call("GET", `${FILES}/${id}/file?accountId=${team.id}`, { headers: { Cookie: headers.Cookie } });
    expect([file.status, await file.json()]).toEqual([200, { links: [] }]);
    const entries = await env.DB.prepare(
      "SELECT actor_type, actor_id, target_id FROM audit_entries WHERE action = 'export.create'",
    ).all();
    expect(entries.results).toEqual([{ actor_type: "user", actor_id: member.userId, target_id: id }]);
    const mails = await env.DB.prepare("SELECT count(*) AS n FROM mails WHERE kind = 'export_started'").first("n");
    expect(mails).toBe(0);
  });

  it("has a file with a name, a size and an ETag, and before it is done a 409", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "one" });
    const { id } = await whileBeginHeld(async () => {
      const started = await startFile({ key }, { kind: "links" });
      const early = await call("GET", `${FILES}/${started.id}/file`, { key });
      expect([early.status, (await jsonOf<ErrorJson>(early)).code]).toEqual([409, "conflict"]);
      return started;
    });
    const { createdAt, size } = await finishFile({ key }, id);
    const download = (headers = {}, method = "GET") => call(method, `${FILES}/${id}/file`, { key, headers });
    const whole = await download();
    const headers = {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="links-${new Date(createdAt).toISOString().slice(0, 10)}.csv"`,
      "content-length": String(size),
      "cache-control": "no-store",
      etag: `"${id}"`,
    };
    expect(Object.fromEntries(whole.headers)).toMatchObject(headers);
    expect(readLinks(await text(whole))).toMatchObject([{ slug: "one" }]);
    const head = await download({}, "HEAD");
    expect([head.status, Object.fromEntries(head.headers), await head.text()]).toMatchObject([200, headers, ""]);
    expect((await download({ "If-None-Match": `"${id}"` })).status).toBe(304);
    // Parts of a file are not served.
    const range = await download({ Range: "bytes=0-3" });
    expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([200, size]);
  });

  it("is started ten times an hour, two run at once, and the list has pages", async () => {
    const { key } = await createAccount();
    await whileBeginHeld(async () => {
      await startFile({ key }, { kind: "links" });
      await startFile({ key }, { kind: "clicks" });
      const refused = await call("POST", FILES, { key, body: { kind: "qr" } });
      expect([refused.status, await jsonOf(refused)]).toMatchObject([409, { code: "limit_reached" }]);
    });
    await waitForAll(key);
    for (let count = 2; count < 10; count++) await exportFile({ key }, { kind: "links" });
    const refused = await call("POST", FILES, { key, body: { kind: "links" } });
    expect([refused.status, await jsonOf(refused), refused.headers.get("X-RateLimit-Limit")]).toMatchObject([
      429,
      { code: "rate_limited" },
      "10",
    ]);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(EXPORT_WINDOW_MS / 1000 - 60);
    const { exports: all } = await list(key);
    expect(all).toHaveLength(10);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const first = await list(key, "?limit=4");
    const rest = await list(key, `?limit=6&cursor=${first.nextCursor}`);
    expect([...first.exports, ...rest.exports]).toEqual(all);
    expect([(await list(key, "?limit=4&page=3")).exports, rest.nextCursor]).toEqual([all.slice(8), null]);
  });

  it("is kept for a week, the newest twenty of an account, and leaves nothing in storage", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { key, accountId } = await createAccount();
    const exporter = jobRunnerOf(env, accountId, "file-exports");
    const { state } = await exportFile({ key }, { kind: "qr" });
    await runInDurableObject(exporter, (_, { storage }) => {
      storage.sql.exec(
        `INSERT INTO jobs (id, kind, account_id, starter, base_url, input, status, due_at, created_at, started_at)
         SELECT '0-older-' || value, e.kind, e.account_id, e.starter, e.base_url, e.input, 'done', e.due_at, e.created_at,
           e.created_at - ${EXPORT_WINDOW_MS}
         FROM jobs e, json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]')`,
      );
    });
    expect((await list(key)).exports).toHaveLength(22);
    const { state: newest } = await exportFile({ key }, { kind: "links" });
    const kept = (await list(key)).exports.map(({ id }) => id);
    expect(kept).toHaveLength(MAX_KEPT_FILE_EXPORTS);
    expect(kept).toEqual(expect.arrayContaining([newest.id, state.id]));
    vi.setSystemTime(Date.now() + EXPORT_TTL_MS);
    expect(await list(key)).toEqual({ exports: [], nextCursor: null });
    expect((await call("GET", `${FILES}/${newest.id}`, { key })).status).toBe(404);
    await runDurableObjectAlarm(exporter);
    const tables = () =>
      runInDurableObject(exporter, async (_, { storage }) => [
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('jobs', 'records')").toArray(),
        await storage.getAlarm(),
      ]);
    expect(await tables()).toEqual([[], null]);
    await startFile({ key }, { kind: "qr" });
    await deleteJobs(env, accountId);
    expect(await tables()).toEqual([[], null]);
  });
});

describe("a running export ends", () => {
  const STATEMENTS = {
    "its key is revoked": "UPDATE api_keys SET revoked_at = 1 WHERE id = ?1",
    "its key expires": "UPDATE api_keys SET expires_at = 1 WHERE id = ?1",
    "its key loses the permission to read links": `UPDATE api_keys SET permissions = '["bulk","clicks:read"]' WHERE id = ?1`,
    "its key loses the permission bulk": `UPDATE api_keys SET permissions = '["links:read"]' WHERE id = ?1`,
    "the operator disables the account":
      "UPDATE accounts SET disabled_at = 1 WHERE id = (SELECT account_id FROM api_keys WHERE id = ?1)",
    "the account is deleted":
      "UPDATE accounts SET deleted_at = 1 WHERE id = (SELECT account_id FROM api_keys WHERE id = ?1)",
  };

  it.each(Object.entries(STATEMENTS))("when %s", async (_, statement) => {
    const { key, keyId, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 10);
    const exporter = jobRunnerOf(env, accountId, "file-exports");
    const { state } = await exportFile({ key }, { kind: "links" });
    // As if it had more pages to read.
    await runInDurableObject(exporter, async (_object, { storage }) => {
      storage.sql.exec("UPDATE jobs SET status = 'running', details = NULL, due_at = 0 WHERE id = ?", state.id);
    });
    await env.DB.prepare(statement).bind(keyId).run();
    await runDurableObjectAlarm(exporter);
    const [ended, pieces] = await runInDurableObject(exporter, (object, { storage }) => [
      object.find(state.id),
      storage.sql.exec("SELECT 1 FROM records").toArray(),
    ]);
    const fault = expect.objectContaining({ code: "job_not_allowed" }) as object;
    expect([ended, pieces]).toEqual([expect.objectContaining({ status: "failed", details: null, fault }), []]);
  });
});

async function text(response: Response): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer());
}

async function waitForAll(key: string): Promise<void> {
  for (const { id } of (await list(key)).exports) await finishFile({ key }, id);
}
