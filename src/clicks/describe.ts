import { hash_uint } from "siphash";
import { remembering } from "../lib/remembering.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS } from "../limits.ts";
import { toProfile } from "./profile.ts";
import { readUserAgent } from "./user-agent.ts";
import { BY_QR, type Visit } from "./visit.ts";

/** What is kept of a visit besides its time: a {@link toProfile}. */
export function describeVisit(visit: Visit): string {
  const [, , , , userAgent, referrer, country, region, city, continent, trigger] = visit;
  const { device, browser, os, bot } = readUserAgent(userAgent);
  const knownCountry = country === "XX" ? "" : country;
  return toProfile({
    country: knownCountry,
    region: knownCountry !== "" && REGION_CODE.test(region) ? `${knownCountry}-${region}` : clean(region),
    city: clean(city),
    continent,
    device,
    browser,
    os,
    referrer: hostOf(referrer),
    trigger: trigger === BY_QR ? "qr" : "link",
    bot,
  });
}

/**
 * What tells one visitor of a day from another, short since every click is hashed; only that hash, salted,
 * is stored.
 */
export function visitorOf([, , , ip, userAgent]: Visit): string {
  return `${ip} ${fingerprint(userAgent)}`;
}

const NO_KEY = new Uint32Array(4);
const fingerprint = remembering(MAX_KNOWN_TEXTS, (userAgent) => hash_uint(NO_KEY, userAgent).toString(36));

/** The part of an ISO 3166-2 code after the country's. */
const REGION_CODE = /^[A-Z0-9]{1,3}$/;

const hostOf = remembering(MAX_KNOWN_TEXTS, (referrer) =>
  URL.canParse(referrer) ? clean(new URL(referrer).host) : "",
);

const clean = remembering(MAX_KNOWN_TEXTS, (text) => text.replaceAll(/\p{Cc}/gu, "").slice(0, MAX_DIMENSION_CHARS));
