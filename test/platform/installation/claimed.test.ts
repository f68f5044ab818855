import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SECOND_MS } from "../../../src/limits.ts";
import { forgetInstallation } from "../../../src/platform/installation/claimed.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { claimWith, CODE, count, PERSON, readService, unclaim } from "../../identity/setup/support.ts";
import { Browser, PASSWORD } from "../../identity/people/support.ts";
import { buildRequest, createAccount, createLink, runCron, send } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { internet } from "../../webhooks/support.ts";

const UNNAMED = { BASE_URL: "" };
const WORKERS_DEV = "https://tern.ann.workers.dev";

beforeEach(async () => {
  await internet.reset();
  await unclaim();
});

const failing = (message: string, run: () => Promise<void>) =>
  interceptD1(() => Promise.reject(new Error(`D1_ERROR: ${message}`)), run);

it.each(["no such table: installation", "overloaded"])(
  "nobody is told that there is no owner while the database says: %s",
  async (message) => {
    await failing(message, async () => {
      expect((await send(buildRequest("GET", "/"))).status).toBe(200);
      expect(await readService()).toMatchObject({ claimed: true });
      expect((await claimWith(CODE)).status).toBeGreaterThanOrEqual(500);
    });
    expect(await readService()).toMatchObject({ claimed: false });
  },
);

describe("an installation without BASE_URL", () => {
  const browser = (origin = WORKERS_DEV) => new Browser(origin);
  const claim = (origin = WORKERS_DEV, more: object = { origin }) => claimWith(CODE, more, UNNAMED, browser(origin));
  const refusal = async (origin: string, more?: object) => (await claim(origin, more)).body["details"];
  const visit = (url: string) => send(buildRequest("GET", url), UNNAMED);

  it("answers no call of sign-in until it is claimed", async () => {
    for (const path of ["/api/auth/sign-in", "/api/auth/sign-up", "/api/auth/password/forgot"])
      expect((await browser().post(path, PERSON, { bindings: UNNAMED })).body).toMatchObject({
        details: [{ code: "no_base_url" }],
      });
    expect(await readService(UNNAMED, WORKERS_DEV)).toMatchObject({ claimed: false, signIn: false });
  });

  it("takes the confirmed origin of the claim, and knows other hosts as domains", async () => {
    expect(await refusal(WORKERS_DEV, {})).toMatchObject([
      { path: "origin", code: "wrong_origin", expected: WORKERS_DEV },
    ]);
    expect(await refusal(WORKERS_DEV, { origin: "https://evil.test" })).toMatchObject([{ code: "wrong_origin" }]);
    const claimed = await claim();
    expect([claimed.status, claimed.headers.getSetCookie().join()]).toEqual([
      200,
      expect.stringContaining("__Host-tern="),
    ]);

    const { key } = await createAccount();
    const body = { url: "https://example.com/", slug: "spring" };
    const created = await send(buildRequest("POST", `${WORKERS_DEV}/api/links`, { key, body }), UNNAMED);
    expect(await created.json()).toMatchObject({ link: { shortUrl: `${WORKERS_DEV}/spring` } });
    expect((await visit(`${WORKERS_DEV}/spring`)).status).toBe(302);
    for (const path of ["/spring", "/api/health", "/app"])
      expect((await visit(`https://other.test${path}`)).status).toBe(404);
    const { email } = PERSON;
    const signedIn = await browser().post("/api/auth/sign-in", { email, password: PASSWORD }, { bindings: UNNAMED });
    expect([signedIn.status, signedIn.body]).toMatchObject([200, { user: { email } }]);
    await runCron(Date.now(), UNNAMED);
  });

  it("takes no other host than one of https that is the service's own for good", async () => {
    const unusable = [
      "http://tern.ann.workers.dev",
      "https://tern.ann.workers.dev:8443",
      "https://0a1b2c3d-tern.ann.workers.dev",
    ];
    for (const origin of unusable) expect(await refusal(origin)).toMatchObject([{ code: "unclaimable_origin" }]);
    const { accountId } = await createAccount();
    await env.DB.prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
       VALUES ('d', ?1, 'go.acme.com', 't', 'verified', 1, 1)`,
    )
      .bind(accountId)
      .run();
    expect(await refusal("https://go.acme.com")).toMatchObject([{ code: "unclaimable_origin" }]);
    const ofStrangers = { ...UNNAMED, ANONYMOUS_HOST: "s.example.net" };
    const claimThere = claimWith(
      CODE,
      { origin: "https://s.example.net" },
      ofStrangers,
      browser("https://s.example.net"),
    );
    expect((await claimThere).body["details"]).toMatchObject([{ code: "unclaimable_origin" }]);
    expect(await count("users")).toBe(0);
    // A domain that nobody has proved keeps nobody from the claim.
    await env.DB.prepare("UPDATE domains SET domain = ?1, status = 'pending'")
      .bind(new URL(WORKERS_DEV).hostname)
      .run();
    expect((await claim()).status).toBe(200);
  });

  it("that nobody has claimed is read once in five seconds, and goes on while the database fails", async () => {
    const { key } = await createAccount();
    await createLink(key, { url: "https://example.com/", slug: "printed" });
    const printed = `${WORKERS_DEV}/printed`;
    expect((await visit(printed)).status).toBe(302);
    expect((await measureD1(() => visit(printed))).roundTrips).toBe(0);
    vi.setSystemTime(Date.now() + 6 * SECOND_MS);
    expect((await measureD1(() => visit(printed))).roundTrips).toBe(1);
    vi.setSystemTime(Date.now() + 6 * SECOND_MS);
    await failing("overloaded", async () => expect((await visit(printed)).status).toBe(302));
  });

  it("redirects at the host of the claim while the database fails, and answers 503 where nothing is known", async () => {
    expect((await claim()).status).toBe(200);
    const { key } = await createAccount();
    await createLink(key, { url: "https://example.com/", slug: "printed" });
    const printed = `${WORKERS_DEV}/printed`;
    // Another isolate of the data centre.
    const restart = () => {
      forgetInstallation();
      memoryCache.clear();
    };
    restart();
    expect((await visit(printed)).status).toBe(302);
    restart();
    await failing("overloaded", async () => {
      expect((await visit(printed)).status).toBe(302);
      restart();
      await (await caches.open("installation")).delete("https://installation.cache/origin");
      expect((await visit(printed)).status).toBe(503);
    });
  });
});
