/** When a wait is over, such as "in 40 seconds" or "in 3 minutes". Minutes and hours are rounded up, so it is not too early. */
export function describeWait(seconds: number): string {
  if (seconds < 60) return `in ${countOf(seconds, "second")}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `in ${countOf(minutes, "minute")}` : `in ${countOf(Math.ceil(minutes / 60), "hour")}`;
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
