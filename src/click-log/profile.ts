const ORIGIN_DIMENSIONS = ["country", "region", "city", "continent", "referrer", "source", "trigger"] as const;
const TARGET_DIMENSIONS = ["target", "utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"] as const;
const CLIENT_DIMENSIONS = ["device", "browser", "os"] as const;

type OriginDimension = (typeof ORIGIN_DIMENSIONS)[number];
type TargetDimension = (typeof TARGET_DIMENSIONS)[number];
type ClientDimension = (typeof CLIENT_DIMENSIONS)[number];

/** The parts of a profile with the dimensions that each holds. */
export const PART_DIMENSIONS = {
  origin: ORIGIN_DIMENSIONS,
  target: TARGET_DIMENSIONS,
  client: CLIENT_DIMENSIONS,
} as const;
export type ProfilePart = keyof typeof PART_DIMENSIONS;

/** The values that a click is counted by. */
export const DIMENSIONS = [...ORIGIN_DIMENSIONS, ...TARGET_DIMENSIONS, ...CLIENT_DIMENSIONS] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The values of a click. An empty value is unknown. */
export type Profile = Record<Dimension, string> & { targetUrl: string; bot: boolean };

/** The value of the dimension `target` for a link's own destination. Other targets have the name that the redirect gave. */
export const DEFAULT_TARGET = "default";

// JSON writes this control character without an escape sequence. No value contains it.
const SEPARATOR = "\u007f";

/** The first part of a profile: where clicks came from. */
export function originPart(origin: Record<OriginDimension, string>): string {
  return ORIGIN_DIMENSIONS.map((dimension) => origin[dimension]).join(SEPARATOR);
}

/** The second part of a profile: where clicks led to. */
export function targetPart(target: Record<TargetDimension, string>, url: string): string {
  return [...TARGET_DIMENSIONS.map((dimension) => target[dimension]), url].join(SEPARATOR);
}

/** The third part of a profile: what clicks were made with. */
export function clientPart(client: Record<ClientDimension, string> & { bot: boolean }): string {
  return [...CLIENT_DIMENSIONS.map((dimension) => client[dimension]), client.bot ? "1" : "0"].join(SEPARATOR);
}

/** The values of one part in the order of {@link PART_DIMENSIONS}. In a target its URL follows, in a client the mark of a crawler. */
export function valuesOf(part: string): string[] {
  return part.split(SEPARATOR);
}

/** All values of a click as one text. */
export function joinProfile(origin: string, target: string, client: string): string {
  return [origin, target, client].join(SEPARATOR);
}

// By name and not by the lists above: this runs for each click of a file, and is three times as fast.
export function readProfile(text: string): Profile {
  const [country = "", region = "", city = "", continent = "", referrer = "", source = "", trigger = "", ...others] =
    valuesOf(text);
  const [target = "", utmSource = "", utmMedium = "", utmCampaign = "", utmTerm = "", utmContent = "", targetUrl = ""] =
    others;
  const [device = "", browser = "", os = ""] = others.slice(TARGET_DIMENSIONS.length + 1);
  return {
    country,
    region,
    city,
    continent,
    referrer,
    source,
    trigger,
    target,
    utmSource,
    utmMedium,
    utmCampaign,
    utmTerm,
    utmContent,
    targetUrl,
    device,
    browser,
    os,
    bot: isBot(text),
  };
}

/** Whether it is the profile of a crawler, or the client part of one. Crawlers are counted apart. */
export function isBot(text: string): boolean {
  return text.endsWith("1");
}

// Storage has '' for an unknown value; the wire has a word.

export function wordForUnknown(dimension: Dimension): string {
  if (dimension === "referrer" || dimension === "source") return "direct";
  return dimension.startsWith("utm") ? "none" : "unknown";
}
