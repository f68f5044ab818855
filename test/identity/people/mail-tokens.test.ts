import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { invite, makeTeam } from "../teams/support.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";
import { RESET_PASSWORD_TTL_MS } from "../../../src/identity/people/limits.ts";

beforeEach(() => internet.reset());

const check = async (token: string | undefined, purpose: string) => {
  const { status, body } = await new Browser().post("/api/auth/tokens/check", { token, purpose });
  return status === 200 ? body["valid"] : body.code;
};

async function forgetPassword(email: string): Promise<string> {
  await new Browser().post("/api/auth/password/forgot", { email });
  return (await takeMails()).at(-1)?.token ?? "";
}

describe("the check of a mail's token", () => {
  it("does not use the token, and says when it was used", async () => {
    const { email } = await signUp();
    const token = await forgetPassword(email);
    expect([await check(token, "reset_password"), await check(token, "reset_password")]).toEqual([true, true]);
    const reset = await new Browser().post("/api/auth/password/reset", { token, password: OTHER_PASSWORD });
    expect(reset.status).toBe(200);
    expect(await check(token, "reset_password")).toBe(false);
  });

  it("says when it has expired, was replaced, or never was", async () => {
    const { email } = await signUp();
    const [older, newer] = [await forgetPassword(email), await forgetPassword(email)];
    expect([await check(older, "reset_password"), await check(newer, "reset_password")]).toEqual([false, true]);
    expect(await check("unknown", "reset_password")).toBe(false);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + RESET_PASSWORD_TTL_MS });
    expect(await check(newer, "reset_password")).toBe(false);
  });

  it("knows a token for its own purpose only", async () => {
    const token = await forgetPassword((await signUp()).email);
    const others = ["verify_email", "confirm_email", "undo_email", "undo_factor", "invitation"];
    for (const purpose of others) expect(await check(token, purpose)).toBe(false);
    expect(await check(token, "sign_in_link")).toBe("invalid_request");
  });

  it("says that an address which another person has by now cannot be verified, confirmed or restored", async () => {
    const ann = await signUp();
    const target = newEmail();
    await new Browser().post("/api/auth/sign-up", { email: target, password: PASSWORD, name: "Bob" });
    const verification = (await takeMails()).at(-1)?.token;
    await ann.browser.post("/api/auth/email/change", { email: target });
    const mails = await takeMails();
    const confirmation = mails.find(({ to }) => to === target)?.token;
    const undo = mails.find(({ to }) => to === ann.email)?.token;
    const all = async () => [
      await check(verification, "verify_email"),
      await check(confirmation, "confirm_email"),
      await check(undo, "undo_email"),
    ];
    expect(await all()).toEqual([true, true, true]);
    expect((await ann.browser.post("/api/auth/email/confirm", { token: confirmation })).status).toBe(200);
    expect(await all()).toEqual([false, false, true]);
    // Somebody signs up with the address that Ann has given up.
    await takeMails();
    await signUp(ann.email);
    expect(await all()).toEqual([false, false, false]);
  });

  it("says whether an invitation can be answered", async () => {
    const team = await makeTeam();
    const token = await invite(team, newEmail());
    expect(await check(token, "invitation")).toBe(true);
    await env.DB.prepare("UPDATE invitations SET expires_at = ?1").bind(Date.now()).run();
    expect(await check(token, "invitation")).toBe(false);
  });

  it("is limited for each address of a client", async () => {
    const browser = new Browser();
    const statuses: number[] = [];
    for (let round = 0; round < 11; round++)
      statuses.push((await browser.post("/api/auth/tokens/check", { token: "x", purpose: "undo_email" })).status);
    expect(statuses.slice(9)).toEqual([200, 429]);
  });
});
