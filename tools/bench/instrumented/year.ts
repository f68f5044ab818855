export const DAY_MS = 86_400_000;
/** Noon of a day in the future, so that no alarm goes off by itself. */
export const NOW = Math.floor(Date.now() / DAY_MS + 1_000) * DAY_MS + DAY_MS / 2;
export const YEAR_DAYS = 365;

interface Day {
  /** First and last millisecond; `until` is not after `NOW`. */
  from: number;
  until: number;
  /** The day's share of the clicks. */
  clicks: number;
}

/** Calls `fill` for each day of the year before `end`, from the oldest to the newest. */
export async function eachDayOfYear(
  end: number,
  clicks: number,
  fill: (day: Day, index: number) => Promise<void>,
): Promise<void> {
  const clicksUntil = (days: number) => Math.round((clicks * days) / YEAR_DAYS);
  for (let index = 0; index < YEAR_DAYS; index++) {
    const from = end - (YEAR_DAYS - index) * DAY_MS;
    const until = Math.min(from + DAY_MS - 1, NOW);
    await fill({ from, until, clicks: clicksUntil(index + 1) - clicksUntil(index) }, index);
  }
}
