import { getDomain } from "tldts-icann";
import { memoize } from "../../lib/memoize.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS, MAX_STORED_URL_CHARS } from "../../limits.ts";
import { QR_TRIGGER, type Origin } from "../capture/click.ts";
import { DEFAULT_TARGET, originPart, targetPart } from "../profile.ts";

// The parts of a profile from what a redirect captured.

export function describeOrigin([referrer, country, region, city, continent, trigger]: Origin): string {
  const knownCountry = country === "XX" ? "" : country;
  const { host, site } = referrer === "" ? NO_REFERRER : readReferrer(referrer);
  return originPart({
    country: knownCountry,
    region: knownCountry !== "" && REGION_CODE.test(region) ? `${knownCountry}-${region}` : clean(region),
    city: clean(city),
    continent,
    referrer: host,
    source: site,
    trigger: trigger === QR_TRIGGER ? "qr" : "link",
  });
}

/** `name` is that of the target; '' for the link's own destination. */
export function describeTarget(name: string, url: string): string {
  const utm = readUtm(url);
  const values = {
    target: name === "" ? DEFAULT_TARGET : name,
    utmSource: utm("utm_source"),
    utmMedium: utm("utm_medium"),
    utmCampaign: utm("utm_campaign"),
    utmTerm: utm("utm_term"),
    utmContent: utm("utm_content"),
  };
  return targetPart(values, clean(url, MAX_STORED_URL_CHARS));
}

/** Reads UTM parameters from the query of a URL, also from that of an app. */
function readUtm(url: string): (name: string) => string {
  if (!url.includes("utm_")) return () => "";
  const [beforeHash = ""] = url.split("#", 1);
  const queryAt = beforeHash.indexOf("?");
  const parameters = new URLSearchParams(queryAt === -1 ? "" : beforeHash.slice(queryAt + 1));
  return (name) => clean(parameters.get(name) ?? "");
}

/** The part of an ISO 3166-2 code after the country. */
const REGION_CODE = /^[A-Z0-9]{1,3}$/;

const NO_REFERRER = { host: "", site: "" };

const readReferrer = memoize(MAX_KNOWN_TEXTS, (referrer) => {
  const url = URL.parse(referrer);
  if (url === null) return NO_REFERRER;
  // A name with a final dot is the same name.
  const hostname = url.hostname.replace(/\.$/, "");
  const host = clean(url.port === "" ? hostname : `${hostname}:${url.port}`);
  // The name of an app is written like a host, but it belongs to no site.
  const site = /^https?:$/.test(url.protocol) ? clean(getDomain(hostname) ?? hostname) : host;
  return { host, site };
});

function clean(text: string, maxChars = MAX_DIMENSION_CHARS): string {
  return text
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, maxChars)
    .toWellFormed();
}
