import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ROLES, type Role } from "../../../src/platform/auth/roles.ts";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { call, createAccount } from "../../support/api.ts";
import { Browser, forgetConfirmation, newEmail, PASSWORD, takeMails } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { codesOf, invite, joinByLink, send, tokenOf } from "./no-mail.ts";
import { join, makeTeam } from "./support.ts";

beforeEach(() => internet.reset());

describe("an invitation where no mail can be sent", () => {
  it("has its link in the answer once, with which the person signs up", async () => {
    const team = await makeTeam();
    const email = newEmail();
    const logged: string[] = [];
    for (const level of ["info", "log", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void logged.push(line));
    const reply = await invite(team, team.owner, email, "admin");
    vi.restoreAllMocks();
    const token = tokenOf(reply);
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        invitation: expect.objectContaining({ email, role: "admin", invitedBy: team.owner.userId }),
        link: `https://tern.test/app/invitation#token=${token}`,
      },
    ]);
    expect(logged.join()).not.toContain(token);
    const listed = await send(team.owner.browser, "GET", `/api/teams/${team.id}/invitations`);
    expect(listed.body["invitations"]).toHaveLength(1);
    expect(JSON.stringify(listed.body)).not.toContain("token");
    const stored = await env.DB.prepare("SELECT token_hash FROM invitations").all();
    expect(stored.results).toEqual([{ token_hash: await hashToken(token) }]);
    expect((await env.DB.prepare("SELECT content, due_at FROM mails WHERE kind = 'invitation'").all()).results).toEqual(
      [{ content: null, due_at: null }],
    );
    expect(await takeMails()).toEqual([]);

    const person = { email, password: PASSWORD, name: "Bob", invitation: token };
    const signedUp = await send(new Browser(), "POST", "/api/auth/sign-up", person);
    expect(signedUp.body).toMatchObject({ user: { email, name: "Bob" } });
    expect(codesOf(await send(new Browser(), "POST", "/api/auth/sign-up", person))).toEqual([400, "dead_token"]);
  });

  it("is for lower roles than that of the person who invites", async () => {
    const team = await makeTeam();
    const people = { owner: team.owner, admin: await join(team, "admin"), member: await join(team, "member") };
    const outcomes: Record<string, unknown> = {};
    for (const [own, person] of Object.entries(people))
      for (const role of ROLES)
        outcomes[`${own} ${role}`] = codesOf(await invite(team, person, newEmail(), role))
          .join(" ")
          .trim();
    expect(outcomes).toEqual({
      "owner owner": "403 role_not_lower",
      "owner admin": "201",
      "owner member": "201",
      "owner viewer": "201",
      "admin owner": "403 role_too_low",
      "admin admin": "403 role_not_lower",
      "admin member": "201",
      "admin viewer": "201",
      ...Object.fromEntries(ROLES.map((role) => [`member ${role}`, "403 lacks_permission"])),
    });
  });

  it("takes a confirmed session of a member of the team, and no key", async () => {
    const [team, other] = [await makeTeam(), await makeTeam()];
    expect(codesOf(await invite(team, other.owner, newEmail(), "viewer"))).toEqual([403, "not_a_member"]);
    const { key } = await createAccount();
    const body = { email: newEmail(), role: "viewer" };
    expect((await call("POST", `/api/teams/${team.id}/invitations`, { key, body })).status).toBe(401);
    await forgetConfirmation();
    expect((await invite(team, team.owner, newEmail(), "viewer")).body.code).toBe("confirm_identity");
  });

  it("has no link where mails are sent", async () => {
    const team = await makeTeam();
    const roles: Role[] = ["owner", "viewer"];
    for (const role of roles) {
      const reply = await team.owner.browser.post(`/api/teams/${team.id}/invitations`, { email: newEmail(), role });
      expect([reply.status, Object.keys(reply.body)]).toEqual([201, ["invitation"]]);
    }
  });

  it("ends with the membership of the person who made its link", async () => {
    const team = await makeTeam();
    const admin = await joinByLink(team, "admin");
    const token = tokenOf(await invite(team, admin, newEmail(), "member"));
    await send(team.owner.browser, "DELETE", `/api/teams/${team.id}/members/${admin.userId}`);
    expect(codesOf(await send(new Browser(), "POST", "/api/auth/invitation", { token }))).toEqual([400, "dead_token"]);
  });
});
