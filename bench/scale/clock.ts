// Simulated time for the code of an isolate: nothing happens between two times at which something is due.

interface Timer {
  at: number;
  run: () => void;
}

const realTimeout = globalThis.setTimeout;
let now = 0;
let timers = new Map<number, Timer>();
let lastId = 0;
/** Calls of real objects and databases that have not returned. Time stands still for them. */
const pending = new Set<Promise<unknown>>();

/** Replaces the clock and the timers of this isolate. */
export function startClock(at: number): void {
  now = at;
  timers = new Map();
  Date.now = () => now;
  globalThis.setTimeout = ((run: () => void, ms = 0) => setTimer(ms, run)) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((id: number) => void timers.delete(id)) as unknown as typeof clearTimeout;
  const wait = (ms: number) => new Promise<void>((resolve) => void setTimer(ms, resolve));
  Object.defineProperty(globalThis, "scheduler", { value: { wait }, configurable: true });
}

export function setTimer(ms: number, run: () => void): number {
  timers.set(++lastId, { at: now + ms, run });
  return lastId;
}

/** Counts a call that takes real time. */
export function track<T>(call: Promise<T>): Promise<T> {
  const settled = call.catch(() => undefined).finally(() => pending.delete(settled));
  pending.add(settled);
  return call;
}

/** Lets everything run that is due until this time; Infinity: until nothing is left to do. */
export async function runUntil(time: number): Promise<void> {
  for (;;) {
    const next = Math.min(...Array.from(timers.values(), ({ at }) => at));
    if (next > time || next === Infinity) break;
    now = Math.max(now, next);
    for (const [id, { at, run }] of timers)
      if (at <= now) {
        timers.delete(id);
        run();
      }
    await settle();
  }
  if (time !== Infinity) now = Math.max(now, time);
}

/** Promises that follow from each other within one call, at most. */
const MICROTASKS = 200;

/** Waits until all code waits for simulated time. A timer of zero would do, but takes milliseconds on a busy machine. */
async function settle(): Promise<void> {
  do {
    await Promise.all(pending);
    for (let n = 0; n < MICROTASKS; n++) await Promise.resolve();
  } while (pending.size > 0);
}

/** Gives objects real time for what they do in the background. */
export function waitReally(ms: number): Promise<void> {
  return new Promise((resolve) => void realTimeout(resolve, ms));
}
