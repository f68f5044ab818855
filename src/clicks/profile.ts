const ORIGIN_DIMENSIONS = ["country", "region", "city", "continent", "referrer", "trigger"] as const;
const CLIENT_DIMENSIONS = ["device", "browser", "os"] as const;

/** The values that a click is counted by, in the order in which a profile holds them. */
export const DIMENSIONS = [...ORIGIN_DIMENSIONS, ...CLIENT_DIMENSIONS] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Profile = Record<Dimension, string> & { bot: boolean };

// JSON writes this control character without an escape sequence. No value contains it.
const SEPARATOR = "\u007f";

/** The first part of a profile: where clicks came from. */
export function originPart(origin: Record<(typeof ORIGIN_DIMENSIONS)[number], string>): string {
  return ORIGIN_DIMENSIONS.map((dimension) => origin[dimension]).join(SEPARATOR);
}

/** The second part of a profile: what clicks were made with. */
export function clientPart(client: Record<(typeof CLIENT_DIMENSIONS)[number], string> & { bot: boolean }): string {
  return [...CLIENT_DIMENSIONS.map((dimension) => client[dimension]), client.bot ? "1" : "0"].join(SEPARATOR);
}

/** All values of a click as one text. Clicks with the same text are counted together. An empty value is unknown. */
export function joinProfile(origin: string, client: string): string {
  return origin + SEPARATOR + client;
}

/** The values of a profile in the order of {@link DIMENSIONS}. The mark of a crawler follows them. */
export function valuesOf(profile: string): string[] {
  return profile.split(SEPARATOR);
}

export function readProfile(text: string): Profile {
  const values = valuesOf(text);
  const entries = DIMENSIONS.map((dimension, index) => [dimension, values[index] ?? ""]);
  return { ...(Object.fromEntries(entries) as Record<Dimension, string>), bot: isBot(text) };
}

/** Whether it is the profile of a crawler, or the client part of one. Crawlers are counted apart. */
export function isBot(text: string): boolean {
  return text.endsWith("1");
}
