import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { Batch } from "../../../src/platform/database/batch.ts";
import { countCreated, isOverCreationLimit, readCreationTimes } from "../../../src/access/usage/store.ts";
import { mostInAMinute } from "../../platform/rate-limit/model.ts";
import { buildRequest, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";

const LIMIT = 100;
const BINDINGS = { ACCOUNT_LINKS_PER_MINUTE: String(LIMIT) } as Partial<Env>;

// Later in each test, because the isolate remembers refusals.
let clock = Math.floor(Date.now() / 1_000) * 1_000;
let account: { accountId: number; key: string };
beforeEach(async () => {
  clock += 3_600_000;
  vi.useFakeTimers({ toFake: ["Date"], now: clock });
  account = await createAccount();
});

async function create(body: object = {}, headers: Record<string, string> = {}) {
  const options = { key: account.key, headers, body: { url: "https://example.com/", ...body } };
  const response = await send(buildRequest("POST", "/api/links", options), BINDINGS);
  const retryAfter = Number(response.headers.get("Retry-After"));
  return { status: response.status, retryAfter, body: await jsonOf<ErrorJson>(response) };
}

const times = () => readCreationTimes(env.DB, account.accountId);

/** Lets the account have created this number of links at the present time. */
function haveCreated(links: number): Promise<unknown> {
  return env.DB.prepare("UPDATE account_usage SET recent_links = json_object(?2, ?3) WHERE account_id = ?1")
    .bind(account.accountId, String(Date.now()), links)
    .run();
}

/** Counts links at a time, as a transaction that stores them. Returns whether it was accepted. */
async function count(links: number, perMinute: number, now: number): Promise<boolean> {
  const batch = new Batch(env.DB);
  countCreated(batch, "SELECT ?1 AS account_id, ?2 AS links, 0 AS bytes WHERE true", [account.accountId, links], {
    perMinute,
    now,
  });
  try {
    await batch.commit();
    return true;
  } catch (error) {
    if (isOverCreationLimit(error)) return false;
    throw error;
  }
}

it("accepts at most the limit in any 60 seconds, also if calls are stored in another order than they began", async () => {
  const call = fc.tuple(
    fc.integer({ min: 0, max: 30_000 }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 1, max: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 5, maxLength: 25 }),
      fc.integer({ min: 4, max: 12 }),
      async (calls, limit) => {
        await env.DB.prepare("UPDATE account_usage SET recent_links = '{}'").run();
        const accepted: number[] = [];
        let latest = clock;
        for (const [gap, delay, links] of calls) {
          latest += gap;
          const now = latest - delay;
          const second = now - (now % 1_000);
          const inWindow = accepted.filter((time) => time > now - 60_000).length;
          const isAccepted = await count(links, limit, now);
          expect(isAccepted).toBe(inWindow + links <= limit);
          if (isAccepted) accepted.push(...Array.from({ length: links }, () => second));
        }
        expect(mostInAMinute(accepted)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 40 },
  );
});

it("keeps what matters, and not more", async () => {
  expect(await count(2, LIMIT, clock)).toBe(true);
  expect(await count(1, LIMIT, clock + 999)).toBe(true);
  expect(await count(1, LIMIT, clock + 119_999)).toBe(true);
  expect(await times()).toEqual([clock, clock, clock, clock + 119_000]);
  expect(await count(1, LIMIT, clock + 120_000)).toBe(true);
  expect(await times()).toEqual([clock + 119_000, clock + 120_000]);
});

it("counts the last link of a window once if the response of the database is lost", async () => {
  await haveCreated(LIMIT - 1);
  const sent = await loseFirstResponse("INSERT INTO links", async () => expect((await create()).status).toBe(201));
  expect(sent).toBe(2);
  expect(await times()).toHaveLength(LIMIT);
  expect((await create()).status).toBe(429);
});

it("counts neither links that are not stored nor repeated requests", async () => {
  await haveCreated(LIMIT - 1);
  const headers = { "Idempotency-Key": "once" };
  expect((await create({ slug: "taken" }, headers)).status).toBe(201);
  expect((await create({ slug: "taken" }, headers)).status).toBe(201);
  expect(await times()).toHaveLength(LIMIT);
  expect((await create({ slug: "taken" })).status).toBe(409);
  expect(await times()).toHaveLength(LIMIT);
});

it("does not ask the database for a link while it knows that there are too many", async () => {
  await haveCreated(LIMIT);
  vi.setSystemTime(clock + 20_000);
  expect(await create()).toMatchObject({ status: 429, retryAfter: 40, body: { code: "rate_limited" } });
  vi.setSystemTime(clock + 30_000);
  const { statements, rowsWritten } = await measureD1(async () => {
    expect(await create()).toMatchObject({ status: 429, retryAfter: 30 });
  });
  expect(statements.filter((sql) => !sql.includes("api_keys"))).toEqual([]);
  expect(rowsWritten).toBe(0);
  vi.setSystemTime(clock + 60_000);
  expect((await create()).status).toBe(201);
});

it("says that the limit is exceeded before it says that the quota is", async () => {
  await haveCreated(LIMIT);
  await env.DB.prepare("UPDATE account_usage SET max_links = 0").run();
  expect((await create()).status).toBe(429);
  vi.setSystemTime(clock + 60_000);
  expect((await create()).body).toMatchObject({ code: "quota_exceeded" });
});
