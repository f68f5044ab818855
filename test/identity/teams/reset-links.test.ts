import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { RESET_PASSWORD_TTL_MS } from "../../../src/identity/people/limits.ts";
import { call, createAccount } from "../../support/api.ts";
import { enrolTotp } from "../people/factors.ts";
import { forgetConfirmation, OTHER_PASSWORD, PASSWORD, Browser } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { codesOf, joinByLink, makeLink, noticesOf, send, signInAs, tokenOf, useLink } from "./no-mail.ts";
import { join, makeTeam, type Person, type TeamOf } from "./support.ts";

beforeEach(() => internet.reset());

const setRole = (team: TeamOf, { userId }: Person, role: string) =>
  env.DB.prepare(
    "UPDATE memberships SET role = ?1 WHERE user_id = ?2 AND account_id = (SELECT id FROM accounts WHERE uuid = ?3)",
  )
    .bind(role, userId, team.id)
    .run();

/** Makes the person a member of another team too, as by an accepted invitation. */
const addTo = (team: TeamOf, { userId }: Person, role: string) =>
  env.DB.prepare("INSERT INTO memberships SELECT id, ?1, ?2, 1 FROM accounts WHERE uuid = ?3")
    .bind(userId, role, team.id)
    .run();

describe("the link for a member's new password", () => {
  it("is not made for a peer whom the maker lowers first", async () => {
    const team = await makeTeam();
    const [admin, peer] = [await joinByLink(team, "admin"), await joinByLink(team, "admin")];
    expect(codesOf(await makeLink(team, admin, peer))).toEqual([403, "role_not_lower"]);
    const lowered = await send(admin.browser, "PATCH", `/api/teams/${team.id}/members/${peer.userId}`, {
      role: "viewer",
    });
    expect(lowered.status).toBe(200);
    expect(codesOf(await makeLink(team, admin, peer))).toEqual([403, "has_more_access"]);
    expect(codesOf(await makeLink(team, team.owner, peer))).toEqual([403, "has_more_access"]);
  });

  it("sets it once, ends the sessions, and tells the member and both audit logs", async () => {
    const team = await makeTeam();
    const [admin, member] = [await joinByLink(team, "admin"), await joinByLink(team, "member")];
    const reply = await makeLink(team, admin, member);
    const token = tokenOf(reply);
    expect([reply.status, reply.body]).toEqual([
      201,
      { link: `https://tern.test/app/reset-password#token=${token}`, expiresAt: expect.any(Number) },
    ]);
    const { created_at: madeAt } = (await env.DB.prepare(
      "SELECT created_at FROM tokens WHERE purpose = 'reset_password'",
    ).first<{ created_at: number }>()) ?? { created_at: 0 };
    expect(reply.body["expiresAt"]).toBe(madeAt + RESET_PASSWORD_TTL_MS);
    expect((await noticesOf(member.browser)).map(({ title }) => title)).toEqual([
      "An admin made a link to set a new password for you",
    ]);

    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(200);
    expect((await useLink(token, PASSWORD)).status).toBe(400);
    expect((await send(member.browser, "GET", "/api/auth/session")).status).toBe(401);
    expect((await signInAs(member, PASSWORD)).status).toBe(401);
    const browser = new Browser();
    await send(browser, "POST", "/api/auth/sign-in", { email: member.email, password: OTHER_PASSWORD });
    const notices = await noticesOf(browser);
    expect(notices.map(({ title }) => title)).toEqual([
      "Your password was changed",
      "An admin made a link to set a new password for you",
    ]);
    await send(browser, "PATCH", "/api/auth/user", { noticesReadAt: notices[0]?.createdAt });
    expect(await noticesOf(browser)).toEqual([]);

    const entry = { action: "password.reset_link", targetId: member.userId, actor: { id: admin.userId } };
    const own = await send(browser, "GET", "/api/account/audit?action=password.reset_link");
    const ofTeam = await send(team.owner.browser, "GET", `/api/account/audit?action=password&accountId=${team.id}`);
    expect([own.body["entries"], ofTeam.body["entries"]]).toMatchObject([
      [entry],
      [{ ...entry, targetName: "Bob Roe" }],
    ]);
  });

  it("is used by one of 40 requests at once, and ended by a newer one", async () => {
    const team = await makeTeam();
    const member = await joinByLink(team, "viewer");
    const older = tokenOf(await makeLink(team, team.owner, member));
    const token = tokenOf(await makeLink(team, team.owner, member));
    expect((await useLink(older, OTHER_PASSWORD)).status).toBe(400);
    const passwords = Array.from({ length: 40 }, (_, n) => `${n} seventeen quiet umbrellas`);
    const replies = await Promise.all(passwords.map((password) => useLink(token, password)));
    const won = replies.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect([won.length, replies.filter(({ status }) => status === 400).length]).toEqual([1, 39]);
    expect((await signInAs(member, passwords[won[0] ?? 0] ?? "")).status).toBe(200);
  });

  it("does not replace a second factor", async () => {
    const team = await makeTeam();
    const member = await joinByLink(team, "member");
    await enrolTotp(member.browser);
    const token = tokenOf(await makeLink(team, team.owner, member));
    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(200);
    expect((await signInAs(member, OTHER_PASSWORD)).body).toEqual({ mfa: ["totp", "recovery"] });
  });

  it("is not made for somebody with the same or a higher role, or of another team", async () => {
    const [team, other] = [await makeTeam(), await makeTeam()];
    const [admin, second] = [await joinByLink(team, "admin"), await joinByLink(team, "admin")];
    const [member, stranger] = [await joinByLink(team, "member"), await joinByLink(other, "viewer")];
    const attempts: [Promise<unknown>, unknown][] = [
      [makeLink(team, admin, team.owner).then(codesOf), [403, "role_not_lower"]],
      [makeLink(team, admin, second).then(codesOf), [403, "role_not_lower"]],
      [makeLink(team, admin, admin).then(codesOf), [403, "role_not_lower"]],
      [makeLink(team, team.owner, team.owner).then(codesOf), [403, "role_not_lower"]],
      [makeLink(team, admin, stranger).then(codesOf), [404, "not_found"]],
      [makeLink(other, admin, stranger).then(codesOf), [403, "not_a_member"]],
      [makeLink(team, member, admin).then(codesOf), [403, "lacks_permission"]],
    ];
    for (const [outcome, expected] of attempts) expect(await outcome).toEqual(expected);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM tokens WHERE purpose = 'reset_password'").first("n")).toBe(
      0,
    );
    expect(await env.DB.prepare("SELECT count(*) AS n FROM mails WHERE kind = 'reset_link_made'").first("n")).toBe(0);
  });

  it("is made only if its maker outranks the person in all of the person's teams", async () => {
    const [team, other] = [await makeTeam(), await makeTeam()];
    const [admin, member] = [await joinByLink(team, "admin"), await joinByLink(team, "member")];
    await addTo(other, member, "viewer");
    expect(codesOf(await makeLink(team, admin, member))).toEqual([403, "has_more_access"]);
    await addTo(other, admin, "viewer");
    expect(codesOf(await makeLink(team, admin, member))).toEqual([403, "has_more_access"]);
    await setRole(other, admin, "member");
    expect((await makeLink(team, admin, member)).status).toBe(201);
    await setRole(other, member, "owner");
    expect(codesOf(await makeLink(team, admin, member))).toEqual([403, "has_more_access"]);
  });

  it("is not made for an operator, nor for a person whose account did not come with the team", async () => {
    const team = await makeTeam();
    const [operator, guest] = [await joinByLink(team, "viewer"), await join(team, "viewer")];
    await env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(operator.userId).run();
    for (const person of [operator, guest])
      expect(codesOf(await makeLink(team, team.owner, person))).toEqual([403, "has_more_access"]);
  });

  it("stops working when the person gains more than its maker has, or the maker has less", async () => {
    const team = await makeTeam();
    const [admin, member] = [await joinByLink(team, "admin"), await joinByLink(team, "member")];
    const token = tokenOf(await makeLink(team, admin, member));
    await setRole(team, member, "admin");
    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(400);
    await setRole(team, member, "member");
    await setRole(team, admin, "member");
    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(400);
    await setRole(team, admin, "admin");
    await env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(member.userId).run();
    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(400);
    await env.DB.prepare("DELETE FROM operators").run();
    expect((await signInAs(member, PASSWORD)).status).toBe(200);
    expect((await useLink(token, OTHER_PASSWORD)).status).toBe(200);
  });

  it("needs a confirmed session, is never for a key, and is made three times an hour for a person", async () => {
    const team = await makeTeam();
    const member = await joinByLink(team, "member");
    const { key } = await createAccount();
    const path = `/api/teams/${team.id}/members/${member.userId}/password-reset`;
    expect((await call("POST", path, { key, body: {} })).status).toBe(401);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await makeLink(team, team.owner, member)).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    await forgetConfirmation();
    expect((await makeLink(team, team.owner, member)).body.code).toBe("confirm_identity");
  });

  it("is not made where mails are sent, and nobody has notices there", async () => {
    const team = await makeTeam();
    const member = await joinByLink(team, "member");
    await makeLink(team, team.owner, member);
    const path = `/api/teams/${team.id}/members/${member.userId}/password-reset`;
    expect(codesOf(await team.owner.browser.post(path, {}))).toEqual([409, "mail_works"]);
    expect((await member.browser.get("/api/auth/session")).body["notices"]).toEqual([]);
  });
});
