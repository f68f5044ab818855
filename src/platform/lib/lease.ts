/** The end of a lease of `durationMs`. It begins at the present time: a job may run long after `now`, for which it was scheduled. */
export function leaseEnd(now: number, durationMs: number): number {
  return Math.max(now, Date.now()) + durationMs;
}
