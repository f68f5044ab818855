import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { VISITOR } from "./support/browser.ts";
import { startServiceWithBrowser } from "./support/service.ts";

// Passkeys of a real browser: Chromium's virtual authenticator, in a page of the service on localhost.

const { browser } = await startServiceWithBrowser({
  variables: { BASE_URL: "http://localhost" },
});

/** A page of the service in a browser with an authenticator that verifies the person. `forget` deletes its passkeys. */
async function openPage(): Promise<{ page: Page; forget: () => Promise<void> }> {
  // The home page may send no requests.
  const context = await browser.newContext({ userAgent: VISITOR, bypassCSP: true });
  const page = await context.newPage();
  await page.goto("http://localhost/");
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, forget: async () => void (await devTools.send("WebAuthn.clearCredentials", { authenticatorId })) };
}

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

interface Init {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

function call(page: Page, method: string, path: string, body?: unknown): Promise<Reply> {
  const init: Init = {
    method,
    ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  };
  const send = async ([url, options]: [string, Init]): Promise<Reply> => {
    const response = await fetch(url, options);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return page.evaluate(send, [`/api/auth${path}`, init] as [string, Init]);
}

/** The expressions run in the page, whose types Node does not have. */
function makePasskey(page: Page, options: unknown): Promise<object> {
  const publicKey = `PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})`;
  return page.evaluate(`navigator.credentials.create({ publicKey: ${publicKey} }).then((made) => made.toJSON())`);
}

function provePasskey(page: Page, options: unknown): Promise<object> {
  const publicKey = `PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})`;
  return page.evaluate(`navigator.credentials.get({ publicKey: ${publicKey} }).then((proof) => proof.toJSON())`);
}

/** The answer of a security key that sends a certificate, although nobody asked for one. */
function withCertificate(made: object): object {
  const { response } = made as { response: { attestationObject: string } };
  const statement = "\x63sig\x41\x00\x63x5c\x81\x41\x00";
  const attested = Buffer.from(response.attestationObject, "base64url")
    .toString("latin1")
    .replace("\x64none", "\x68fido-u2f")
    .replace("\x67attStmt\xa0", `\x67attStmt\xa2${statement}`);
  const attestationObject = Buffer.from(attested, "latin1").toString("base64url");
  return { ...made, response: { ...response, attestationObject } };
}

it("a passkey of a real browser signs in alone, is a second factor, and confirms the identity", async () => {
  const { page, forget } = await openPage();
  const post = (path: string, body?: unknown) => call(page, "POST", path, body);
  const person = { email: "ann@example.com", password: "seventeen quiet lanterns" };
  await post("/sign-up", { ...person, name: "Ann Lee" });
  const { body: outbox } = await call(page, "GET", "/outbox");
  const [{ link }] = outbox["mails"] as [{ link: string }];
  expect((await post("/verify-email", { token: link.split("#token=")[1] })).status).toBe(200);

  const attested = withCertificate(await makePasskey(page, (await post("/passkeys/options")).body));
  expect(await post("/passkeys", { ...attested, name: "Key" })).toMatchObject({
    status: 400,
    body: { details: [{ code: "invalid_passkey" }] },
  });
  // With two passkeys, the authenticator would sign in with any of them.
  await forget();
  const made = await makePasskey(page, (await post("/passkeys/options")).body);
  const added = await post("/passkeys", { ...made, name: "Laptop" });
  expect(added).toMatchObject({ status: 201, body: { passkey: { name: "Laptop" }, recoveryCodes: { length: 10 } } });
  await expect(makePasskey(page, (await post("/passkeys/options")).body)).rejects.toThrow("InvalidStateError");

  await post("/sign-out");
  const alone = await provePasskey(page, (await post("/passkeys/sign-in/options")).body);
  expect(await post("/passkeys/sign-in", alone)).toMatchObject({
    status: 200,
    body: { user: { email: person.email } },
  });
  const { body: app } = await post("/mfa/totp");
  const code = new TOTP({ secret: Secret.fromBase32(app["secret"] as string) }).generate();
  expect((await post("/mfa/totp/confirm", { code })).status).toBe(200);

  await post("/sign-out");
  expect((await post("/sign-in", person)).body).toEqual({ mfa: ["totp", "passkey", "recovery"] });
  const second = await provePasskey(page, (await post("/sign-in/mfa/options")).body);
  expect((await post("/sign-in/mfa", { passkey: second })).status).toBe(200);
  const confirmation = await provePasskey(page, (await post("/confirm/options")).body);
  expect((await post("/confirm", { passkey: confirmation })).status).toBe(200);
  expect((await post("/confirm", { password: person.password })).status).toBe(400);
});
