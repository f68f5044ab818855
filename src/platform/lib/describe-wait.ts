/** A wait as people say it. Minutes and hours are rounded up, so it does not end too early. */
interface Wait {
  count: number;
  unit: "second" | "minute" | "hour";
}

export function toWait(seconds: number): Wait {
  if (seconds < 60) return { count: seconds, unit: "second" };
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? { count: minutes, unit: "minute" } : { count: Math.ceil(seconds / 3600), unit: "hour" };
}

/** When a wait is over, such as "in 40 seconds" or "in 3 minutes". */
export function describeWait(seconds: number): string {
  const { count, unit } = toWait(seconds);
  return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}
