import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { RateLimiter } from "../../../src/index.ts";

type Limiter = DurableObjectStub<RateLimiter>;

/** Ahead of the real time, so that no alarm fires by itself. */
export const START = Date.UTC(2100, 0, 1);

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

export interface Counted {
  /** The name of the limiter, such as the address of a client. */
  name: string;
  operation: string;
  limit: number;
  calls: number;
  keyIsValid?: boolean;
}

/** Counts calls in a limiter, as the same number of requests would. */
export function countCalls({ name, operation, limit, calls, ...options }: Counted): Promise<void> {
  return runInDurableObject(env.RATE_LIMITER.getByName(name), async (limiter) => {
    for (let call = 0; call < calls; call++) await limiter.take(operation, limit, options);
  });
}

/** The storage of the object: the number of its windows, its alarm, and the rows written by this instance. */
export function storageOf(limiter: Limiter) {
  return runInDurableObject(limiter, async (_, { storage }) => ({
    windows: storage.kv.get<Map<string, unknown>>("windows")?.size ?? 0,
    alarm: await storage.getAlarm(),
    rowsWritten: storage.sql.exec<{ rows: number }>("SELECT total_changes() AS rows").one().rows,
  }));
}

/** Runs the alarm at its time, in an object that has lost its memory. */
export async function runDayAlarm(limiter: Limiter): Promise<void> {
  const { alarm } = await storageOf(limiter);
  await evictDurableObject(limiter);
  vi.setSystemTime(Math.max(Number(alarm), Date.now()));
  expect(await runDurableObjectAlarm(limiter)).toBe(true);
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
