import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIVE_CLOSE_CODES } from "../../../src/clicks/click-log/live.ts";
import { PERMISSIONS } from "../../../src/auth/permissions.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { LIVE_RIGHT_TTL_MS, MAX_LIVE_SOCKETS_PER_CREDENTIAL } from "../../../src/limits.ts";
import { addMember, addPerson, addSessionOf } from "../../people/members.ts";
import { addKey, BASE_URL, call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { until } from "../../support/until.ts";
import { arrived, ask, watch } from "./support.ts";

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

const USER_OF = "(SELECT user_id FROM memberships WHERE account_id = ?1)";
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
    await until(() =>
      watchers.every(
        ({ messages, closed }, index) =>
          ends[index] === (closed !== null) && (closed !== null || messages.length === 2),
      ),
    );
    await arrived(...watchers);
    const goesOn = { messages: [{}, {}], closed: null };
    const isClosed = { messages: [{}], closed: { code: LIVE_CLOSE_CODES.notAllowed } };
    expect(watchers).toMatchObject(ends.map((isEnd) => (isEnd ? isClosed : goesOn)));
  });
});
