import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIVE_CLOSE_CODES } from "../../../../src/click-log/log/live.ts";
import { PERMISSIONS } from "../../../../src/platform/auth/permissions.ts";
import { newId } from "../../../../src/platform/lib/uuid.ts";
import { MAX_LIVE_SOCKETS_PER_CREDENTIAL } from "../../../../src/limits.ts";
import { addMember, addPerson, addSessionOf } from "../../../identity/people/members.ts";
import { addKey, BASE_URL, call, createAccount, createLink, jsonOf } from "../../../support/api.ts";
import { clickOn, consume, logOf, messageOf } from "../../../support/clicks.ts";
import { interceptD1, type D1Interceptor } from "../../../support/d1-client.ts";
import { measureD1 } from "../../../support/d1-meter.ts";
import { until } from "../../../support/until.ts";
import { arrived, ask, watch } from "./support.ts";
import { LIVE_MESSAGES_WINDOW_MS, LIVE_RIGHT_TTL_MS } from "../../../../src/click-log/limits.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(() => vi.useRealTimers());

const link = newId(Date.now());
const visit = (accountId: number) => consume([messageOf([clickOn(link, accountId)])]);
const withCookie = (cookie: string, headers: Record<string, string> = { Origin: BASE_URL }) => ({
  headers: { Cookie: `__Host-tern=${cookie}`, ...headers },
});
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** A team with a viewer, a second session of the viewer, and two keys. */
async function createTeam() {
  const { cookie, account, key } = await addMember("viewer");
  const id = await env.DB.prepare("SELECT id FROM accounts WHERE uuid = ?1").bind(account).first<number>("id");
  const accountId = id ?? 0;
  const other = await addKey(accountId, PERMISSIONS, Date.now() + LIVE_RIGHT_TTL_MS);
  return { account, accountId, cookie, otherCookie: await addSessionOf({ account }), key, other };
}
type Team = Awaited<ReturnType<typeof createTeam>>;

/** What ends the right to watch, and whether it ends that of a key, of a session, and of another session of the person. */
const ENDS: [name: string, end: (team: Team) => Promise<unknown>, key: boolean, session: boolean, other: boolean][] = [
  ["the key is revoked", ({ key, other }) => revoke(key, other.keyId), true, false, false],
  [
    "the key loses the permission",
    ({ key, other }) => call("PATCH", `/api/keys/${other.keyId}`, { key, body: { permissions: ["links:read"] } }),
    true,
    false,
    false,
  ],
  ["the person signs out", ({ cookie }) => call("POST", "/api/auth/sign-out", withCookie(cookie)), false, true, false],
  [
    "the person leaves the team",
    ({ accountId }) => run("DELETE FROM memberships WHERE account_id = ?1", accountId),
    false,
    true,
    true,
  ],
  [
    "the team needs a second factor",
    ({ accountId }) => run("UPDATE accounts SET require_mfa = 1 WHERE id = ?1", accountId),
    false,
    true,
    true,
  ],
  [
    "the operator disables the account",
    ({ accountId }) => run("UPDATE accounts SET disabled_at = 1 WHERE id = ?1", accountId),
    true,
    true,
    true,
  ],
  [
    "the account is deleted",
    ({ accountId }) => run("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1", accountId, Date.now()),
    true,
    true,
    true,
  ],
  [
    "the person is deleted",
    ({ accountId }) =>
      run(
        `INSERT INTO accounts (uuid, name, created_at, personal_user_id, deleted_at) SELECT 'x', 'x', 0, user_id, 1
         FROM memberships WHERE account_id = ?1`,
        accountId,
      ),
    false,
    true,
    true,
  ],
];

const revoke = (key: string, id: string) => call("DELETE", `/api/keys/${id}`, { key });

describe("a WebSocket with live clicks", () => {
  it.each(ENDS)("is closed at the next click 10 s after %s, and others go on", async (_, end, key, session, other) => {
    const team = await createTeam();
    const { account, accountId } = team;
    await run("UPDATE api_keys SET expires_at = NULL WHERE id = ?1", team.other.keyId);
    const watchers = [
      await watch("", { key: team.other.key }),
      await watch(`?accountId=${account}`, withCookie(team.cookie)),
      await watch(`?accountId=${account}`, withCookie(team.otherCookie)),
    ];
    await visit(accountId);
    await until(() => watchers.every(({ messages }) => messages.length === 1));
    await end(team);
    vi.setSystemTime(Date.now() + LIVE_RIGHT_TTL_MS);
    await visit(accountId);
    const ends = [key, session, other];
    await until(() => watchers.every(({ messages, closed }) => closed !== null || messages.length === 2));
    await arrived(...watchers);
    const goesOn = { messages: [{}, {}], closed: null };
    const isClosed = { messages: [{}], closed: { code: LIVE_CLOSE_CODES.notAllowed } };
    expect(watchers).toMatchObject(ends.map((isEnd) => (isEnd ? isClosed : goesOn)));
  });

  it("costs one round trip to the database in 10 s, however many watch and click", async () => {
    const { accountId, key } = await createAccount();
    const { key: second } = await addKey(accountId);
    const watchers = [await watch("", { key }), await watch("", { key }), await watch("", { key: second })];
    const costOf = async (clicks: number) => {
      const got = watchers.map(({ messages }) => messages.length);
      const measured = await measureD1(async () => {
        for (let click = 1; click <= clicks; click++) {
          await visit(accountId);
          await until(() => watchers.every(({ messages }, index) => messages.length === (got[index] ?? 0) + click));
          vi.setSystemTime(Date.now() + LIVE_MESSAGES_WINDOW_MS);
        }
      });
      return measured.statements.filter((statement) => statement.includes("api_keys"));
    };
    expect(await costOf(9)).toEqual([]);
    vi.setSystemTime(Date.now() + LIVE_RIGHT_TTL_MS);
    // A statement for each key.
    expect(await costOf(9)).toHaveLength(2);
  });

  it("gets nothing while nobody can say whether it may, and then everything", async () => {
    const { accountId, key } = await createAccount();
    const watcher = await watch("", { key });
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    vi.setSystemTime(Date.now() + LIVE_RIGHT_TTL_MS);
    const isCheck = (sql: unknown) => Array.isArray(sql) && String(sql).includes("api_keys");
    const fail: D1Interceptor = (sql, send) => (isCheck(sql) ? Promise.reject(new Error("no database")) : send());
    await interceptD1(fail, async () => {
      await visit(accountId);
      await until(() => warn.mock.calls.some(([line]) => String(line).includes("live_clicks_failed")));
    });
    await arrived(watcher);
    expect(watcher).toMatchObject({ messages: [], closed: null });
    // An answer that is itself too old counts for nothing.
    const slow: D1Interceptor = async (sql, send) => {
      const answer = await send();
      if (isCheck(sql)) vi.setSystemTime(Date.now() + LIVE_RIGHT_TTL_MS);
      return answer;
    };
    const before = Date.now();
    await interceptD1(slow, async () => {
      await visit(accountId);
      await until(() => Date.now() > before);
    });
    await arrived(watcher);
    expect(watcher).toMatchObject({ messages: [], closed: null });
    await visit(accountId);
    await until(() => watcher.messages.length > 0);
    expect(watcher.messages).toMatchObject([{ total: 3 }]);
  });

  it("does not delay the queue, and clicks that arrive while the database is asked come with the answer", async () => {
    const { accountId, key } = await createAccount();
    const watcher = await watch("", { key });
    vi.setSystemTime(Date.now() + LIVE_RIGHT_TTL_MS);
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    let checks = 0;
    const wait: D1Interceptor = async (sql, send) => {
      if (String(sql).includes("instr(permissions")) {
        checks++;
        await promise;
      }
      return send();
    };
    await interceptD1(wait, async () => {
      await visit(accountId);
      await until(() => checks > 0);
      await visit(accountId);
      await visit(accountId);
      expect(watcher.messages).toEqual([]);
      answer();
      await until(() => watcher.messages.length > 0);
    });
    expect(checks).toBe(1);
    expect(watcher.messages).toMatchObject([{ total: 3 }]);
  });

  it("is closed when its account is gone", async () => {
    const { accountId, key } = await createAccount();
    const watcher = await watch("", { key });
    await logOf(accountId).destroy();
    await until(() => watcher.closed !== null);
    expect(watcher.closed).toMatchObject({ code: LIVE_CLOSE_CODES.notAllowed });
  });
});

describe("GET /api/clicks/live", () => {
  it("opens five WebSockets for a key and five for a session, and a further one once one is closed", async () => {
    const { account, cookie, key } = await createTeam();
    for (const open of [() => watch("", { key }), () => watch(`?accountId=${account}`, withCookie(cookie))]) {
      const [first] = await Promise.all(Array.from({ length: MAX_LIVE_SOCKETS_PER_CREDENTIAL }, open));
      await expect(open()).rejects.toThrow(/409 .*limit_reached/);
      first?.socket.close();
      await until(() => first?.closed !== null);
      await open();
    }
  });

  it("needs clicks:read, a valid query and links of the account", async () => {
    const { accountId, key } = await createAccount();
    const others = await createLink((await createAccount()).key);
    const { key: without } = await addKey(accountId, ["links:read"]);
    const responses = [
      await ask("", { key: without }),
      await ask("?interval=7d", { key }),
      await ask("?country=Germany", { key }),
      await ask(`?linkIds=${others.id}`, { key }),
      await ask(""),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 400, 400, 400, 401]);
    const { headers } = await watch("", { key });
    expect(headers.get("X-RateLimit-Limit")).toBe("30");
    expect(headers.get("X-Request-Id")).not.toBeNull();
  });

  it("needs the service's own origin with a session, whose person is a member of the account", async () => {
    const { account, cookie } = await createTeam();
    const stranger = await addPerson();
    const query = `?accountId=${account}`;
    const statuses = [];
    for (const headers of [{}, { Origin: "https://evil.test" }, { "Sec-Fetch-Site": "cross-site" }])
      statuses.push((await ask(query, withCookie(cookie, headers))).status);
    expect(statuses).toEqual([403, 403, 403]);
    expect((await ask(query, withCookie(stranger))).status).toBe(403);
    const different = { Origin: BASE_URL, "X-Account-Id": newId(Date.now()) };
    expect((await ask(query, withCookie(cookie, different))).status).toBe(400);
    await watch(query, withCookie(cookie, { "Sec-Fetch-Site": "same-origin" }));
  });

  it("answers 426 to a request for something else", async () => {
    const { key } = await createAccount();
    for (const [method, headers] of [
      ["GET", {}],
      ["GET", { Upgrade: "h2c" }],
      ["HEAD", { Upgrade: "websocket" }],
    ] as const) {
      const response = await call(method, "/api/clicks/live", { key, headers });
      expect([response.status, response.headers.get("Upgrade")]).toEqual([426, "websocket"]);
      if (method === "GET") expect(await jsonOf(response)).toMatchObject({ code: "upgrade_required" });
    }
  });
});
