import type { UndoPayload } from "../../../src/people/undo/store.ts";
import { TOTP } from "otpauth";
import { hashRecoveryCode } from "../../../src/people/factors/codes.ts";
import { MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import { Authenticator } from "../../../test/people/authenticator.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import {
  addToken,
  fill,
  OTHER_PASSWORD,
  PASSWORD,
  personCall,
  removePasskeys,
  toAsk,
  type PersonAsk,
} from "./person.ts";
import { MAX_USER_NAME_CHARS } from "../../../src/people/limits.ts";

// Sign-up, sign-in, sessions, passwords and addresses, second factors.

const PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}`;

const post = (path: string, body?: object): PersonAsk => ({
  method: "POST",
  path: `/api/auth/${path}`,
  ...(body !== undefined && { body }),
});
const visitor = (ask: PersonAsk): PersonAsk => ({ ...ask, isVisitor: true });

const freshAddress = () => `${randomText(40).toLowerCase()}@example.com`;

/** Of a token that undoes a change and keeps no factor. */
const undoPayload = (email: string): UndoPayload => ({ email, passkeys: [], totp: null, codes: null });

/** The sessions of the longest page and more. */
const fillSessions = (account: FilledAccount) =>
  fill(
    account,
    "sessions",
    `format('01920b5c-7d6a-7c3e-9b1f-%012x', i), 'filled ' || i, '${account.person.userId}', 4e12, 4e12, 4e12, '', '', '', NULL, NULL, NULL, NULL`,
    MAX_PAGE_SIZE_ITEMS + 1,
  );

async function withSessions(account: FilledAccount, ask: PersonAsk): Promise<PersonAsk> {
  await fillSessions(account);
  return ask;
}

async function addRecoveryCode({ server, person }: FilledAccount): Promise<string> {
  const code = randomText(24).toLowerCase();
  const add = server.db.prepare("INSERT INTO recovery_codes (hash, user_id, created_at) VALUES (?1, ?2, 0)");
  await add.bind(await hashRecoveryCode(code), person.userId).run();
  return code;
}

/** The cookie of a browser that has given the password. */
async function atSecondStep(account: FilledAccount): Promise<Record<string, string>> {
  return { "tern-second-step": await addToken(account, "second_step", account.person.userId, {}) };
}

/** Sends a request of the person and returns the body of its response. */
async function answerTo<T>(account: FilledAccount, ask: PersonAsk): Promise<T> {
  return account.ask<T>(toAsk(account, ask));
}

/** The secret of an enrolment, and a code at the time of the service. */
async function enrolTotp(account: FilledAccount): Promise<string> {
  const { secret } = await answerTo<{ secret: string }>(account, post("mfa/totp"));
  const find = account.server.db.prepare("SELECT created_at FROM totp_factors WHERE user_id = ?1");
  const timestamp = await find.bind(account.person.userId).first<number>("created_at");
  return new TOTP({ secret }).generate({ timestamp: timestamp ?? 0 });
}

async function newPasskey(account: FilledAccount) {
  const key = await Authenticator.create("http://tern.test");
  const answer = await key.register(await answerTo<object>(account, post("passkeys/options")));
  return { key, ask: post("passkeys", { ...answer, name: "Laptop" }) };
}

/** The answer to a sign-in with a new passkey, with its cookie. */
async function passkeySignIn(account: FilledAccount): Promise<PersonAsk> {
  const { key, ask } = await newPasskey(account);
  await answerTo(account, ask);
  const started = await account.send(toAsk(account, visitor(post("passkeys/sign-in/options"))));
  const [, cookie = ""] = /tern-passkey=([^;]+)/.exec([started.headers["set-cookie"]].flat().join()) ?? [];
  const answer = await key.prove(started.json() as object);
  return visitor({ ...post("passkeys/sign-in", answer), cookies: { "tern-passkey": cookie } });
}

export const signInCalls = {
  "POST /api/auth/sign-up": [
    personCall("a new address with the longest name", () =>
      visitor(post("sign-up", { email: freshAddress(), password: PASSWORD, name: randomText(MAX_USER_NAME_CHARS) })),
    ),
  ],
  "POST /api/auth/verify-email": [
    personCall("in another browser, with a password to hash", async (account) => {
      const email = freshAddress();
      const pending = { email, name: "Ann Lee", passwordHash: "", browserHash: "" };
      const token = await addToken(account, "verify_email", email, pending);
      return visitor(post("verify-email", { token, password: OTHER_PASSWORD }));
    }),
  ],
  "POST /api/auth/tokens/check": [
    personCall("a token that keeps an address", async (account) => {
      const { userId, email } = account.person;
      const token = await addToken(account, "undo_email", userId, undoPayload(email));
      return visitor(post("tokens/check", { token, purpose: "undo_email" }));
    }),
  ],
  "POST /api/auth/sign-in": [
    personCall("a password that is hashed again with new parameters", ({ person }) =>
      visitor(post("sign-in", { email: person.email, password: PASSWORD })),
    ),
  ],
  "POST /api/auth/sign-out": [personCall("a session", () => post("sign-out"))],
  "GET /api/auth/session": [personCall("with two accounts", () => ({ method: "GET", path: "/api/auth/session" }))],
  "PATCH /api/auth/user": [
    personCall("a name", () => ({ method: "PATCH", path: "/api/auth/user", body: { name: "Ann Lee" } })),
  ],
  "GET /api/auth/sessions": [
    personCall("a page of 100 sessions", (account) =>
      withSessions(account, { method: "GET", path: `/api/auth/sessions?${PAGE}` }),
    ),
  ],
  "DELETE /api/auth/sessions": [
    personCall("a hundred other sessions", (account) =>
      withSessions(account, { method: "DELETE", path: "/api/auth/sessions" }),
    ),
  ],
  "DELETE /api/auth/sessions/:id": [
    personCall("another session", ({ person }) => ({
      method: "DELETE",
      path: `/api/auth/sessions/${person.otherSessionId}`,
    })),
  ],
  "POST /api/auth/confirm": [
    personCall("with the password", async (account) => {
      await removePasskeys(account);
      return post("confirm", { password: PASSWORD });
    }),
  ],
  "POST /api/auth/confirm/options": [personCall("of a passkey", () => post("confirm/options"))],
  "POST /api/auth/password/forgot": [
    personCall("a known address", ({ person }) => visitor(post("password/forgot", { email: person.email }))),
  ],
  "POST /api/auth/password/reset": [
    personCall("with a hundred sessions that end", async (account) => {
      await fillSessions(account);
      const token = await addToken(account, "reset_password", account.person.userId, {});
      return visitor(post("password/reset", { token, password: OTHER_PASSWORD }));
    }),
  ],
  "POST /api/auth/password/change": [
    personCall("two hashes, and a hundred sessions that end", (account) =>
      withSessions(account, post("password/change", { currentPassword: PASSWORD, password: OTHER_PASSWORD })),
    ),
  ],
  "POST /api/auth/email/change": [
    personCall("two mails", async (account) => {
      await account.server.db.prepare("DELETE FROM mails").run();
      return post("email/change", { email: freshAddress() });
    }),
  ],
  "POST /api/auth/email/confirm": [
    personCall("a new address", async (account) => {
      const token = await addToken(account, "confirm_email", account.person.userId, { email: freshAddress() });
      return post("email/confirm", { token });
    }),
  ],
  "POST /api/auth/email/undo": [
    personCall("with a hundred sessions that end", async (account) => {
      await fillSessions(account);
      const { userId, email } = account.person;
      const token = await addToken(account, "undo_email", userId, undoPayload(email));
      return visitor(post("email/undo", { token }));
    }),
  ],
  "POST /api/auth/mfa/undo": [
    personCall("with a hundred sessions that end", async (account) => {
      await fillSessions(account);
      const { userId, email } = account.person;
      const token = await addToken(account, "undo_factor", userId, undoPayload(email));
      return visitor(post("mfa/undo", { token }));
    }),
  ],
  "POST /api/auth/sign-in/mfa/options": [
    personCall("of a passkey", async (account) =>
      visitor({ ...post("sign-in/mfa/options"), cookies: await atSecondStep(account) }),
    ),
  ],
  "POST /api/auth/sign-in/mfa": [
    personCall("a recovery code, with its mail", async (account) => {
      const recoveryCode = await addRecoveryCode(account);
      return visitor({ ...post("sign-in/mfa", { recoveryCode }), cookies: await atSecondStep(account) });
    }),
  ],
  "GET /api/auth/mfa": [personCall("a passkey", () => ({ method: "GET", path: "/api/auth/mfa" }))],
  "POST /api/auth/mfa/totp": [personCall("a QR code", () => post("mfa/totp"))],
  "POST /api/auth/mfa/totp/confirm": [
    personCall("with ten new recovery codes", async (account) => {
      await removePasskeys(account);
      return post("mfa/totp/confirm", { code: await enrolTotp(account) });
    }),
  ],
  "DELETE /api/auth/mfa/totp": [
    personCall("the only factor", async (account) => {
      await removePasskeys(account);
      const { userId } = account.person;
      await fill(account, "totp_factors", `'${userId}', '', 0, 0, 0, NULL`, 1);
      return { method: "DELETE", path: "/api/auth/mfa/totp" };
    }),
  ],
  "POST /api/auth/mfa/recovery-codes": [personCall("ten codes", () => post("mfa/recovery-codes"))],
  "POST /api/auth/passkeys/options": [personCall("of a new passkey", () => post("passkeys/options"))],
  "POST /api/auth/passkeys": [
    personCall("a passkey, with its mail", async (account) => (await newPasskey(account)).ask),
  ],
  "PATCH /api/auth/passkeys/:id": [
    personCall("a name", ({ person }) => ({
      method: "PATCH",
      path: `/api/auth/passkeys/${person.passkeyId}`,
      body: { name: "Desk" },
    })),
  ],
  "DELETE /api/auth/passkeys/:id": [
    personCall("the only factor", ({ person }) => ({
      method: "DELETE",
      path: `/api/auth/passkeys/${person.passkeyId}`,
    })),
  ],
  "POST /api/auth/passkeys/sign-in/options": [
    personCall("of any passkey", () => visitor(post("passkeys/sign-in/options"))),
  ],
  "POST /api/auth/passkeys/sign-in": [personCall("a passkey", passkeySignIn)],
} satisfies Record<string, WorstCall[]>;
