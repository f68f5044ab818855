import { expect, vi } from "vitest";
import { Secret, TOTP } from "otpauth";
import { SECOND_MS } from "../../../src/limits.ts";
import { freshAddress } from "../../support/address.ts";
import { Browser, PASSWORD, signUp, takeMails, type Reply } from "./support.ts";

const STEP_MS = 30 * SECOND_MS;

/** Stops the clock, 10 seconds after the beginning of a time step. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-01T12:00:10Z") });
}

/** Moves the stopped clock by time steps. */
export function pass(steps = 1): void {
  vi.setSystemTime(Date.now() + steps * STEP_MS);
}

/** The code of an authenticator app at the present time, or some steps later. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** Sends a request from an address of its own. */
export function post(browser: Browser, path: string, body?: unknown): Promise<Reply> {
  browser.address = freshAddress();
  return browser.post(`/api/auth${path}`, body);
}

export async function statusOf(browser: Browser): Promise<number> {
  return (await browser.get("/api/auth/session")).status;
}

interface Enrolled {
  browser: Browser;
  email: string;
  userId: string;
  secret: string;
  recoveryCodes: string[];
}

/** A person with an authenticator app. The code of the present step is used. */
export async function enrolled(): Promise<Enrolled> {
  const person = await signUp();
  const app = await enrolTotp(person.browser);
  await takeMails();
  return { ...person, ...app };
}

/** Adds an authenticator app to the sign-in of the browser's person. The code of the present step is used. */
export async function enrolTotp(browser: Browser): Promise<Pick<Enrolled, "secret" | "recoveryCodes">> {
  const { body } = await post(browser, "/mfa/totp");
  const secret = body["secret"] as string;
  const confirmed = await post(browser, "/mfa/totp/confirm", { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  return { secret, recoveryCodes: confirmed.body["recoveryCodes"] as string[] };
}

/** A browser that gave the password. */
export async function atSecondStep(email: string, password = PASSWORD): Promise<{ browser: Browser; reply: Reply }> {
  const browser = new Browser();
  const reply = await post(browser, "/sign-in", { email, password });
  return { browser, reply };
}
