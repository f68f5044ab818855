import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Link } from "#src/links/contract.ts";
import { unpackVerdict } from "#src/redirect/verdict.ts";
import { claim, linksOf, shorten } from "../../links/claims-support.ts";
import { Browser, newEmail, signUp } from "../../identity/people/support.ts";
import { call, createAccount, createLink, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { addEntries, screener, setBinding, useScreening } from "./support.ts";

// The verdict that a link gets when nothing blocks it any more.

useScreening();
beforeEach(() => internet.reset());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UNTRUSTED = { SIGN_UP: "open" };

async function stateOf(id: string): Promise<string> {
  const verdict = await env.DB.prepare("SELECT verdict FROM links WHERE id = ?1").bind(id).first<number>("verdict");
  return unpackVerdict(verdict ?? 0).state;
}

async function removeEntries(): Promise<void> {
  await env.DB.prepare("DELETE FROM screening_rules").run();
  await screener().reload();
}

function useResolver(): void {
  setBinding("SCREENING", "https://blocking.test/dns-query");
}

it("is allowed for a link whose account became trusted meanwhile", async () => {
  const now = Date.now();
  const { browser } = await signUp(newEmail(), UNTRUSTED);
  const { id } = (await browser.post("/api/links", { url: "https://evil.dev/" })).body["link"] as Link;
  await addEntries(["host evil.dev"]);
  await runCron(now + MINUTE_MS);
  expect(await stateOf(id)).toBe("blocked");
  await env.DB.prepare("UPDATE accounts SET trust_at = 0").run();
  await runCron(now + 2 * MINUTE_MS);
  await removeEntries();
  await runCron(now + HOUR_MS);
  expect(await stateOf(id)).toBe("allowed");
});

it("is pending for a link that an account without trust claimed meanwhile", async () => {
  const now = Date.now();
  useResolver();
  const visitor = new Browser();
  const { id } = await shorten(visitor);
  await runCron(now + MINUTE_MS);
  expect(await stateOf(id)).toBe("allowed");
  await addEntries(["host example.com"]);
  await runCron(now + 11 * MINUTE_MS);
  const { browser } = await signUp(newEmail(), UNTRUSTED);
  for (const [name, value] of visitor.cookies) browser.cookies.set(name, value);
  expect(linksOf(await claim(browser)).map(({ verdict }) => verdict.state)).toEqual(["blocked"]);
  await removeEntries();
  await runCron(now + 2 * HOUR_MS);
  expect(await stateOf(id)).toBe("pending");
});

it("comes back for a link that was deleted while it was blocked", async () => {
  const now = Date.now();
  const { key } = await createAccount();
  const { id } = await createLink(key, { url: "https://evil.dev/" });
  await addEntries(["host evil.dev"]);
  await runCron(now + MINUTE_MS);
  await call("DELETE", `/api/links/${id}`, { key });
  await runCron(now + 11 * MINUTE_MS);
  await removeEntries();
  expect((await call("POST", `/api/links/${id}/restore`, { key })).status).toBe(200);
  expect(await stateOf(id)).toBe("blocked");
  await runCron(Date.now() + HOUR_MS);
  expect(await stateOf(id)).toBe("allowed");
});

it("is a warning where only the resolver still finds something", async () => {
  const now = Date.now();
  useResolver();
  const { key } = await createAccount();
  await internet.addresses({ "evil.dev": [["0.0.0.0"], ["1.2.3.4"]] });
  const { id } = await createLink(key, { url: "https://evil.dev/" });
  await addEntries(["host evil.dev"]);
  await runCron(now + MINUTE_MS);
  expect(await stateOf(id)).toBe("blocked");
  await removeEntries();
  await runCron(now + 11 * MINUTE_MS);
  expect(await stateOf(id)).toBe("warned");
  await internet.addresses({ "evil.dev": ["1.2.3.4"] });
  await runCron(now + 2 * HOUR_MS);
  expect(await stateOf(id)).toBe("allowed");
});
