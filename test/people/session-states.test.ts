import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { accept, actFor, invite, makeTeam, type Person, type TeamOf } from "../teams/support.ts";
import { internet } from "../webhooks/support.ts";
import { enrolTotp, post, stopClock } from "./factors.ts";
import { signIn, signUp, type Reply } from "./support.ts";

// What a session may do in each of its states. test/people/matrix.test.ts has every operation for each role.

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

type Operation = (team: TeamOf, person: Person) => Promise<Reply>;

const OPERATIONS: Record<string, Operation> = {
  "read of links": (team, person) => actFor(team, person, "GET", "/api/links"),
  "new link": (team, person) => actFor(team, person, "POST", "/api/links", { url: "https://example.com/" }),
  "new key": (team, person) => actFor(team, person, "POST", "/api/keys", { name: "Robot" }),
  "read of members": (team, { browser }) => browser.get(`/api/teams/${team.id}/members`),
  "change of the team": (team, { browser }) => browser.patch(`/api/teams/${team.id}`, { name: "Other" }),
  "own factors": (_, { browser }) => browser.get("/api/auth/mfa"),
  "new factor": (_, { browser }) => post(browser, "/mfa/totp"),
};

/** Brings the session of an admin into the state. */
type Arrange = (team: TeamOf, person: Person) => Promise<unknown>;

async function requireMfa({ id, owner }: TeamOf): Promise<void> {
  await enrolTotp(owner.browser);
  expect((await owner.browser.patch(`/api/teams/${id}`, { requireMfa: true })).status).toBe(200);
}

const memberPath = (team: TeamOf, { userId }: Person) => `/api/teams/${team.id}/members/${userId}`;
const unconfirm: Arrange = (_, { userId }) =>
  env.DB.prepare("UPDATE sessions SET confirmed_at = 0 WHERE user_id = ?1").bind(userId).run();

/** The outcome of each of {@link OPERATIONS}: a status, or the code of an error. */
const STATES: Record<string, [arrange: Arrange, outcomes: (number | string)[]]> = {
  fresh: [async () => {}, [200, 201, 201, 200, "forbidden", 200, 200]],
  unconfirmed: [unconfirm, [200, 201, "confirm_identity", 200, "forbidden", 200, "confirm_identity"]],
  "without a factor, which the team requires": [
    requireMfa,
    ["mfa_required", "mfa_required", "mfa_required", "mfa_required", "mfa_required", 200, 200],
  ],
  "without the factor that the person added in another session": [
    async (team, { email }) => {
      await requireMfa(team);
      await enrolTotp((await signIn(email)).browser);
    },
    ["mfa_required", "mfa_required", "mfa_required", "mfa_required", "mfa_required", 200, "confirm_identity"],
  ],
  "with the factor that the team requires": [
    async (team, { browser }) => {
      await requireMfa(team);
      await enrolTotp(browser);
    },
    [200, 201, 201, 200, "forbidden", 200, "conflict"],
  ],
  demoted: [
    (team, person) => team.owner.browser.patch(memberPath(team, person), { role: "viewer" }),
    [200, "forbidden", "forbidden", 200, "forbidden", 200, 200],
  ],
  "of a removed member": [
    (team, person) => team.owner.browser.delete(memberPath(team, person)),
    ["forbidden", "forbidden", "forbidden", "forbidden", "forbidden", 200, 200],
  ],
  ended: [
    (_, { userId }) => env.DB.prepare("DELETE FROM sessions WHERE user_id = ?1").bind(userId).run(),
    Object.keys(OPERATIONS).map(() => "unauthorized"),
  ],
};

describe("a session of an admin", () => {
  for (const [state, [arrange, expected]] of Object.entries(STATES))
    it(`(${state}) may do what its state permits`, async () => {
      const [team, person] = [await makeTeam(), await signUp()];
      await accept(person, await invite(team, person.email, "admin"));
      await arrange(team, person);
      const cookies = new Map(person.browser.cookies);
      const outcomes: (number | string)[] = [];
      for (const operation of Object.values(OPERATIONS)) {
        // A browser forgets the cookie of a session that has ended.
        for (const [name, value] of cookies) person.browser.cookies.set(name, value);
        const { status, body } = await operation(team, person);
        outcomes.push(status < 400 ? status : (body.code ?? status));
      }
      expect(outcomes).toEqual(expected);
    });
});
