import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newSetupCode } from "../../../src/identity/setup/code.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, buildRequest, send } from "../../support/api.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, signUp, statusOf } from "../people/support.ts";
import { claimWith, CODE, count, PERSON, readService, unclaim } from "./support.ts";

const SECRET = "a quiet secret of the deploy button, 128 bits";

beforeEach(async () => {
  await internet.reset();
  await unclaim();
});

/** What Time Travel to a time before the first person does. */
async function deletePersons(): Promise<void> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all<{
    name: string;
  }>();
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)));
  const tables = [
    "operators",
    "operator_entries",
    "sessions",
    "memberships",
    "account_usage",
    "audit_entries",
    "accounts",
  ];
  await env.DB.batch(
    ["PRAGMA defer_foreign_keys = ON", ...[...tables, "users"].map((table) => `DELETE FROM ${table}`)].map((sql) =>
      env.DB.prepare(sql),
    ),
  );
}

describe("a new installation", () => {
  it("leads its home page to the page that claims it, and says so to pages", async () => {
    const home = await send(buildRequest("GET", "/"));
    expect([home.status, home.headers.get("Location"), home.headers.get("Cache-Control")]).toEqual([
      302,
      "/app/claim",
      "no-store",
    ]);
    const response = await new Browser().get("/api/service");
    expect(response.body["service"]).toMatchObject({ claimed: false, signUp: "closed" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const page = await send(buildRequest("GET", "/app/claim"));
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
  });

  it("has no sign-up, so that no stranger becomes the first person", async () => {
    const reply = await new Browser().post("/api/auth/sign-up", PERSON, { bindings: { SIGN_UP: "open" } });
    expect([reply.status, reply.body]).toMatchObject([503, { details: [{ code: "unclaimed" }] }]);
    expect(await count("users")).toBe(0);
  });
});

describe("a claim", () => {
  it("makes the first person, who owns an account, is an operator, and is signed in; then the code is over", async () => {
    const browser = new Browser();
    const { status, body, headers } = await claimWith(CODE, {}, {}, browser);
    expect([status, body]).toMatchObject([200, { user: { email: PERSON.email }, session: { current: true } }]);
    expect(JSON.stringify([body, [...headers]])).not.toContain(CODE);
    expect(await statusOf(browser)).toBe(200);
    expect((await browser.get("/api/auth/session")).body["accounts"]).toMatchObject([
      { kind: "personal", role: "owner" },
    ]);
    expect(await env.DB.prepare("SELECT user_id FROM operators").first("user_id")).toBe(
      (body["user"] as { id: string }).id,
    );
    expect(await count("operator_entries")).toBe(1);
    expect(await readService()).toMatchObject({ claimed: true });
    expect((await send(buildRequest("GET", "/"))).status).toBe(200);

    const again = await claimWith(CODE, { email: "eve@example.com" });
    expect([again.status, again.body]).toMatchObject([409, { details: [{ code: "already_claimed" }] }]);
    expect(await count("users")).toBe(1);
  });

  it("reads the code as people type it", async () => {
    expect((await claimWith(" 8q2nv tok4dm9xbc IRZWH6ypg3f ")).status).toBe(200);
  });

  it("succeeds once of forty at the same time", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => claimWith(CODE, { email: `ann${n}@example.com` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => ![200, 400, 409, 503].includes(status))).toEqual([]);
    expect([await count("users"), await count("accounts"), await count("operators")]).toEqual([1, 1, 1]);
  });

  it("is made once if the response of the database is lost", async () => {
    let reply = { status: 0 };
    const sent = await loseFirstResponse("UPDATE installation", async () => {
      reply = await claimWith(CODE);
    });
    expect([sent, reply.status, await count("users"), await count("sessions")]).toEqual([2, 200, 1, 1]);
  });

  it.each([
    ["another code", () => claimWith(newSetupCode()), "wrong_setup_code"],
    ["a code without letters", () => claimWith("--- ---"), "wrong_setup_code"],
    ["a short secret", () => claimWith("hunter2", {}, { SETUP_CODE: "hunter2" }), "wrong_setup_code"],
    ["the secret, while a code was made", () => claimWith(SECRET, {}, { SETUP_CODE: SECRET }), "wrong_setup_code"],
  ])("is refused with %s", async (_, claim, code) => {
    const { status, body } = await claim();
    expect([status, body["details"]]).toMatchObject([400, [{ path: "code", code }]]);
    expect(await count("users")).toBe(0);
    expect((await claimWith(CODE)).status).toBe(200);
  });

  it("refuses a weak password and a wrong body, and the code still counts", async () => {
    expect((await claimWith(CODE, { password: "password1234" })).body["details"]).toMatchObject([{ path: "password" }]);
    expect((await claimWith(CODE, { email: "nobody" })).status).toBe(400);
    expect((await claimWith(CODE, { code: { $ne: "" } })).status).toBe(400);
    expect((await claimWith("x".repeat(300))).status).toBe(400);
    expect((await claimWith(CODE)).status).toBe(200);
  });

  it("counts the secret of the deploy button, if no code was made", async () => {
    await unclaim(null);
    expect((await claimWith(SECRET)).body["details"]).toMatchObject([{ code: "ended_setup_code" }]);
    expect((await claimWith("hunter2", {}, { SETUP_CODE: "hunter2" })).body["details"]).toMatchObject([
      { code: "ended_setup_code" },
    ]);
    expect((await claimWith(SECRET, {}, { SETUP_CODE: SECRET })).status).toBe(200);
  });

  it("comes from a page of the service, whatever else the request has", async () => {
    for (const headers of [{ Origin: "https://evil.test" }, { Origin: "null" }, { Origin: `${BASE_URL}:8443` }]) {
      const reply = await new Browser().post("/api/claim", { ...PERSON, code: CODE }, { headers });
      expect([reply.status, reply.body["code"]]).toEqual([403, "cross_site"]);
    }
    const form = await send(
      buildRequest("POST", "/api/claim", {
        body: new URLSearchParams({ ...PERSON, code: CODE }).toString(),
        headers: { Origin: BASE_URL, "Content-Type": "application/x-www-form-urlencoded" },
      }),
    );
    expect(form.status).toBe(415);
    expect(await count("users")).toBe(0);
  });

  it("takes over no session that the browser has", async () => {
    await unclaim();
    await env.DB.prepare("UPDATE installation SET claimed_at = 1").run();
    const { browser, userId } = await signUp();
    await env.DB.prepare("DELETE FROM sessions").run();
    const former = browser.session;
    await unclaim();
    // A person exists, so the installation is claimed although its row says no.
    expect((await claimWith(CODE, {}, {}, browser)).status).toBe(409);
    expect([browser.session === former, await count("users"), userId.length]).toEqual([true, 1, 36]);
  });
});

describe("the time of a setup code", () => {
  const details = [{ code: "ended_setup_code" }];

  it("is seven days by the clock of the database, and does not begin again when a clock is set back", async () => {
    await unclaim(CODE, 7 * DAY_MS);
    expect((await claimWith(CODE)).body["details"]).toMatchObject(details);
    // The code has ended for good: the row no longer says when it was made.
    expect(await env.DB.prepare("SELECT code_made_at FROM installation").first("code_made_at")).toBe(0);
    await unclaim(CODE, -HOUR_MS);
    expect((await claimWith(CODE)).body["details"]).toMatchObject(details);
    // The clock of the Worker does not matter.
    await unclaim(CODE, 7 * DAY_MS - MINUTE_MS);
    vi.setSystemTime(Date.now() + 30 * DAY_MS);
    expect((await claimWith(CODE)).status).toBe(200);
  });

  it("of the secret begins with the database", async () => {
    await unclaim(null, 7 * DAY_MS);
    expect((await claimWith(SECRET, {}, { SETUP_CODE: SECRET })).body["details"]).toMatchObject(details);
  });

  it("is over after a claim, also in a database that is restored to before it, and for codes that were replaced", async () => {
    const codes = [CODE, newSetupCode()];
    expect((await claimWith(CODE)).status).toBe(200);
    await deletePersons();
    await env.DB.prepare("UPDATE installation SET claimed_by = NULL").run();
    for (const code of codes) {
      await unclaim(code, MINUTE_MS);
      expect((await claimWith(code)).body["details"]).toMatchObject(details);
    }
    await unclaim(null, MINUTE_MS);
    expect((await claimWith(SECRET, {}, { SETUP_CODE: SECRET })).body["details"]).toMatchObject(details);
    // The operator makes another.
    const next = newSetupCode();
    await unclaim(next);
    expect((await claimWith(next)).status).toBe(200);
  });
});

describe("guesses", () => {
  it("wait after the first ones of a minute, from whatever address they come, and lock nobody out", async () => {
    const waits = vi.spyOn(scheduler, "wait").mockResolvedValue();
    const guess = () => {
      const browser = new Browser();
      browser.address = freshAddress();
      return claimWith(newSetupCode(), {}, {}, browser);
    };
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(400);
    expect(waits.mock.calls.filter(([ms]) => ms === 5_000)).toHaveLength(0);
    for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(400);
    expect(waits.mock.calls.filter(([ms]) => ms === 5_000)).toHaveLength(5);
    expect((await claimWith(CODE)).status).toBe(200);
  });

  it("of one address are few", async () => {
    const browser = new Browser();
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await claimWith(newSetupCode(), {}, {}, browser)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it("are slow while the limiter does not respond, and do not lock the owner out", async () => {
    const { RATE_LIMITER } = env;
    const getByName = (name: string) => {
      const limiter = RATE_LIMITER.getByName(name);
      return {
        take: () => Promise.reject(new Error("no limiter")),
        lastClaimAt: () => limiter.lastClaimAt(),
        recordClaim: (at: number) => limiter.recordClaim(at),
      };
    };
    const waits = vi.spyOn(scheduler, "wait").mockResolvedValue();
    expect((await claimWith(CODE, {}, { RATE_LIMITER: { getByName } })).status).toBe(200);
    expect(waits.mock.calls.filter(([ms]) => ms === 5_000)).toHaveLength(1);
  });
});
