import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CONFIRMED_OPERATIONS_OF_APPS, needsConfirmation } from "../../../src/platform/auth/confirmed-operations.ts";
import { roleHas, ROLES, type Role } from "../../../src/platform/auth/roles.ts";
import { SCOPES, type AppResource, type Scope } from "../../../src/platform/auth/scopes.ts";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, call, type ErrorJson } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { enrolTotp, stopClock } from "../people/factors.ts";
import { oneOfEachKind, readOperations, readOtherOperations, type Operation } from "../people/operations.ts";
import { join, makeTeam, type Person, type TeamOf } from "../teams/support.ts";
import { connect, renewGrantId } from "./support.ts";

// What an access token may do, for each role, scope and state of its grant: each merge tries an operation of each kind that the
// guards tell apart, and each night all. The expected answers come from the tables of roles, of scopes and of operations
// that need a confirmed identity.

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

/** What the guards answer; null: they let the request pass. */
type Refusal =
  | "invalid_token"
  | "session_only"
  | "app_lacks_scope"
  | "lacks_permission"
  | "confirm_identity"
  | "insufficient_user_authentication"
  | "account_disabled"
  | "account_deleted"
  | "mfa_required"
  | null;

interface State {
  role?: Role;
  scopes?: readonly Scope[];
  resource?: AppResource;
  /** Brings the connected app into the state. */
  arrange?: (team: TeamOf, person: Person) => Promise<unknown>;
  /** What the state alone refuses. */
  refuses?: Refusal;
  /** The role that the state leaves. */
  leaves?: Role;
  isStale?: true;
}

const memberPath = (team: TeamOf, { userId }: Person) => `/api/teams/${team.id}/members/${userId}`;
const write =
  (sql: string, ...values: unknown[]) =>
  () =>
    env.DB.prepare(sql)
      .bind(...values)
      .run();
const writeTeam = (column: string) => (team: TeamOf) =>
  env.DB.prepare(`UPDATE accounts SET ${column} = 1 WHERE uuid = ?1`).bind(team.id).run();
const writePerson = (column: string) => (_: TeamOf, person: Person) =>
  env.DB.prepare(`UPDATE accounts SET ${column} = 1 WHERE personal_user_id = ?1`).bind(person.userId).run();

const STATES: Record<string, State> = {
  ...Object.fromEntries(ROLES.map((role) => [`of the role ${role}`, { role }])),
  ...Object.fromEntries(SCOPES.map((scope) => [`for ${scope} alone`, { scopes: [scope] }])),
  "whose identity was confirmed long ago": {
    arrange: write("UPDATE oauth_grants SET confirmed_at = confirmed_at - 600000"),
    isStale: true,
  },
  "for /mcp": { resource: "/mcp", refuses: "invalid_token" },
  "of a member who is a viewer now": {
    role: "admin",
    arrange: async ({ id, owner }, person) =>
      expect((await owner.browser.patch(memberPath({ id, owner }, person), { role: "viewer" })).status).toBe(200),
    leaves: "viewer",
  },
  "of a removed member": {
    role: "member",
    arrange: async (team, person) =>
      expect((await team.owner.browser.delete(memberPath(team, person))).status).toBe(200),
    refuses: "invalid_token",
  },
  "of a person who is deleted": {
    role: "member",
    arrange: async (_, { browser }) =>
      expect((await browser.send("DELETE", "/api/account", { body: { confirm: "Ann Lee" } })).status).toBe(202),
    refuses: "invalid_token",
  },
  "of a person whose deletion is not complete": { arrange: writePerson("deleted_at"), refuses: "account_deleted" },
  "of a person who is disabled": { arrange: writePerson("disabled_at"), refuses: "account_disabled" },
  "for a team that is deleted": { arrange: writeTeam("deleted_at"), refuses: "account_deleted" },
  "for a team that is disabled": { arrange: writeTeam("disabled_at"), refuses: "account_disabled" },
  "without the factor that the team requires": {
    role: "admin",
    arrange: async ({ id, owner }) => {
      await enrolTotp(owner.browser);
      expect((await owner.browser.patch(`/api/teams/${id}`, { requireMfa: true })).status).toBe(200);
    },
    refuses: "mfa_required",
  },
  "that has expired": { arrange: write("UPDATE oauth_tokens SET expires_at = 1"), refuses: "invalid_token" },
  "whose grant was not used for too long": {
    arrange: write("UPDATE oauth_grants SET expires_at = 1"),
    refuses: "invalid_token",
  },
  "of an app that was disconnected": {
    arrange: async ({ id }, { browser }) => {
      const { body } = await browser.get(`/api/auth/apps?accountId=${id}`);
      const [app] = body["apps"] as { id: string }[];
      const path = `/api/auth/apps/${app?.id}`;
      expect((await browser.send("DELETE", path, { headers: { "X-Account-Id": id } })).status).toBe(200);
    },
    refuses: "invalid_token",
  },
};

/** In the order of the guards: the token, the scopes and the role, the confirmed identity. */
function refusalOf({ name, permissions, acceptsKeys }: Operation, state: State): Refusal {
  const { role = "owner", scopes = SCOPES, refuses = null, leaves = role, isStale = false } = state;
  if (!acceptsKeys) return "session_only";
  if (refuses !== null) return refuses;
  const given = new Set<string>(scopes.filter((scope) => roleHas(role, scope) && roleHas(leaves, scope)));
  const missing = permissions.filter((permission) => !given.has(permission));
  const isAskable = missing.every((each) => (SCOPES as readonly string[]).includes(each) && roleHas(leaves, each));
  if (missing.length > 0) return isAskable ? "app_lacks_scope" : "lacks_permission";
  if (!needsConfirmation(name)) return null;
  const rule = (CONFIRMED_OPERATIONS_OF_APPS as Partial<Record<string, "scope" | "fresh">>)[name];
  if (rule === undefined) return "confirm_identity";
  return rule === "fresh" && isStale ? "insufficient_user_authentication" : null;
}

/** The answers of handlers to requests without content, or with an id that nothing has. */
const PASSED = new Set([200, 202, 400, 404, 409, 426]);

async function answerOf(response: Response): Promise<string> {
  const challenge = response.headers.get("WWW-Authenticate");
  if (response.status === 401) return /error="(\w+)"/.exec(challenge ?? "")?.[1] ?? "session_only";
  if (response.status !== 403) return `${response.status}`;
  const { code, details } = await response.json<ErrorJson>();
  const reason = details?.[0]?.code ?? code;
  if ((challenge ?? "").includes("insufficient_scope") !== (reason === "app_lacks_scope"))
    return `${reason} ${challenge}`;
  return code === "forbidden" ? reason : code;
}

const send = ({ method, path }: Operation, key?: string) =>
  call(method, path, {
    key,
    address: freshAddress(),
    body: method === "GET" || method === "DELETE" ? undefined : {},
  });

/** Fewer than the changes of one grant a minute. */
const OPERATIONS_OF_ID = 50;

const kindOf = ({ permissions, acceptsKeys, name }: Operation) =>
  `${permissions.filter((each) => acceptsKeys || each === permissions[0]).join()} ${acceptsKeys} ${needsConfirmation(name)}`;

let operations: Operation[];
beforeAll(() => {
  const all = readOperations();
  expect(all.filter(({ acceptsKeys }) => acceptsKeys).length).toBeGreaterThan(60);
  operations = oneOfEachKind(all, kindOf);
});

describe.each(Object.entries(STATES))("an access token %s", (_, state) => {
  it("is refused what the tables say, and nothing else", async () => {
    const { role = "owner", scopes, resource = "/api" } = state;
    const team = await makeTeam();
    const person = role === "owner" ? team.owner : await join(team, role);
    const asked = { parameters: { resource: BASE_URL + resource } };
    const { access } = await connect({ person, account: team.id, asked, ...(scopes && { scopes }) });
    await state.arrange?.(team, person);
    const answers: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [index, operation] of operations.entries()) {
      if (index % OPERATIONS_OF_ID === 0) await renewGrantId();
      const response = await send(operation, access);
      answers[operation.name] = PASSED.has(response.status) ? null : await answerOf(response);
      expected[operation.name] = refusalOf(operation, state);
    }
    expect(answers).toEqual(expected);
  });
});

it("an access token opens nothing that a stranger cannot open", async () => {
  const { access } = await connect({ asked: { parameters: { resource: `${BASE_URL}/api` } } });
  const others = readOtherOperations();
  expect(others.length).toBeGreaterThan(20);
  const opened = [];
  for (const operation of others) {
    const [mine, stranger] = [await send(operation, access), await send(operation)];
    expect([operation.name, mine.status]).toEqual([operation.name, expect.toBeOneOf([401, stranger.status])]);
    if (mine.ok) opened.push(operation.name);
  }
  expect(opened.toSorted()).toEqual(["GET /api/health", "GET /api/service"]);
});

it("40 calls at once with one token are all answered, and counted for the grant", async () => {
  const { access } = await connect({ asked: { parameters: { resource: `${BASE_URL}/api` } } });
  const calls = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      call("POST", "/api/links", {
        key: access,
        body: { url: `https://example.com/${n}` },
        address: freshAddress(),
      }),
    ),
  );
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 201));
  const remaining = calls.map(({ headers }) => Number(headers.get("X-RateLimit-Remaining")));
  expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => 20 + n));
});
