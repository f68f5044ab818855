import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import { permissionsOf, ROLES } from "../../../src/platform/auth/roles.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";
import { addMember, addPerson, addSessionOf } from "./members.ts";
import { oneOfEachKind, readOperations, request, SOME_ID, type Credentials, type Operation } from "./operations.ts";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";

// test/identity/people/access-matrix.test.ts has what a session may do in its own team.

const UNKNOWN_KEY = `svc_sk_live_${"0".repeat(64)}`;
const PASSED = expect.toBeOneOf([200, 202, 400, 404, 426]);

describe("every operation", () => {
  let operations: Operation[];
  /** For what the guards decide. */
  let kinds: Set<Operation>;
  beforeAll(() => {
    operations = readOperations();
    const kindOf = ({ method, path, permission, acceptsKeys }: Operation) =>
      `${method === "GET"} ${path.startsWith("/api/teams/")} ${permission} ${acceptsKeys}`;
    kinds = new Set(oneOfEachKind(operations, kindOf));
  });

  it.each(["owner", "viewer"] as const)("does nothing in another account for the role %s", async (role) => {
    const { cookie } = await addMember(role);
    const other = await createAccount();
    const others = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1")
      .bind(other.accountId)
      .first<string>("uuid");
    const ofAccounts = operations.filter(({ acceptsKeys, permission }) => acceptsKeys || permission !== null);
    expect(ofAccounts.length).toBeGreaterThan(60);
    const at = ({ method, path }: Operation, team: string | null) => ({
      method,
      path: path.replace(`/teams/${SOME_ID}`, `/teams/${team}`),
    });
    for (const [index, operation] of ofAccounts.entries()) {
      const name = `${operation.method} ${operation.path}`;
      // With four calls for each operation, ten have fewer than the changes of one session a minute.
      if (index % 10 === 0) await env.DB.prepare("UPDATE sessions SET id = ?1").bind(newId(Date.now())).run();
      const elsewhere = await request(at(operation, others), { cookie, account: others ?? "" });
      expect([name, elsewhere.status, await elsewhere.json()]).toMatchObject([
        name,
        403,
        { code: "forbidden", details: [{ path: "", code: "not_a_member" }] },
      ]);
      if (!kinds.has(operation)) continue;
      const isOfTeam = operation.path.startsWith("/api/teams/");
      // The person has no personal account here.
      for (const account of [SOME_ID, "1", undefined]) {
        const nowhere = await request(at(operation, SOME_ID), { cookie, account });
        expect([name, account, nowhere.status]).toEqual([name, account, isOfTeam ? 404 : 403]);
      }
    }
  });

  it("takes a key, a session or both, of which the key decides, and refuses strangers", async () => {
    const [member, other] = [await addMember("viewer"), await createAccount()];
    const ended = newToken();
    for (const operation of operations) {
      const { method, path, acceptsKeys } = operation;
      const statusWith = async (credentials: Credentials) => (await request(operation, credentials)).status;
      const name = `${method} ${path}`;
      if (path !== "/api/shorten") expect([name, await statusWith({})]).toEqual([name, 401]);
      for (const headers of method === "GET" ? [] : [{}, { Origin: "null" }, { Origin: "https://evil.test" }]) {
        const response = await call(method, path, { headers: { Cookie: `__Host-tern=${member.cookie}`, ...headers } });
        expect([name, response.status, (await jsonOf<ErrorJson>(response)).code]).toEqual([name, 403, "cross_site"]);
      }
      if (!kinds.has(operation)) continue;
      const key = acceptsKeys ? PASSED : 401;
      expect([name, await statusWith({ key: member.key })]).toEqual([name, key]);
      // On session-only paths the session decides, else the key.
      if (acceptsKeys) {
        expect([name, await statusWith(member)]).toEqual([name, PASSED]);
        expect([name, await statusWith({ ...member, key: other.key })]).toEqual([name, PASSED]);
        expect([name, await statusWith({ ...member, key: UNKNOWN_KEY })]).toEqual([name, 401]);
      } else {
        const own = { ...member, cookie: await addSessionOf(member) };
        const [alone, both] = [
          await statusWith({ ...own, key: undefined }),
          await statusWith({ ...own, cookie: await addSessionOf(member), key: UNKNOWN_KEY }),
        ];
        expect([name, both]).toEqual([name, alone]);
        expect(alone).not.toBe(401);
      }
      expect([name, await statusWith({ cookie: ended })]).toEqual([name, 401]);
    }
  });
});

it("a higher role has all permissions of a lower one", () => {
  expect(permissionsOf("owner")).toEqual(PERMISSIONS);
  for (const [index, role] of ROLES.entries())
    for (const lower of ROLES.slice(index + 1))
      expect(permissionsOf(role)).toEqual(expect.arrayContaining([...permissionsOf(lower)]));
});

describe("a person on the public API", () => {
  it("acts for the personal account, or for the one in the header or the parameter", async () => {
    const [mine, other] = [await addMember("owner"), await addMember("owner")];
    const theirs = await createLink(other.key);
    const cookie = { Cookie: `__Host-tern=${mine.cookie}` };
    const list = (query: string, headers = {}) =>
      call("GET", `/api/links${query}`, { headers: { ...cookie, ...headers } });
    // No personal account here.
    expect((await list("")).status).toBe(403);
    await env.DB.prepare(
      "UPDATE accounts SET personal_user_id = (SELECT user_id FROM sessions WHERE hash = ?1) WHERE uuid = ?2",
    )
      .bind(await hashToken(mine.cookie), mine.account)
      .run();
    expect((await list("")).status).toBe(200);
    expect((await list(`?accountId=${mine.account}&limit=1`)).status).toBe(200);
    expect((await list(`?accountId=${mine.account.toUpperCase()}`, { "X-Account-Id": mine.account })).status).toBe(200);
    expect((await list(`?accountId=${other.account}`)).status).toBe(403);
    expect((await list(`?accountId=${other.account}`, { "X-Account-Id": mine.account })).status).toBe(400);
    expect((await call("GET", `/api/links?accountId=${mine.account}`, { key: mine.key })).status).toBe(400);
    const qr = await call("GET", `/api/links/${theirs.id}/qr`, { headers: cookie });
    expect(qr.status).toBe(403);
  });

  it("creates keys and webhook secrets only with a confirmed identity; they name the person", async () => {
    const member = await addMember("admin");
    const headers = { Origin: BASE_URL, Cookie: `__Host-tern=${member.cookie}`, "X-Account-Id": member.account };
    const create = () => call("POST", "/api/keys", { headers, body: { name: "Mine" } });
    const { key } = await jsonOf<{ key: { id: string; createdBy: object; permissions: string[] } }>(await create());
    const user = await env.DB.prepare("SELECT id FROM users").first<string>("id");
    expect(key).toMatchObject({ createdBy: { type: "user", id: user }, permissions: permissionsOf("admin") });
    await env.DB.prepare("UPDATE sessions SET confirmed_at = 0").run();
    const webhook = { url: "https://hooks.example/", events: ["link.create"] };
    const refused = [
      await create(),
      await call("POST", "/api/webhooks", { headers, body: webhook }),
      await call("POST", "/api/listeners", { headers, body: { events: webhook.events } }),
    ];
    for (const response of refused) expect(await response.json()).toMatchObject({ code: "confirm_identity" });
    const revoke = () => call("DELETE", `/api/keys/${key.id}`, { headers });
    expect((await revoke()).status).toBe(403);
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ?1").bind(Date.now()).run();
    expect((await revoke()).status).toBe(200);
    const { results } = await env.DB.prepare(
      "SELECT actor_type, actor_id, action, target_id FROM audit_entries ORDER BY id",
    ).all();
    const entry = { actor_type: "user", actor_id: user, target_id: key.id };
    expect(results).toEqual([
      { ...entry, action: "key.create" },
      { ...entry, action: "key.revoke" },
    ]);
  });

  it("has 300 reads and 60 changes a minute, and five times that for each address", async () => {
    const member = await addMember("member");
    const headers = { Origin: BASE_URL, Cookie: `__Host-tern=${member.cookie}`, "X-Account-Id": member.account };
    const read = await call("GET", "/api/links", { headers });
    expect([read.headers.get("X-RateLimit-Limit"), read.headers.get("X-RateLimit-Remaining")]).toEqual(["300", "299"]);
    const address = freshAddress();
    const statuses = await Promise.all(
      Array.from({ length: 62 }, async () => (await call("POST", "/api/qr", { headers, address, body: {} })).status),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const exhausted = { name: address, operation: "changes of sessions", limit: 300 };
    const limiter = env.RATE_LIMITER.getByName(exhausted.name);
    for (let call = 0; call < 238; call++) await limiter.take(exhausted.operation, exhausted.limit);
    const other = await addMember("member");
    const response = await call("POST", "/api/qr", {
      headers: { ...headers, Cookie: `__Host-tern=${other.cookie}`, "X-Account-Id": other.account },
      address,
      body: {},
    });
    expect(response.status).toBe(429);
  });

  it("loses access with the membership and with the session, at the next request", async () => {
    const { cookie, account } = await addMember("member");
    const status = async () => (await request({ method: "GET", path: "/api/links" }, { cookie, account })).status;
    expect(await status()).toBe(200);
    await env.DB.prepare("DELETE FROM memberships").run();
    expect(await status()).toBe(403);
    await env.DB.prepare("DELETE FROM sessions").run();
    expect(await status()).toBe(401);
  });
});

it("an account always keeps an owner, also if two leave at once", async () => {
  const first = await addMember("owner");
  const leave = (hash: string) =>
    env.DB.prepare("DELETE FROM memberships WHERE user_id = (SELECT user_id FROM sessions WHERE hash = ?1)")
      .bind(hash)
      .run()
      .then(
        () => "left",
        (error: Error) => error.message,
      );
  const second = await addPerson();
  const hashes = [await hashToken(first.cookie), await hashToken(second)];
  await env.DB.prepare(
    `INSERT INTO memberships SELECT (SELECT id FROM accounts), user_id, 'owner', 0 FROM sessions WHERE hash = ?1`,
  )
    .bind(hashes[1])
    .run();
  const outcomes = await Promise.all(hashes.map(leave));
  expect(outcomes.sort()).toEqual([expect.stringContaining("an account needs an owner"), "left"]);
  const demote = env.DB.prepare("UPDATE memberships SET role = 'admin'").run();
  await expect(demote).rejects.toThrow("an account needs an owner");
});
