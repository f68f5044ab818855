import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/app.ts";
import { CONFIRMED_OPERATIONS, needsConfirmation } from "../../../src/platform/auth/confirmed-operations.ts";
import { roleHas, ROLES, type Role } from "../../../src/platform/auth/roles.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { freshAddress } from "../../support/address.ts";
import { accept, invite, makeTeam, type Person, type TeamOf } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { enrolTotp, stopClock } from "./factors.ts";
import { oneOfEachKind, readOperations, SOME_ID, type Operation } from "./operations.ts";
import { signIn, signUp } from "./support.ts";
import { itWithSafety } from "../../support/safety.ts";

// What a session may do, for each role and each state of the session: each merge tries an operation of each kind that the guards
// tell apart, and each night tries all. Where a state decides before the role or after it, the highest and the lowest role
// stand for all. The expected answers come from the tables of roles and of
// operations that need a confirmed identity.

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

/** What the guards answer; null: they let the request pass. */
type Refusal = "unauthorized" | "forbidden" | "mfa_required" | "confirm_identity" | null;

interface State {
  /** Brings the session of a member into the state. */
  arrange: (team: TeamOf, person: Person, role: Role) => Promise<unknown>;
  /** What the state alone refuses: for the team, and for all that the person does. */
  inTeam?: Refusal;
  everywhere?: Refusal;
  isUnconfirmed?: true;
  /** The role that the state leaves. */
  leaves?: Role;
  /** Default: {@link EXTREMES}. */
  roles?: readonly Role[];
}

const EXTREMES: readonly Role[] = ["owner", "viewer"];

const memberPath = (team: TeamOf, { userId }: Person) => `/api/teams/${team.id}/members/${userId}`;

async function requireMfa({ id, owner }: TeamOf): Promise<void> {
  await enrolTotp(owner.browser);
  expect((await owner.browser.patch(`/api/teams/${id}`, { requireMfa: true })).status).toBe(200);
}

const unconfirm = ({ userId }: Person) =>
  env.DB.prepare("UPDATE sessions SET confirmed_at = 0 WHERE user_id = ?1").bind(userId).run();

const STATES: Record<string, State> = {
  confirmed: { arrange: async () => {}, roles: ROLES },
  unconfirmed: { arrange: (_, person) => unconfirm(person), isUnconfirmed: true, roles: ROLES },
  "without a factor, which the team requires": { arrange: requireMfa, inTeam: "mfa_required" },
  "without the factor that the person added in another session": {
    arrange: async (team, { email }) => {
      await requireMfa(team);
      await enrolTotp((await signIn(email)).browser);
    },
    inTeam: "mfa_required",
    isUnconfirmed: true,
  },
  "with the factor that the team requires": {
    arrange: async (team, { browser }) => {
      await requireMfa(team);
      await enrolTotp(browser);
    },
  },
  "with that factor, unconfirmed": {
    arrange: async (team, person) => {
      await requireMfa(team);
      await enrolTotp(person.browser);
      await unconfirm(person);
    },
    isUnconfirmed: true,
  },
  "of a member who is a viewer now": {
    arrange: async (team, person) => {
      expect((await team.owner.browser.patch(memberPath(team, person), { role: "viewer" })).status).toBe(200);
    },
    leaves: "viewer",
    roles: ["owner", "member"],
  },
  "of a removed member": {
    arrange: async (team, person) => {
      expect((await team.owner.browser.delete(memberPath(team, person))).status).toBe(200);
    },
    inTeam: "forbidden",
  },
  ended: {
    arrange: (_, { userId }) => env.DB.prepare("DELETE FROM sessions WHERE user_id = ?1").bind(userId).run(),
    everywhere: "unauthorized",
  },
};

/** Members may also remove themselves, so the handler asks for the membership and the role, after the guards. */
const ALSO_FOR_ONESELF = "DELETE /api/teams/:id/members/:userId";
/** Of the operations that need a confirmed identity for some requests, the one that needs it for the request sent here. */
const OTHER_SESSION = "DELETE /api/auth/sessions/:id";

/** In the order of the guards: the session, the membership, its second factor, the role, the confirmed identity. */
function refusalOf({ name, permission, acceptsKeys }: Operation, state: State, role: Role): Refusal {
  if (state.everywhere !== undefined) return state.everywhere;
  const lacksConfirmation = state.isUnconfirmed === true && (needsConfirmation(name) || name === OTHER_SESSION);
  if (lacksConfirmation && name === ALSO_FOR_ONESELF) return "confirm_identity";
  if (permission !== null || acceptsKeys) {
    if (state.inTeam !== undefined) return state.inTeam;
    if (permission !== null && !roleHas(state.leaves ?? role, permission)) return "forbidden";
  }
  return lacksConfirmation ? "confirm_identity" : null;
}

/** They change what the later ones depend on. */
const LAST = ["DELETE /api/auth/mfa/totp", "DELETE /api/auth/sessions", "POST /api/auth/sign-out"];

/** Fewer than the changes of one session a minute. */
const OPERATIONS_OF_ID = 50;

async function renewSessionId({ browser }: Person): Promise<void> {
  const hash = await hashToken(browser.session ?? "");
  await env.DB.prepare("UPDATE sessions SET id = ?1 WHERE hash = ?2").bind(newId(Date.now()), hash).run();
}

function send({ method, path }: Operation, team: TeamOf, { browser }: Person) {
  const body = method === "GET" || method === "DELETE" ? undefined : {};
  return browser.send(method, path.replace(`/teams/${SOME_ID}`, `/teams/${team.id}`), {
    body,
    headers: { "X-Account-Id": team.id },
  });
}

/** The answers of handlers to requests without content, or with an id that nothing has. */
const PASSED = new Set([200, 202, 400, 404, 409, 426]);

const kindOf = ({ permission, acceptsKeys, name }: Operation) =>
  [ALSO_FOR_ONESELF, OTHER_SESSION, ...LAST].includes(name)
    ? name
    : `${permission} ${acceptsKeys} ${needsConfirmation(name)}`;

let all: Operation[];
let operations: Operation[];
beforeAll(() => {
  all = readOperations();
  operations = oneOfEachKind(all, kindOf).toSorted((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name));
});

describe.each(Object.entries(STATES))("a session (%s)", (_, state) => {
  for (const role of state.roles ?? EXTREMES)
    it(`of the role ${role} is refused what the tables say, and nothing else`, async () => {
      const [team, person] = [await makeTeam(), await signUp()];
      await accept(person, await invite(team, person.email, role));
      await state.arrange(team, person, role);
      const reason =
        state.inTeam === "forbidden"
          ? { code: "not_a_member" }
          : { code: "lacks_permission", resource: "role", value: state.leaves ?? role };
      const cookies = new Map(person.browser.cookies);
      person.browser.address = freshAddress();
      const answers: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [index, operation] of operations.entries()) {
        if (index % OPERATIONS_OF_ID === 0) await renewSessionId(person);
        // A browser forgets the cookie of a session that has ended.
        if (state.everywhere !== undefined)
          for (const [name, value] of cookies) person.browser.cookies.set(name, value);
        const { body, status } = await send(operation, team, person);
        answers[operation.name] = PASSED.has(status) ? null : (body.code ?? status);
        expected[operation.name] = refusalOf(operation, state, role);
        if (body.code === "forbidden") expect(body["details"]).toMatchObject([reason]);
      }
      expect(answers).toEqual(expected);
    });
});

/** They ask for no session: for visitors, for the way to one, or with the token of a mail. */
const WITHOUT_SESSION = [
  "GET /api/shared/:token",
  "POST /api/shared/:token/password",
  "GET /api/shared/:token/clicks",
  "GET /api/account/mail-reports/stop",
  "POST /api/account/mail-reports/stop",
  "GET /api/health",
  "GET /api/service",
  "POST /api/auth/sign-up",
  "POST /api/auth/verify-email",
  "POST /api/auth/tokens/check",
  "POST /api/auth/invitation",
  "POST /api/claim",
  "POST /api/auth/sign-in",
  "POST /api/auth/sign-in/link",
  "POST /api/auth/sign-in/mfa/options",
  "POST /api/auth/sign-in/mfa",
  "POST /api/auth/passkeys/sign-in/options",
  "POST /api/auth/passkeys/sign-in",
  "POST /api/auth/password/forgot",
  "POST /api/auth/password/reset",
  "POST /api/auth/email/undo",
  "POST /api/auth/mfa/undo",
  // On this machine only.
  "GET /api/auth/outbox",
  // Of keys only.
  "POST /mcp",
  // Of operators only: test/safety.
  "POST /api/admin/takedowns",
  "GET /api/admin/takedowns",
  "DELETE /api/admin/takedowns/:id",
  "GET /api/admin/audit",
  "POST /api/admin/screening",
  "GET /api/admin/screening",
  "DELETE /api/admin/screening/:id",
  "GET /api/admin/reports",
  "POST /api/admin/reports/:id/decision",
  "POST /api/admin/reports/dismissals",
  "GET /api/admin/appeals",
  "POST /api/admin/appeals/:id/decision",
  "GET /api/admin/accounts",
  "POST /api/admin/accounts",
  "GET /api/admin/links",
  "GET /api/admin/hosts",
  "GET /api/admin/status",
];

itWithSafety("no other operation of the API is one of sessions", () => {
  const ofSessions = all.map(({ name }) => name);
  const known = new Set(Object.keys(RATE_LIMITS).map((name) => name.replace(/ \(.*/, "")));
  expect([...ofSessions, ...WITHOUT_SESSION].toSorted()).toEqual([...known].toSorted());
  expect(ofSessions).toEqual(expect.arrayContaining(Object.keys(CONFIRMED_OPERATIONS)));
});
