import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { RateLimiter } from "../../src/index.ts";
import { HOUR } from "./model.ts";

type Limiter = DurableObjectStub<RateLimiter>;

/** Ahead of the real time, so that no alarm fires by itself. */
export const START = Date.now() + 24 * HOUR;

let lastObject = 0;

/** A new limiter without storage. Fakes the clock, which then stands at {@link START}. */
export function newLimiter(): Limiter {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  lastObject++;
  return env.RATE_LIMITER.getByName(`limiter ${lastObject}`);
}

/** Makes parallel calls. Returns the number of accepted ones. */
export async function takeMany(limiter: Limiter, calls: number, limit: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: calls }, () => limiter.take("read", limit)));
  return decisions.filter(({ allowed }) => allowed).length;
}

/** The storage of the object: its tables, its alarm, and the rows written by this instance. */
export function storageOf(limiter: Limiter) {
  return runInDurableObject(limiter, async (_, { storage }) => ({
    tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray()
      .length,
    alarm: await storage.getAlarm(),
    rowsWritten: storage.sql.exec<{ rows: number }>("SELECT total_changes() AS rows").one().rows,
  }));
}

/** Makes refused calls every second until one brings a penalty. Returns its decision. */
export async function provoke(limiter: Limiter) {
  for (let calls = 0; calls < 20; calls++) {
    vi.setSystemTime(Date.now() + 1_000);
    const decision = await limiter.take("read", 1);
    if (decision.penalised) return decision;
  }
  throw new Error("no penalty came");
}
