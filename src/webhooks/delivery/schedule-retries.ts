import type { Backoff } from "../store/state.ts";

/** Sends wake-ups for the next attempts and, if the circuit is open, for the first delivery that may be sent then. */
export async function scheduleRetries(
  { status, resumeAt, nextDueAt }: Backoff,
  retryTimes: readonly number[],
  wakeUp: (delayMs: number) => Promise<unknown>,
): Promise<void> {
  if (status !== "active") return;
  const times = new Set(retryTimes.map((time) => Math.max(time, resumeAt ?? 0)));
  if (resumeAt !== null && nextDueAt !== null) times.add(Math.max(nextDueAt, resumeAt));
  for (const time of times) await wakeUp(Math.max(0, time - Date.now()));
}
