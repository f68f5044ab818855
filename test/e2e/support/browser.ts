import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";

/** The variables of a service on this machine, whose mails are in the outbox, and where everybody may sign up. */
export const LOCAL = { BASE_URL: "http://localhost:8787", SIGN_UP: "open", PASSWORD_RANGE_URL: "" };

const PASSWORD = "seventeen quiet lanterns";
export const OTHER_PASSWORD = "forty green umbrellas";

interface Reply {
  status: number;
  // The tests read many forms of bodies.
  body: Record<string, unknown> & { code?: string };
}

/** A browser with its cookies. Each request comes from an IP address of its own, unless `address` is set. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #isolate: Isolate;
  readonly #origin: string;
  address: string | undefined;
  /** The account for which the person acts; undefined: the personal one. */
  account: string | undefined;

  constructor(isolate: Isolate, origin = LOCAL.BASE_URL) {
    this.#isolate = isolate;
    this.#origin = origin;
  }

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await this.#isolate.request(method, path, {
      headers: {
        Origin: this.#origin,
        "Content-Type": "application/json",
        ...(cookie !== "" && { Cookie: cookie }),
        ...(this.address !== undefined && { "CF-Connecting-IP": this.address }),
        ...(this.account !== undefined && { "X-Account-Id": this.account }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.#keep(answer);
    return { status: answer.status, body: answer.json() as Reply["body"] };
  }

  /** Sends a request below /api/auth, and fails if it is refused. */
  async auth(path: string, body?: unknown): Promise<Reply["body"]> {
    const { status, body: answer } = await this.send("POST", `/api/auth${path}`, body);
    expect([path, status < 300, answer.code]).toEqual([path, true, undefined]);
    return answer;
  }

  /** 200 while the browser has a session, else 401. */
  async status(): Promise<number> {
    return (await this.send("GET", "/api/auth/session")).status;
  }

  #keep({ headers }: Answer): void {
    for (const line of (headers["set-cookie"] as unknown as string[] | undefined) ?? []) {
      const [, name = "", value = "", attributes = ""] = /^([^=]*)=([^;]*)(.*)$/.exec(line) ?? [];
      if (/max-age=0/i.test(attributes)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

interface Mail {
  to: string;
  subject: string;
  link: string | null;
}

/** The mails to the address, newest first. Only this machine may read them. */
export async function mailsTo(isolate: Isolate, email: string): Promise<Mail[]> {
  await isolate.settled();
  const answer = await isolate.get("/api/auth/outbox", { "CF-Connecting-IP": "127.0.0.1" });
  return (answer.json() as { mails: Mail[] }).mails.filter(({ to }) => to === email);
}

/** The token in the newest mail to the address whose link leads to this page. */
export async function tokenOf(isolate: Isolate, email: string, page: string): Promise<string> {
  let token: string | undefined;
  await until(async () => {
    const mail = (await mailsTo(isolate, email)).find(({ link }) => link?.includes(`/app/${page}#`));
    token = mail?.link?.split("#token=")[1];
    return token !== undefined;
  });
  return token ?? "";
}

export interface Person {
  browser: Browser;
  email: string;
  userId: string;
}

/** Signs up in a new browser, which is then signed in. */
export async function signUp(
  isolate: Isolate,
  email: string,
  name = "Ann Lee",
  browser = new Browser(isolate),
): Promise<Person> {
  await browser.auth("/sign-up", { email, password: PASSWORD, name });
  const { user } = await browser.auth("/verify-email", { token: await tokenOf(isolate, email, "verify-email") });
  return { browser, email, userId: (user as { id: string }).id };
}

/** A new browser that gave the password. */
export async function signIn(isolate: Isolate, email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(isolate);
  await browser.auth("/sign-in", { email, password });
  return browser;
}

/** Adds an authenticator app to the sign-in of the browser's person. */
export async function addApp(isolate: Isolate, browser: Browser): Promise<void> {
  const { secret } = await browser.auth("/mfa/totp");
  const { now } = await isolate.state();
  const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate({ timestamp: now });
  await browser.auth("/mfa/totp/confirm", { code });
}
