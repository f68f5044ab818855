import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import type { Utm } from "../../../src/links/fields.ts";
import type { TagColor } from "../../../src/links/tags/colors.ts";

// The sample is that of a coffee roaster with cafés and a shop, which had an open day. All its hosts are reserved names.

/** The custom domain of the sample. */
export const SAMPLE_DOMAIN = "go.alder.example";

export const SAMPLE_COMPANY = "Alder Coffee";
export const SAMPLE_PERSON = "Mara Lind";

/** The age of the sample, in days. */
export const SAMPLE_DAYS = 56;

/** How many days ago the open day was: on a Saturday, from 3 to 9 days ago. */
export function eventDaysAgo(now: number): number {
  return 3 + ((new Date(now).getUTCDay() + 5) % 7);
}

export const CAMPAIGN = "open-day";

export const TAG_COLORS: Record<string, TagColor> = {
  "open day": "orange",
  shop: "teal",
  cafés: "green",
  guides: "purple",
  newsletter: "blue",
  social: "pink",
  print: "yellow",
  press: "gray",
};

export const UTM_TEMPLATES: Record<string, Utm> = {
  "Open day: newsletter": { source: "newsletter", medium: "email", campaign: CAMPAIGN },
  "Open day: poster": { source: "poster", medium: "print", campaign: CAMPAIGN },
};

/** Notes of the charts, at nine in the morning. */
export const notesAt = (now: number): [daysAgo: number, text: string][] => [
  [20, "Open day announced"],
  [eventDaysAgo(now), "Open day"],
];

/** When the morning of a day was, in UTC. */
export const morningOf = (daysAgo: number, now: number) => (Math.floor(now / DAY_MS) - daysAgo) * DAY_MS + 9 * HOUR_MS;
