import { MINUTE_MS } from "../../limits.ts";
import { timeZoneOf } from "./time-zone.ts";

/** Clocks change at quarter hours of UTC only. */
const STEP_MS = 15 * MINUTE_MS;

/**
 * Returns what writes a time (Unix milliseconds) in ISO 8601 with the offset of the time zone, such as
 * `2026-09-21T16:13:20.000+02:00`; in UTC with `Z`. The name must be one that `isTimeZone` accepts.
 */
export function localTimeFormat(timezone: string): (time: number) => string {
  if (timezone.toUpperCase() === "UTC") return (time) => new Date(time).toISOString();
  const zone = timeZoneOf(timezone);
  // Times of one file are close to each other, and reading an offset is slow.
  let step = Number.NaN;
  let offset = 0;
  return (time) => {
    const current = Math.floor(time / STEP_MS);
    if (current !== step) {
      step = current;
      offset = zone.offsetAt(time);
    }
    return new Date(time + offset).toISOString().replace("Z", offsetText(offset));
  };
}

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / MINUTE_MS));
  const digits = [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, "0"));
  return `${offset < 0 ? "-" : "+"}${digits.join(":")}`;
}
