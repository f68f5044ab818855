/** What clicks are told apart by. In this order in a {@link toProfile}. */
export const DIMENSIONS = [
  "country",
  "region",
  "city",
  "continent",
  "device",
  "browser",
  "os",
  "referrer",
  "trigger",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Profile = Record<Dimension, string> & { bot: boolean };

// JSON writes it as it is, unlike other control characters. No value has any of them.
const SEPARATOR = "\u007f";

/** All that is kept of who clicked, as one text: clicks with the same text are counted together. '' is unknown. */
export function toProfile(profile: Profile): string {
  const { country, region, city, continent, device, browser, os, referrer, trigger, bot } = profile;
  // In the order of DIMENSIONS, written out since every click comes here.
  const values = [country, region, city, continent, device, browser, os, referrer, trigger, bot ? "1" : "0"];
  return values.join(SEPARATOR);
}

/** The values of a profile, in the order of DIMENSIONS; what comes after them is none of them. */
export function valuesOf(text: string): string[] {
  return text.split(SEPARATOR);
}

export function readProfile(text: string): Profile {
  const values = valuesOf(text);
  const entries = DIMENSIONS.map((dimension, index) => [dimension, values[index] ?? ""]);
  return { ...(Object.fromEntries(entries) as Record<Dimension, string>), bot: isBot(text) };
}

/** Whether the profile is a crawler's, which is kept apart from all others. */
export function isBot(text: string): boolean {
  return text.endsWith("1");
}
