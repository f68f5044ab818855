import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { codeOf, enrolTotp, pass, post, stopClock } from "../people/factors.ts";
import { Authenticator } from "../people/authenticator.ts";
import { Browser, PASSWORD, signIn, signUp, takeMails } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { accept, actFor, invite, makeTeam, type Person, type TeamOf } from "./support.ts";

// A team with `requireMfa` asks the session for a factor, and not the person: attacks with a session from before.

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

interface Stolen {
  team: TeamOf;
  member: Person;
  /** A session of the member that gave only the password. */
  thief: Person;
}

/** A member of a team that requires a factor, who has none yet, and a stranger who knows the member's password. */
async function stolenPassword(): Promise<Stolen> {
  const [team, member] = [await makeTeam(), await signUp()];
  await accept(member, await invite(team, member.email, "admin"));
  const { browser } = await signIn(member.email);
  await enrolTotp(team.owner.browser);
  const { status } = await team.owner.browser.send("PATCH", `/api/teams/${team.id}`, { body: { requireMfa: true } });
  expect(status).toBe(200);
  await takeMails();
  return { team, member, thief: { ...member, browser } };
}

const codesOf = async (team: TeamOf, person: Person) => {
  const replies = [
    await person.browser.get(`/api/teams/${team.id}`),
    await person.browser.get(`/api/teams/${team.id}/members`),
    await actFor(team, person, "GET", "/api/links"),
    await actFor(team, person, "POST", "/api/links", { url: "https://example.com/" }),
    await actFor(team, person, "GET", "/api/account/audit"),
    await person.browser.get(`/api/links?accountId=${team.id}`),
  ];
  return [...new Set(replies.map(({ status, body }) => body.code ?? `${status}`))].toSorted();
};

describe("a team that requires a second factor", () => {
  it("stays closed to a session that gave only the password once its person has a factor", async () => {
    const { team, member, thief } = await stolenPassword();
    expect(await codesOf(team, thief)).toEqual(["mfa_required"]);
    const { secret } = await enrolTotp(member.browser);
    // Adding a factor ends no session: a thief would throw the owner out.
    expect((await thief.browser.get("/api/auth/session")).status).toBe(200);
    expect(await codesOf(team, thief)).toEqual(["mfa_required"]);
    expect(await codesOf(team, member)).toEqual(["200", "201"]);
    // The password confirms nothing any more, the factor does.
    expect((await post(thief.browser, "/confirm", { password: PASSWORD })).status).toBe(400);
    expect(await codesOf(team, thief)).toEqual(["mfa_required"]);
    pass();
    expect((await post(thief.browser, "/confirm", { code: codeOf(secret) })).status).toBe(200);
    expect(await codesOf(team, thief)).toEqual(["200", "201"]);
  });

  it("opens to sign-ins with a code, a recovery code or a passkey", async () => {
    const { team, member } = await stolenPassword();
    const { secret, recoveryCodes } = await enrolTotp(member.browser);
    const authenticator = await Authenticator.create();
    const { body: options } = await post(member.browser, "/passkeys/options");
    await post(member.browser, "/passkeys", { ...(await authenticator.register(options)), name: "Phone" });
    pass();
    for (const factor of [{ code: codeOf(secret) }, { recoveryCode: recoveryCodes[0] }]) {
      const { browser } = await signIn(member.email);
      expect((await post(browser, "/sign-in/mfa", factor)).status).toBe(200);
      expect(await codesOf(team, { ...member, browser })).toEqual(["200", "201"]);
    }
    const browser = new Browser();
    const { body } = await post(browser, "/passkeys/sign-in/options");
    expect((await post(browser, "/passkeys/sign-in", await authenticator.prove(body))).status).toBe(200);
    expect(await codesOf(team, { ...member, browser })).toEqual(["200", "201"]);
  });

  it("closes again to a session whose factor was removed in another one", async () => {
    const { team, member, thief } = await stolenPassword();
    await enrolTotp(thief.browser);
    expect(await codesOf(team, thief)).toEqual(["200", "201"]);
    const authenticator = await Authenticator.create();
    await env.DB.prepare("UPDATE sessions SET confirmed_at = ?1").bind(Date.now()).run();
    const { body: options } = await post(member.browser, "/passkeys/options");
    const passkey = await post(member.browser, "/passkeys", {
      ...(await authenticator.register(options)),
      name: "Phone",
    });
    expect(passkey.status).toBe(201);
    expect((await member.browser.delete("/api/auth/mfa/totp")).status).toBe(200);
    expect(await codesOf(team, thief)).toEqual(["mfa_required"]);
    expect(await codesOf(team, member)).toEqual(["200", "201"]);
    const { id } = passkey.body["passkey"] as { id: string };
    expect((await member.browser.delete(`/api/auth/passkeys/${id}`)).status).toBe(200);
    expect(await codesOf(team, member)).toEqual(["mfa_required"]);
  });

  it("is made by a session that gave the factor", async () => {
    const team = await makeTeam();
    const { browser } = await signIn(team.owner.email);
    await enrolTotp(team.owner.browser);
    const { body } = await browser.patch(`/api/teams/${team.id}`, { requireMfa: true });
    expect(body).toMatchObject({ code: "mfa_required", details: [{ code: "own_factor_first" }] });
  });
});
