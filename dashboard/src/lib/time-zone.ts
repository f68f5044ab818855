import { lazily } from "./format.ts";

/** Conversions between Unix milliseconds and the text of a `datetime-local` control in a time zone. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  return format;
}

/** `2030-01-31T12:00`. The year has four digits, also while a person types its first ones. */
export function toLocalText(at: number, zone: string): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}`;
}

/** The time at which the day `daysLater` after `day` (`2030-01-31`) begins in the browser's time zone. */
export function startOfDay(day: string, daysLater = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}

/** Returns Unix milliseconds, or null for a text that is no time. A time that the clocks skip is taken an hour later. */
export function fromLocalText(text: string, zone: string): number | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

/** Milliseconds by which the zone is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${toLocalText(minute, zone)}Z`) - minute;
}

export const timeZones = lazily((): readonly string[] => [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
]);
