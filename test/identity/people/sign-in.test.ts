import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HashQueue } from "../../../src/identity/people/password-hashing/hash-queue.ts";
import { MINUTE_MS } from "../../../src/limits.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signUp, signIn, statusOf } from "./support.ts";

beforeEach(() => internet.reset());

const ascending = (a: number, b: number) => a - b;

describe("a sign-in", () => {
  it("has the same answer for a wrong password and an unknown address", async () => {
    const { email } = await signUp();
    const [wrong, unknown] = [await signIn(email, OTHER_PASSWORD), await signIn(newEmail(), OTHER_PASSWORD)];
    expect([wrong.reply.status, wrong.reply.body]).toEqual([
      401,
      expect.objectContaining({ code: "invalid_credentials" }),
    ]);
    expect([unknown.reply.status, unknown.reply.body]).toEqual([wrong.reply.status, wrong.reply.body]);
    expect(unknown.browser.cookies.size + wrong.browser.cookies.size).toBe(0);
  });

  it("counts wrong passwords for each address, known or unknown, and not those of known devices", async () => {
    const { email, browser: owner } = await signUp();
    for (const address of [email, newEmail()]) {
      const guesses = await Promise.all(Array.from({ length: 104 }, () => signIn(address, OTHER_PASSWORD)));
      const statuses = guesses.map(({ reply }) => reply.status).toSorted(ascending);
      expect(statuses).toEqual([...Array(100).fill(401), ...Array(4).fill(429)]);
    }
    const locked = await signIn(email);
    expect(locked.reply.status).toBe(429);
    expect(Number(locked.reply.headers.get("Retry-After"))).toBeGreaterThan(800);
    // The owner's browser has signed in before.
    owner.cookies.delete("__Host-tern");
    for (let time = 0; time < 12; time++) expect((await signIn(email, PASSWORD, owner)).reply.status).toBe(200);
    // Its cookie is of no use for another address.
    expect((await signIn(newEmail(), PASSWORD, owner)).reply.status).toBe(401);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * MINUTE_MS });
    expect((await signIn(email)).reply.status).toBe(200);
  });

  it("never continues a session that the browser brought", async () => {
    const { email, browser } = await signUp();
    const planted = browser.session;
    const { reply } = await signIn(email, PASSWORD, browser);
    expect(reply.status).toBe(200);
    expect(browser.session).not.toBe(planted);
    browser.cookies.set("__Host-tern", planted ?? "");
    expect(await statusOf(browser)).toBe(401);
  });

  it("fails if the password is changed while it is compared", async () => {
    const { email, userId } = await signUp();
    const original = env.PASSWORD_HASHER.getByName.bind(env.PASSWORD_HASHER);
    const bindings = {
      PASSWORD_HASHER: {
        getByName: (name: string) => ({
          async verify(password: string, stored: string) {
            const outcome = await original(name).verify(password, stored);
            await env.DB.prepare("UPDATE users SET password_hash = NULL WHERE id = ?1").bind(userId).run();
            return outcome;
          },
        }),
      },
    };
    const reply = await new Browser().post("/api/auth/sign-in", { email, password: PASSWORD }, { bindings });
    expect(reply.status).toBe(401);
  });

  it("is answered with 503 if too many passwords wait", async () => {
    const email = newEmail();
    const bindings = { PASSWORD_HASHER: { getByName: () => ({ verify: async () => ({ outcome: "busy" }) }) } };
    const reply = await new Browser().post("/api/auth/sign-in", { email, password: PASSWORD }, { bindings });
    expect([reply.status, reply.body.code]).toEqual([503, "unavailable"]);
  });
});

it("the hasher takes 20 passwords at once", async () => {
  const queue = new HashQueue();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => queue.hash("a password")));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array(20).fill("hashed"), ...Array(10).fill("busy")]);
  expect((await queue.hash("a password")).outcome).toBe("hashed");
});
