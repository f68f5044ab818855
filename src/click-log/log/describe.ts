import { getDomain } from "tldts-icann";
import { memoize } from "../../platform/lib/memoize.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import { QR_TRIGGER } from "../capture/click.ts";
import type { MessageTarget } from "../capture/message.ts";
import { DEFAULT_TARGET, originPart, targetPart, type Dimension, wordForUnknown } from "../profile.ts";
import { MAX_STORED_URL_CHARS } from "../limits.ts";

// The parts of a profile from what a redirect captured.

/** `origin` is that of a message. */
export function describeOrigin(origin: string): string {
  const [referrer = "", country = "", region = "", city = "", continent = "", trigger = ""] = origin.split("\n");
  const knownCountry = country === "XX" ? "" : country;
  const { host, site } = referrer === "" ? NO_REFERRER : readReferrer(referrer);
  return originPart({
    country: knownCountry,
    region: knownCountry !== "" && REGION_CODE.test(region) ? `${knownCountry}-${region}` : valueOf("region", region),
    city: valueOf("city", city),
    continent,
    referrer: host,
    source: site,
    trigger: trigger === String(QR_TRIGGER) ? "qr" : "link",
  });
}

export function describeTarget({ name, url }: MessageTarget): string {
  const parameters = readQuery(url);
  const utm = (dimension: Dimension, key: string) => valueOf(dimension, parameters?.get(key) ?? "");
  const values = {
    target: name === "" ? DEFAULT_TARGET : name,
    utmSource: utm("utmSource", "utm_source"),
    utmMedium: utm("utmMedium", "utm_medium"),
    utmCampaign: utm("utmCampaign", "utm_campaign"),
    utmTerm: utm("utmTerm", "utm_term"),
    utmContent: utm("utmContent", "utm_content"),
  };
  return targetPart(values, clean(url, MAX_STORED_URL_CHARS));
}

/** The parameters in the query of a URL, also of that of an app; null if none can be a UTM parameter. */
function readQuery(url: string): URLSearchParams | null {
  // The underscore may be percent-encoded.
  if (!url.includes("utm")) return null;
  const [beforeHash = ""] = url.split("#", 1);
  const queryAt = beforeHash.indexOf("?");
  return new URLSearchParams(queryAt === -1 ? "" : beforeHash.slice(queryAt + 1));
}

/** The part of an ISO 3166-2 code after the country. */
const REGION_CODE = /^[A-Z0-9]{1,3}$/;

const NO_REFERRER = { host: "", site: "" };

const readReferrer = memoize(MAX_KNOWN_TEXTS, (referrer) => {
  const url = URL.parse(referrer);
  if (url === null) return NO_REFERRER;
  // A name with a final dot is the same name.
  const hostname = url.hostname.replace(/\.$/, "");
  const host = valueOf("referrer", url.port === "" ? hostname : `${hostname}:${url.port}`);
  // The name of an app is written like a host, but it belongs to no site.
  const site = /^https?:$/.test(url.protocol) ? valueOf("source", getDomain(hostname) ?? hostname) : host;
  return { host, site };
});

/**
 * The value as it is stored: without spaces around it, as filters have none. A value that is the word for unknown ones, such
 * as `utm_medium=none`, is unknown: under that word it could not be filtered by.
 */
function valueOf(dimension: Dimension, text: string): string {
  const value = clean(text).trim();
  return value.toLowerCase() === wordForUnknown(dimension) ? "" : value;
}

function clean(text: string, maxChars = MAX_DIMENSION_CHARS): string {
  return text
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, maxChars)
    .toWellFormed();
}
