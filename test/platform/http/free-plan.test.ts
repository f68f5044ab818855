import { describe, expect, it, vi } from "vitest";
import { isFreePlanUsedUp, secondsUntilReset } from "../../../src/platform/database/errors.ts";
import { buildRequest, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";

/** As Cloudflare words them: see src/platform/database/errors.ts. */
const OF_DATABASE = [
  "D1_ERROR: Your account has exceeded D1's free tier daily row read limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.",
  "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.",
];
const OF_OBJECTS = [
  "Exceeded allowed rows written in Durable Objects free tier.",
  "Exceeded allowed rows read in Durable Objects free tier.",
  "Exceeded allowed duration in Durable Objects free tier.",
  "Exceeded allowed volume of requests in Durable Objects free tier.",
];

const DAY_SECONDS = 86_400;

async function expectUsedUp(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  const wait = Number(response.headers.get("Retry-After"));
  const untilMidnight = DAY_SECONDS - ((Date.now() / 1_000) % DAY_SECONDS);
  expect(Math.abs(wait - untilMidnight)).toBeLessThan(60);
  const { code, error, details } = await jsonOf<ErrorJson>(response);
  expect([code, details]).toEqual(["unavailable", [{ path: "", code: "free_plan_used_up", message: error }]]);
  expect(error).toMatch(/Workers Free.*00:00 UTC/);
}

describe("an account of Cloudflare that has used up its free plan", () => {
  it.each(OF_DATABASE)("is named when the database says: %s", async (message) => {
    const { key } = await createAccount();
    vi.spyOn(console, "error").mockReturnValue();
    let response = new Response();
    await interceptD1(
      () => Promise.reject(new Error(message)),
      async () => {
        response = await send(buildRequest("GET", "/api/links", { key }));
      },
    );
    await expectUsedUp(response);
  });

  it.each(OF_OBJECTS)("is named by a call that must be counted when objects say: %s", async (message) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const limiter = { getByName: () => ({ take: () => Promise.reject(new Error(message)) }) };
    const bindings = { RATE_LIMITER: limiter as unknown as Env["RATE_LIMITER"] };
    const request = buildRequest("POST", "/api/shorten", { body: { url: "https://example.com/" } });
    await expectUsedUp(await send(request, bindings));
  });

  it("is not named for another failure", async () => {
    const { key } = await createAccount();
    vi.spyOn(console, "error").mockReturnValue();
    let response = new Response();
    await interceptD1(
      () => Promise.reject(new Error("D1_ERROR: no such table: free_tier")),
      async () => {
        response = await send(buildRequest("GET", "/api/links", { key }));
      },
    );
    expect([response.status, (await jsonOf<ErrorJson>(response)).code]).toEqual([500, "internal"]);
  });
});

it("is recognised in what queues say", () => {
  expect(isFreePlanUsedUp(new Error("Queue sendBatch failed: Free tier limit exceeded (10253)"))).toBe(true);
  expect(isFreePlanUsedUp(new Error("Queue sendBatch failed: Too Many Requests (10250)"))).toBe(false);
});

it("the limits of a day begin anew at 00:00 UTC", () => {
  expect(secondsUntilReset(Date.parse("2026-11-30T23:59:00Z"))).toBe(60);
  expect(secondsUntilReset(Date.parse("2026-12-01T00:00:00Z"))).toBe(DAY_SECONDS);
});
