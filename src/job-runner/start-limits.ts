/** How often, and how many at once, an account may start something that goes on in the background. */
export interface StartLimits {
  /** Starts in any window of `windowMs`. */
  perWindow: number;
  windowMs: number;
  /** Running at the same time. */
  running: number;
}

export type StartRefusal =
  | { outcome: "too_many_running" }
  /** `waitMs` is the time until another one may be started. */
  | { outcome: "too_many_started"; waitMs: number };

/** Returns why nothing can be started now, or null. `starts` are the times of the starts in the window, the oldest first. */
export function refuseStart(
  { perWindow, windowMs, running }: StartLimits,
  starts: readonly number[],
  unfinished: number,
  now: number,
): StartRefusal | null {
  const oldest = starts[starts.length - perWindow];
  if (oldest !== undefined) return { outcome: "too_many_started", waitMs: oldest + windowMs - now };
  return unfinished >= running ? { outcome: "too_many_running" } : null;
}
