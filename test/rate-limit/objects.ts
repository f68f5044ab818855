import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { RateLimiter } from "../../src/index.ts";
import { HOUR } from "./model.ts";

type Limiter = DurableObjectStub<RateLimiter>;

/** Ahead of the real time, by which alarms fire by themselves. */
export const START = Date.now() + 24 * HOUR;

let lastObject = 0;

/** An object that has stored nothing. The clock, from here on a faked one, stands at {@link START}. */
export function newLimiter(): Limiter {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  lastObject++;
  return env.RATE_LIMITER.getByName(`limiter ${lastObject}`);
}

/** Parallel calls; how many of them were accepted. */
export async function takeMany(limiter: Limiter, calls: number, limit: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: calls }, () => limiter.take("read", limit)));
  return answers.filter(({ allowed }) => allowed).length;
}

/** What the object has stored: its tables, its alarm, and how many rows this instance has written. */
export function storageOf(limiter: Limiter) {
  return runInDurableObject(limiter, async (_, { storage }) => ({
    tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray()
      .length,
    alarm: await storage.getAlarm(),
    rowsWritten: storage.sql.exec<{ rows: number }>("SELECT total_changes() AS rows").one().rows,
  }));
}

/** Refused calls every second until one brings a penalty; its answer. */
export async function provoke(limiter: Limiter) {
  for (let calls = 0; calls < 20; calls++) {
    vi.setSystemTime(Date.now() + 1_000);
    const decision = await limiter.take("read", 1);
    if (decision.penalised) return decision;
  }
  throw new Error("no penalty came");
}
