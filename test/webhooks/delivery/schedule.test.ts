import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { Batch } from "../../../src/platform/database/batch.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { retryDelays, toResult } from "../../../src/webhooks/delivery/schedule.ts";
import { countFailure, countSuccess, type Failure } from "../../../src/webhooks/store/health.ts";
import { updateWebhook } from "../../../src/webhooks/store/change.ts";
import { changeBy } from "../../support/accounts.ts";
import { accountId, key, service, START, startService } from "../support.ts";
import { afterDeactivation, afterFailure, afterSuccess, healthy, type Health } from "./health-model.ts";

const STEPS = [5, 30, 120, 600, 3_600, 10_800, 28_800].map((seconds) => seconds * 1_000);
const failure: Failure = { delays: STEPS, gone: false, maxFailures: 20 };

describe("the retry schedule", () => {
  it("has steps with a jitter of at most a tenth, extended to Retry-After up to a day", () => {
    expect(retryDelays(0, null)).toEqual(STEPS);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.option(fc.nat(1e9)), (random, asked) => {
        const day = 86_400_000;
        for (const [n, delay] of retryDelays(random, asked).entries()) {
          const step = STEPS[n] ?? 0;
          expect(delay).toBeGreaterThanOrEqual(Math.max(step, Math.min(asked ?? 0, day)));
          expect(delay).toBeLessThanOrEqual(Math.max(Math.ceil(step * 1.1), Math.min(asked ?? 0, day)));
        }
      }),
    );
  });

  it("has eight attempts per delivery", () => {
    const record = { at: START, status: 500, statusText: "", durationMs: 0 };
    const rules = { now: START, random: 0, maxFailures: 20 };
    const times = Array.from({ length: 9 }, (_, failedBefore) => {
      const { failure } = toResult({ ok: false, record, retryAfterMs: null, responseBody: null }, failedBefore, rules);
      expect(failure?.step).toBe(failedBefore + 1);
      return failure?.nextAttemptAt;
    });
    expect(times).toEqual([...STEPS.map((step) => START + step), null, null]);
  });
});

describe("the model of a webhook's health", () => {
  it("opens the circuit at the fifth failure and disables at the twentieth, or at once for 410", () => {
    let health = healthy;
    const waits: (number | null)[] = [];
    for (let n = 0; n < 20; n++) {
      expect(health.status).toBe("active");
      health = afterFailure(health, failure, health.strikes, START);
      waits.push(health.resumeAt === null ? null : health.resumeAt - START);
    }
    expect(waits).toEqual([null, null, null, null, ...STEPS, ...Array.from({ length: 9 }, () => 28_800_000)]);
    expect(health).toMatchObject({
      status: "inactive",
      disabledReason: "failures",
      disabledAt: START,
      failureCount: 20,
    });
    expect(afterFailure(healthy, { ...failure, gone: true }, 0, START)).toMatchObject({
      status: "inactive",
      disabledReason: "gone",
    });
  });

  it("doubles the attempts in flight while they succeed, up to 25, and takes failures in flight together as one", () => {
    let health = healthy;
    const limits: number[] = [];
    for (let round = 0; round < 6; round++) {
      limits.push(health.inFlightLimit);
      const { inFlightLimit, strikes } = health;
      for (let n = 0; n < inFlightLimit; n++) health = afterSuccess(health, strikes);
    }
    expect(limits).toEqual([1, 2, 4, 8, 16, 25]);
    for (let n = 0; n < 25; n++) health = afterFailure(health, failure, 0, START);
    expect(health).toMatchObject({ failureCount: 25, strikes: 1, inFlightLimit: 1, resumeAt: null, status: "active" });
  });
});

describe("a webhook's health in the database", () => {
  let id: string;
  beforeEach(async () => {
    await startService();
    ({ id } = await service.createWebhook(key));
  });

  /** `age`: the results that came since the attempt was started, at most; its strikes are those of that time. */
  type Change =
    | { kind: "success"; age: number }
    | { kind: "failure"; gone: boolean; maxFailures: number; delays: number[]; age: number }
    | { kind: "activate" }
    | { kind: "deactivate" };

  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("failure" as const),
        gone: fc.constantFrom(true, ...Array.from({ length: 20 }, () => false)),
        maxFailures: fc.constantFrom(3, 20, 20, 20),
        delays: fc.double({ min: 0, max: 1, noNaN: true }).map((random) => retryDelays(random, null)),
        age: fc.nat(3),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("success" as const), age: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constantFrom<Change>({ kind: "activate" }, { kind: "deactivate" }) },
  );

  const unrecorded = (strikes: number) => ({ webhookId: id, eventId: newId(START), lease: null, strikes });

  async function run(add: (batch: Batch) => void): Promise<void> {
    const batch = new Batch(env.DB);
    add(batch);
    await batch.commit();
  }

  async function apply(each: Change, strikes: number, now: number): Promise<void> {
    if (each.kind === "success") await run((batch) => countSuccess(batch, unrecorded(strikes), now));
    else if (each.kind === "failure") await run((batch) => countFailure(batch, unrecorded(strikes), each, now));
    else
      await updateWebhook(
        env.DB,
        changeBy(accountId, undefined, now),
        id,
        { status: each.kind === "activate" ? "active" : "inactive" },
        [],
      );
  }

  function model(health: Health, each: Change, strikes: number, now: number): Health {
    if (each.kind === "success") return afterSuccess(health, strikes);
    if (each.kind === "failure") return afterFailure(health, each, strikes, now);
    return each.kind === "activate" ? healthy : afterDeactivation(health, now);
  }

  async function stored(): Promise<Health> {
    return (await env.DB.prepare(
      `SELECT status, disabled_reason AS disabledReason, disabled_at AS disabledAt, failure_count AS failureCount, strikes,
         in_flight_limit AS inFlightLimit, resume_at AS resumeAt FROM webhooks WHERE id = ?1`,
    )
      .bind(id)
      .first()) as unknown as Health;
  }

  it("equals the model after any sequence of changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        await apply({ kind: "deactivate" }, 0, START);
        await apply({ kind: "activate" }, 0, START);
        const past = [healthy];
        for (const [n, each] of changes.entries()) {
          const health = past.at(-1) ?? healthy;
          const strikes = past.at("age" in each ? -1 - each.age : -1)?.strikes ?? health.strikes;
          await apply(each, strikes, START + n);
          past.push(model(health, each, strikes, START + n));
          expect(await stored()).toEqual(past.at(-1));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("takes each of 40 concurrent changes as a change of the state before it", async () => {
    await env.DB.prepare("CREATE TABLE history (n INTEGER PRIMARY KEY, state TEXT)").run();
    await env.DB.prepare(
      `CREATE TRIGGER remember AFTER UPDATE ON webhooks BEGIN
         INSERT INTO history (state) VALUES (json_object('status', NEW.status, 'disabledReason', NEW.disabled_reason,
           'disabledAt', NEW.disabled_at, 'failureCount', NEW.failure_count, 'strikes', NEW.strikes,
           'inFlightLimit', NEW.in_flight_limit, 'resumeAt', NEW.resume_at));
       END`,
    ).run();
    const failing: Change = { kind: "failure", gone: false, maxFailures: 20, delays: STEPS, age: 0 };
    const kinds: Change[] = [
      { kind: "success", age: 0 },
      failing,
      failing,
      failing,
      { kind: "activate" },
      { kind: "deactivate" },
    ];
    const changes = Array.from({ length: 40 }, (_, n) => kinds[(n * 7) % 6] as Change);
    await Promise.all(changes.map((each) => apply(each, 0, START)));
    const { results } = await env.DB.prepare("SELECT state FROM history ORDER BY n").all<{ state: string }>();
    const states = results.map(({ state }) => JSON.parse(state) as Health);
    expect(states).toHaveLength(40);
    let before = healthy;
    let failures = 0;
    for (const after of states) {
      const possible = kinds.filter((each) => JSON.stringify(model(before, each, 0, START)) === JSON.stringify(after));
      expect(possible.length, JSON.stringify([before, after])).toBeGreaterThan(0);
      if (after.failureCount === before.failureCount + 1) failures++;
      before = after;
    }
    expect(failures).toBe(changes.filter(({ kind }) => kind === "failure").length);
    expect(await stored()).toEqual(before);
  });

  it("counts 40 concurrent failures, of which each round of the same strikes is one, and is disabled once", async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        apply({ kind: "failure", gone: false, maxFailures: 20, delays: STEPS, age: 0 }, Math.floor(n / 2), START + n),
      ),
    );
    expect(await stored()).toMatchObject({
      failureCount: 40,
      strikes: 20,
      status: "inactive",
      disabledReason: "failures",
    });
  });

  it("counts a result once, and only under its lease", async () => {
    const eventId = newId(START);
    const insert = `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, lease, created_at)
      VALUES (?1, ?2, 'link.create', 'pending', 1, 'mine', 0)`;
    const record = (lease: string | null) =>
      run((batch) => countFailure(batch, { webhookId: id, eventId, lease, strikes: 0 }, failure, START));
    await record("mine");
    expect((await stored()).failureCount).toBe(0);
    await record(null);
    expect((await stored()).failureCount).toBe(1);
    await env.DB.prepare(insert).bind(id, eventId).run();
    await record("another's");
    await record(null);
    expect((await stored()).failureCount).toBe(1);
    await record("mine");
    expect((await stored()).failureCount).toBe(2);
  });
});
