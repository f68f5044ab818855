import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { endConfirmationsBefore } from "../people/end-confirmations.ts";
import { stopClock } from "../people/factors.ts";
import { signUp, takeMails, type Reply } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { join, makeTeam, type Person, type TeamOf } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

/** What the changes would change. */
async function stored(): Promise<unknown[]> {
  const queries = [
    "SELECT id, require_mfa, deleted_at FROM accounts",
    "SELECT account_id, user_id, role FROM memberships ORDER BY account_id, user_id",
    "SELECT id FROM invitations WHERE answered_by IS NULL",
    "SELECT id FROM sessions ORDER BY id",
    "SELECT action FROM audit_entries ORDER BY id",
  ];
  return Promise.all(queries.map(async (sql) => (await env.DB.prepare(sql).all()).results));
}

describe("a confirmation that another request ends", () => {
  type Change = [sql: string, request: (team: TeamOf, member: Person) => Promise<Reply>];
  const pathOf = ({ id }: TeamOf, rest = "") => `/api/teams/${id}${rest}`;
  const changes: Record<string, Change> = {
    "a change of a role": [
      "UPDATE memberships SET role",
      (team, { userId }) => team.owner.browser.patch(pathOf(team, `/members/${userId}`), { role: "owner" }),
    ],
    "the removal of a member": [
      "DELETE FROM memberships",
      (team, { userId }) => team.owner.browser.delete(pathOf(team, `/members/${userId}`)),
    ],
    "an invitation": [
      "INSERT INTO invitations",
      (team) => team.owner.browser.post(pathOf(team, "/invitations"), { email: "eve@example.com", role: "admin" }),
    ],
    "the transfer of the team": [
      "UPDATE memberships SET role",
      (team, { userId }) => team.owner.browser.post(pathOf(team, "/transfer"), { userId }),
    ],
    "the end of the requirement of a second factor": [
      "UPDATE accounts SET",
      (team) => team.owner.browser.patch(pathOf(team), { requireMfa: false }),
    ],
    "the deletion of the team": [
      "UPDATE accounts SET deleted_at",
      (team) => team.owner.browser.send("DELETE", pathOf(team), { body: { confirm: "Acme" } }),
    ],
  };
  for (const [name, [sql, request]] of Object.entries(changes))
    it(`is missed by ${name}, of which nothing is stored`, async () => {
      const team = await makeTeam();
      const member = await join(team, "admin");
      await takeMails();
      const before = await stored();
      const { status, body } = await endConfirmationsBefore(sql, () => request(team, member));
      expect([status, body.code]).toEqual([403, "confirm_identity"]);
      expect(await stored()).toEqual(before);
      expect(await takeMails()).toEqual([]);
    });

  it("is missed by the deletion of the own account, of which nothing is stored", async () => {
    const { browser } = await signUp();
    const { body } = await browser.get("/api/account");
    const { name } = body["account"] as { name: string };
    await takeMails();
    const before = await stored();
    const reply = await endConfirmationsBefore("UPDATE accounts SET deleted_at", () =>
      browser.send("DELETE", "/api/account", { body: { confirm: name } }),
    );
    expect([reply.status, reply.body.code]).toEqual([403, "confirm_identity"]);
    expect(await stored()).toEqual(before);
    expect(await takeMails()).toEqual([]);
  });
});
