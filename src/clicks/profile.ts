/** What is told of where a click came from, and of what it was made with. */
const ORIGIN = ["country", "region", "city", "continent", "referrer", "trigger"] as const;
const CLIENT = ["device", "browser", "os"] as const;

/** What clicks are told apart by, in this order in a {@link joinProfile}. */
export const DIMENSIONS = [...ORIGIN, ...CLIENT] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Profile = Record<Dimension, string> & { bot: boolean };

// JSON writes it as it is, unlike other control characters. No value has any of them.
const SEPARATOR = "\u007f";

export function originPart(origin: Record<(typeof ORIGIN)[number], string>): string {
  return ORIGIN.map((dimension) => origin[dimension]).join(SEPARATOR);
}

export function clientPart(client: Record<(typeof CLIENT)[number], string> & { bot: boolean }): string {
  return [...CLIENT.map((dimension) => client[dimension]), client.bot ? "1" : "0"].join(SEPARATOR);
}

/** All that is kept of who clicked, as one text: clicks with the same text are counted together. '' is unknown. */
export function joinProfile(origin: string, client: string): string {
  return origin + SEPARATOR + client;
}

export function splitProfile(text: string): { origin: string; client: string } {
  const values = valuesOf(text);
  const [origin, client] = [values.slice(0, ORIGIN.length), values.slice(ORIGIN.length)];
  return { origin: origin.join(SEPARATOR), client: client.join(SEPARATOR) };
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
