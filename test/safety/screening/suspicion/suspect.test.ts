import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "#src/links/contract.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { suspect } from "#src/safety/screening/suspicion/suspect.ts";
import { unpackVerdict, type Verdict } from "#src/redirect/verdict.ts";
import { Browser } from "../../../identity/people/support.ts";
import { call, createAccount, createLink, runCron } from "../../../support/api.ts";
import { internet } from "../../../webhooks/support.ts";
import { addEntries, setBinding, useScreening } from "../support.ts";

// Addresses that look like others, and other shorteners.

useScreening();
beforeEach(() => internet.reset());

const MINUTE_MS = 60_000;
const reasonOf = (url: string) => suspect(url, "go.tern.link")?.reason ?? null;

describe("an address", () => {
  it.each([
    "https://g0.tern.link/x",
    "https://go.tеrn.link/",
    "https://x.go.tern.1ink/",
    "https://paypa1.com/",
    "https://paypal.com@example.com/",
  ])("such as %s looks like another one", (url) => expect(reasonOf(url)).toBe("lookalike"));

  it.each([
    "https://go.tern.link/x",
    "https://docs.go.tern.link/",
    "https://tern.link/",
    "https://www.paypal.com/signin",
    "https://paypal.me/x",
    "https://1.2.3.4/",
    "acme://paypa1.com",
    "https://example.com/paypa1.com",
  ])("such as %s does not", (url) => expect(reasonOf(url)).toBeNull());

  it("of another shortener hides where it leads", () => {
    expect(reasonOf("https://bit.ly/x")).toBe("shortener");
    expect(reasonOf("https://www.bit.ly./x")).toBe("shortener");
    expect(reasonOf("https://notbit.ly/x")).toBeNull();
  });
});

async function shorten(url: string): Promise<Link> {
  const { status, body } = await new Browser().post("/api/shorten", { url });
  expect(status).toBe(201);
  return body["link"] as Link;
}

async function verdictOf({ id }: { id: string }): Promise<Verdict> {
  const verdict = await env.DB.prepare("SELECT verdict FROM links WHERE id = ?1").bind(id).first<number>("verdict");
  return unpackVerdict(verdict ?? 0);
}

it("a link of a stranger is warned of, also if a provider finds nothing, and one of an account is not", async () => {
  setBinding("SCREENING", "https://blocking.test/dns-query");
  const now = Date.now();
  const { key } = await createAccount();
  const alike = await shorten("https://paypa1.com/login");
  const nested = await shorten("https://example.com/?u=https%3A%2F%2Fbit.ly%2Fx");
  const plain = await shorten("https://example.com/");
  const trusted = await createLink(key, { url: "https://bit.ly/x" });
  await runCron(now + MINUTE_MS);
  expect(await verdictOf(alike)).toMatchObject({ state: "warned", reason: "lookalike" });
  expect(await verdictOf(nested)).toMatchObject({ state: "warned", reason: "shortener" });
  expect(await verdictOf(plain)).toMatchObject({ state: "allowed" });
  expect(await verdictOf(trusted)).toMatchObject({ state: "allowed", reason: null });
  memoryCache.clear();
  const page = await call("GET", `/${alike.slug}`, { headers: { Accept: "text/html" } });
  expect(await page.text()).toContain("The address looks like that of another site");
  await addEntries(["host paypa1.com", "allow"]);
  await runCron(now + 11 * MINUTE_MS);
  expect(await verdictOf(alike)).not.toMatchObject({ state: "warned" });
});
