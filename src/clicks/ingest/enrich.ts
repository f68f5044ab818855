import { memoize } from "../../lib/memoize.ts";
import { siphash } from "../../lib/siphash.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import type { EnrichedClick, EnrichedBatch, Client } from "../types.ts";
import { readOrigin, unpack, type ClickBatch } from "../capture/message.ts";
import { clientPart, originPart } from "../profile.ts";
import { readUserAgent } from "../../visitor/user-agent.ts";

/** Reads the user agents and origins of visits. */
export function enrichClicks(batch: ClickBatch): EnrichedBatch {
  const clicks = unpack(batch).map(({ at, linkId, ip, userAgent, origin }, index): EnrichedClick => ({
    at,
    linkId,
    index,
    ip,
    origin: describeOrigin(origin),
    client: describeClient(userAgent),
  }));
  return { id: batch.id, clicks };
}

const NO_KEY = new Uint32Array(4);

/** Reads each distinct user agent about once. */
const describeClient = memoize(MAX_KNOWN_TEXTS, (userAgent): Client => {
  const client = readUserAgent(userAgent);
  return { part: clientPart(client), bot: client.bot, fingerprint: siphash(NO_KEY, userAgent) };
});

const describeOrigin = memoize(MAX_KNOWN_TEXTS, (origin) => {
  const { byQr, country, region, city, continent, referrer } = readOrigin(origin);
  const knownCountry = country === "XX" ? "" : country;
  return originPart({
    country: knownCountry,
    region: knownCountry !== "" && REGION_CODE.test(region) ? `${knownCountry}-${region}` : clean(region),
    city: clean(city),
    continent,
    referrer: hostOf(referrer),
    trigger: byQr ? "qr" : "link",
  });
});

/** The part of an ISO 3166-2 code after the country's. */
const REGION_CODE = /^[A-Z0-9]{1,3}$/;

function hostOf(referrer: string): string {
  return URL.canParse(referrer) ? clean(new URL(referrer).host) : "";
}

function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "").slice(0, MAX_DIMENSION_CHARS);
}
