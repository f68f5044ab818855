import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { demoPerson } from "../../../tools/scripts/demo-person.ts";
import { insertAccount } from "../../../tools/scripts/account-sql.ts";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { CONFIRMATION_TTL_MS } from "../../../src/platform/auth/limits.ts";
import { stopClock } from "./factors.ts";
import { Browser, PASSWORD, signUp } from "./support.ts";

const LOCAL = { BASE_URL: "http://localhost:8787", MAIL_API_TOKEN: "" };

/** The person of `npm start`, who signed in eleven minutes ago by the link that it prints. */
async function openDemo(): Promise<Browser> {
  stopClock();
  await insertAccount(env.DB, { name: "Demo", keyName: "Demo key", key: generateKey() }, Date.now());
  const account = await env.DB.prepare("SELECT max(id) AS id FROM accounts").first<{ id: number }>();
  const { token } = await demoPerson(env.DB, account?.id ?? 0, Date.now());
  const browser = new Browser("http://localhost:8787");
  browser.address = "127.0.0.1";
  expect((await browser.post("/api/auth/sign-in/link", { token }, { bindings: LOCAL })).status).toBe(200);
  vi.setSystemTime(Date.now() + CONFIRMATION_TTL_MS + 60_000);
  return browser;
}

it("makes a key eleven minutes after the sign-in, without a password", async () => {
  const browser = await openDemo();
  const makeKey = () => browser.post("/api/keys", { name: "Robot" }, { bindings: LOCAL });
  expect((await makeKey()).body.code).toBe("confirm_identity");
  const factors = await browser.get("/api/auth/mfa", { bindings: LOCAL });
  expect(factors.body).toMatchObject({ totp: false, passkeys: [], password: false });
  expect((await browser.post("/api/auth/confirm", { local: true }, { bindings: LOCAL })).status).toBe(200);
  expect((await makeKey()).status).toBe(201);
});

it("is believed on the machine of the service only", async () => {
  const browser = await openDemo();
  const confirm = (bindings: Record<string, unknown>) =>
    browser.post("/api/auth/confirm", { local: true }, { bindings });
  expect((await confirm({ ...LOCAL, WRANGLER_DEV: "network" })).status).toBe(404);
  browser.address = "192.0.2.7";
  expect((await confirm(LOCAL)).status).toBe(404);
  const makeKey = await browser.post("/api/keys", { name: "Robot" }, { bindings: LOCAL });
  expect(makeKey.body.code).toBe("confirm_identity");
});

it("a person with a password is not believed without it", async () => {
  const { browser } = await signUp();
  const bindings = { ...LOCAL, BASE_URL: browser.origin };
  expect((await browser.post("/api/auth/confirm", { local: true }, { bindings })).status).toBe(404);
  const local = new Browser("http://localhost:8787");
  local.address = "127.0.0.1";
  for (const [name, value] of browser.cookies) local.cookies.set(name.replace("__Host-", ""), value);
  const confirmed = await local.post("/api/auth/confirm", { local: true }, { bindings: LOCAL });
  expect([confirmed.status, confirmed.body["details"]]).toMatchObject([
    400,
    [{ path: "local", code: "not_enough", allowed: ["password", "code", "passkey"] }],
  ]);
  expect((await local.post("/api/auth/confirm", { password: PASSWORD }, { bindings: LOCAL })).status).toBe(200);
});
