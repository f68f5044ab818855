import { env } from "cloudflare:workers";
import { SCRYPT_PARAMETERS } from "../../../src/identity/people/password-hashing/scrypt.ts";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, buildRequest, send } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";

export const PASSWORD = "seventeen quiet lanterns";
export const OTHER_PASSWORD = "forty green umbrellas";

export const PRODUCTION_PARAMETERS = { ...SCRYPT_PARAMETERS };
/** Each hash would take a quarter of a second. */
export const TEST_PARAMETERS = { n: 16, r: 8, p: 1 };
Object.assign(SCRYPT_PARAMETERS, TEST_PARAMETERS);

export const MAIL_API_URL = "https://mail.test/emails";

/** Lets persons of a domain sign up, whose accounts are trusted at once. Mails and lookups of passwords go to the simulated internet. */
export const PEOPLE = {
  SIGN_UP: "example.com",
  MAIL_FROM: "Tern <tern@tern.test>",
  MAIL_API_TOKEN: `${MAIL_API_URL} mail-token`,
  PASSWORD_RANGE_URL: "https://breaches.test/range/",
};

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The token of its link; '' for a notice. */
  token: string;
}

/** Removes and returns the mails that were sent, oldest first. */
export async function takeMails(): Promise<Mail[]> {
  const received = await internet.received();
  await internet.forget();
  return received
    .filter(({ url }) => url === MAIL_API_URL)
    .map(({ body }) => {
      const { to, subject, text, html } = JSON.parse(body) as { to: [string] } & Omit<Mail, "to" | "token">;
      return { to: to[0], subject, text, html, token: /#token=([\w-]+)/.exec(text)?.[1] ?? "" };
    });
}

export interface Reply {
  status: number;
  headers: Headers;
  // The tests read many forms of bodies.
  body: Record<string, unknown> & { code?: string; error?: string };
}

interface Options {
  body?: unknown;
  headers?: Record<string, string>;
  bindings?: Record<string, unknown>;
}

/** A browser with its cookies, which sends the headers that browsers send. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly origin: string;
  address = freshAddress();

  constructor(origin = BASE_URL) {
    this.origin = origin;
  }

  async send(method: string, path: string, { body, headers, bindings }: Options = {}): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = { ...(method === "GET" ? {} : { Origin: this.origin }), ...(cookie === "" ? {} : { Cookie: cookie }) };
    const options = { body, headers: { ...own, ...headers }, address: this.address };
    const request = buildRequest(method, this.origin + path, options);
    const response = await send(request, { ...PEOPLE, ...bindings });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  get(path: string, options?: Options): Promise<Reply> {
    return this.send("GET", path, options);
  }

  post(path: string, body?: unknown, options?: Options): Promise<Reply> {
    return this.send("POST", path, { body, ...options });
  }

  patch(path: string, body: unknown): Promise<Reply> {
    return this.send("PATCH", path, { body });
  }

  delete(path: string): Promise<Reply> {
    return this.send("DELETE", path);
  }

  /** The cookie of the session. */
  get session(): string | undefined {
    return this.cookies.get("__Host-tern");
  }

  #keep(line: string): void {
    const [, name = "", value = "", attributes = ""] = /^([^=]*)=([^;]*)(.*)$/.exec(line) ?? [];
    if (/max-age=0/i.test(attributes)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function parse(text: string): Reply["body"] {
  try {
    return JSON.parse(text) as Reply["body"];
  } catch {
    return { text };
  }
}

let persons = 0;

/** Returns an address that no other test has. */
export function newEmail(): string {
  return `ann${++persons}@example.com`;
}

/** Signs up in a new browser, which is then signed in. */
export async function signUp(
  email = newEmail(),
  bindings: Record<string, unknown> = {},
): Promise<{ browser: Browser; email: string; userId: string }> {
  const browser = new Browser();
  await browser.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann Lee" }, { bindings });
  const mail = (await takeMails()).find(({ to }) => to === email);
  const { body, status } = await browser.post("/api/auth/verify-email", { token: mail?.token }, { bindings });
  if (status !== 200) throw new Error(`verify: ${status} ${JSON.stringify(body)}`);
  browser.address = freshAddress();
  return { browser, email, userId: (body["user"] as { id: string }).id };
}

/** Makes the identity of the browser's session unconfirmed. */
export async function forgetConfirmation(): Promise<void> {
  await env.DB.prepare("UPDATE sessions SET confirmed_at = 0").run();
}

/** Signs in from an address that no other call has. */
export async function signIn(email: string, password = PASSWORD, browser = new Browser()) {
  browser.address = freshAddress();
  return { browser, reply: await browser.post("/api/auth/sign-in", { email, password }) };
}

/** 200 while the browser has a session, else 401. */
export const statusOf = async (browser: Browser) => (await browser.get("/api/auth/session")).status;
