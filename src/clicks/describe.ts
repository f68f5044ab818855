import { remembering } from "../lib/remembering.ts";
import { siphash } from "../lib/siphash.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS } from "../limits.ts";
import type { ClickBatch } from "./batch.ts";
import { readOrigin, unpack, type VisitBatch } from "./message.ts";
import { clientPart, joinProfile, originPart } from "./profile.ts";
import { readUserAgent } from "./user-agent.ts";

/** What is kept of visits. Throws where they cannot be read. */
export function describeVisits(batch: VisitBatch): ClickBatch {
  const clicks = unpack(batch).map(({ at, linkId, ip, userAgent, origin }, index): ClickBatch["clicks"][number] => {
    const client = describeClient(userAgent);
    // Short, since every click is hashed; only that hash, salted, is stored.
    const visitor = `${ip} ${client.fingerprint}`;
    return [at, linkId, index, visitor, joinProfile(describeOrigin(origin), client.part)];
  });
  return { id: batch.id, clicks };
}

const NO_KEY = new Uint32Array(4);

/** Reads each distinct user agent about once. */
const describeClient = remembering(MAX_KNOWN_TEXTS, (userAgent) => ({
  part: clientPart(readUserAgent(userAgent)),
  fingerprint: siphash(NO_KEY, userAgent).toString(36),
}));

const describeOrigin = remembering(MAX_KNOWN_TEXTS, (origin) => {
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
