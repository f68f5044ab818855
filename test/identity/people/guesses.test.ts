import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  GUESS_WINDOW_MS,
  MAX_GUESSES,
  MAX_GUESSES_OF_ALL_DEVICES,
  MAX_GUESSES_OF_ALL_NETWORKS,
} from "../../../src/identity/people/limits.ts";
import { sha256Hex } from "../../../src/platform/lib/hash.ts";
import { hashPassword } from "../../../src/identity/people/password-hashing/hasher-stub.ts";
import { internet } from "../../webhooks/support.ts";
import { atSecondStep, codeOf, enrolled, enrolTotp, pass, post, stopClock } from "./factors.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signIn, signUp, takeMails } from "./support.ts";

// Attacks by wrong guesses: they neither find a password nor lock its owner out.

beforeEach(() => internet.reset());

const DEVICE = "__Host-tern-device";
const WRONG_PASSWORD = "ninety lost anchors";
/** Each test has networks of its own. */
let lastNetwork = 0;
const newNetwork = () => `172.${16 + (++lastNetwork >> 8)}.${lastNetwork & 255}`;

/** Gives a password in a new browser, at an address of the network. */
async function guess(email: string, network: string, { password = WRONG_PASSWORD, device = "" } = {}): Promise<number> {
  const browser = new Browser();
  browser.address = `${network}.${Math.floor(Math.random() * 250)}`;
  if (device !== "") browser.cookies.set(DEVICE, device);
  return (await browser.post("/api/auth/sign-in", { email, password })).status;
}

const many = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

/** Uses up all guesses at the address that strangers have, from all networks. All but two are copies of the first one. */
async function lockOut(email: string): Promise<void> {
  const guessAnywhere = () => guess(email, newNetwork());
  expect(await guessAnywhere()).toBe(401);
  await env.DB.prepare(
    `INSERT INTO guesses (id, subject, created_at)
     SELECT g.id || n.value, g.subject, g.created_at
     FROM (SELECT * FROM guesses WHERE subject = ?1 LIMIT 1) g, json_each(?2) n`,
  )
    .bind(await sha256Hex(`address ${email}`), JSON.stringify([...Array(MAX_GUESSES_OF_ALL_NETWORKS - 2).keys()]))
    .run();
  expect([await guessAnywhere(), await guessAnywhere()]).toEqual([401, 429]);
}

/** The same by guesses alone. */
async function lockOutByGuesses(email: string): Promise<void> {
  const statuses: number[] = [];
  for (let round = 0; round <= MAX_GUESSES_OF_ALL_NETWORKS / MAX_GUESSES; round++) {
    const network = newNetwork();
    statuses.push(...(await many(MAX_GUESSES, () => guess(email, network))));
  }
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([MAX_GUESSES_OF_ALL_NETWORKS, MAX_GUESSES]);
}

describe("wrong passwords", () => {
  it("of one network lock nobody out elsewhere; of 40 at once, 10 are compared", async () => {
    const { email } = await signUp();
    for (const address of [email, newEmail()]) {
      const network = newNetwork();
      const statuses = await many(40, () => guess(address, network));
      expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 30]);
    }
    expect(await guess(email, newNetwork(), { password: PASSWORD })).toBe(200);
  });

  it("of all networks together are bounded, for known and unknown addresses", async () => {
    const { email } = await signUp();
    for (const address of [email, newEmail()]) {
      await lockOutByGuesses(address);
      expect(await guess(address, newNetwork(), { password: PASSWORD })).toBe(429);
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + GUESS_WINDOW_MS });
    expect(await guess(email, newNetwork(), { password: PASSWORD })).toBe(200);
  });

  it("of any number do not keep the owner out who sets a new password by mail", async () => {
    const { email } = await signUp();
    await lockOut(email);
    const owner = new Browser();
    await post(owner, "/password/forgot", { email });
    const token = (await takeMails()).at(-1)?.token;
    expect((await signIn(email, PASSWORD, owner)).reply.status).toBe(429);
    expect((await post(owner, "/password/reset", { token, password: OTHER_PASSWORD })).status).toBe(200);
    expect((await signIn(email, OTHER_PASSWORD, owner)).reply.status).toBe(200);
    // The cookie is for this browser: others wait.
    expect(await guess(email, newNetwork(), { password: OTHER_PASSWORD })).toBe(429);
  });

  it("with many device cookies of one person are bounded together", async () => {
    const { email } = await signUp();
    const devices = await many(4, async () => (await signIn(email)).browser.cookies.get(DEVICE) ?? "");
    const network = newNetwork();
    const statuses = await many(40, (index) => guess(email, network, { device: devices[index % 4] ?? "" }));
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([
      MAX_GUESSES_OF_ALL_DEVICES,
      40 - MAX_GUESSES_OF_ALL_DEVICES,
    ]);
  });
});

describe("a device cookie", () => {
  /** Whether the cookie still has a count of its own, once strangers have used up theirs. */
  const isKnown = async (email: string, device: string, password: string) =>
    (await guess(email, newNetwork(), { device, password })) === 200;

  const changes: Record<string, (owner: Browser, email: string) => Promise<string>> = {
    "a change of the password": async (owner) => {
      await post(owner, "/password/change", { currentPassword: PASSWORD, password: OTHER_PASSWORD });
      return OTHER_PASSWORD;
    },
    "a reset of the password": async (owner, email) => {
      await post(owner, "/password/forgot", { email });
      const token = (await takeMails()).at(-1)?.token;
      await post(owner, "/password/reset", { token, password: OTHER_PASSWORD });
      return OTHER_PASSWORD;
    },
    "the end of other sessions": async (owner) => {
      await owner.delete("/api/auth/sessions");
      return PASSWORD;
    },
    "a change of the factors": async (owner) => {
      await enrolTotp(owner);
      return PASSWORD;
    },
  };
  for (const [name, change] of Object.entries(changes))
    it(`of another browser ends with ${name}; that of the own browser is replaced`, async () => {
      const { browser: owner, email } = await signUp();
      const former = owner.cookies.get(DEVICE) ?? "";
      const stolen = (await signIn(email)).browser.cookies.get(DEVICE) ?? "";
      const password = await change(owner, email);
      const present = owner.cookies.get(DEVICE) ?? "";
      await lockOut(email);
      const known = await Promise.all([stolen, former, present].map((device) => isKnown(email, device, password)));
      expect(known).toEqual([false, false, true]);
    });

  it("is of no use for another address", async () => {
    const [ann, bob] = [await signUp(), await signUp()];
    await lockOut(bob.email);
    expect(await isKnown(bob.email, ann.browser.cookies.get(DEVICE) ?? "", PASSWORD)).toBe(false);
  });
});

describe("wrong codes after the right password", () => {
  it("are told to the person by one mail, from the third on", async () => {
    stopClock();
    const { email } = await enrolled();
    const { browser } = await atSecondStep(email);
    const giveWrong = async () => (await post(browser, "/sign-in/mfa", { recoveryCode: "wrong" })).status;
    expect([await giveWrong(), await giveWrong()]).toEqual([401, 401]);
    expect(await takeMails()).toEqual([]);
    const statuses = await many(38, giveWrong);
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([8, 30]);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "Somebody has your password", token: "" }]);
  });

  it("do not keep the owner out who sets a new password by mail", async () => {
    stopClock();
    const { email, secret } = await enrolled();
    const { browser: thief } = await atSecondStep(email);
    await many(MAX_GUESSES, () => post(thief, "/sign-in/mfa", { code: "000000" }));
    pass();
    const owner = new Browser();
    await post(owner, "/password/forgot", { email });
    const token = (await takeMails()).find(({ subject }) => subject === "Set a new password")?.token;
    await post(owner, "/password/reset", { token, password: OTHER_PASSWORD });
    await post(owner, "/sign-in", { email, password: OTHER_PASSWORD });
    expect((await post(owner, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
  });
});

describe("the queues of passwords", () => {
  it("are drawn at random, so that no address fills the one of another person", async () => {
    const asked = new Set<string>();
    const hash = async (password: string) => ({ outcome: "hashed", hash: password });
    const getByName = (name: string) => {
      asked.add(name);
      return { hash };
    };
    const bindings = { ...env, PASSWORD_HASHER: { getByName } } as unknown as Env;
    for (let call = 0; call < 200; call++) await hashPassword(bindings, PASSWORD);
    expect(asked.size).toBeGreaterThan(8);
  });

  it("are two for each password: a second one is asked if the first is full", async () => {
    const asked: string[] = [];
    const getByName = (name: string) => {
      asked.push(name);
      return { hash: async () => (asked.length === 1 ? { outcome: "busy" } : { outcome: "hashed", hash: "stored" }) };
    };
    const bindings = { ...env, PASSWORD_HASHER: { getByName } } as unknown as Env;
    expect(await hashPassword(bindings, PASSWORD)).toBe("stored");
    expect(new Set(asked).size).toBe(2);
  });
});
