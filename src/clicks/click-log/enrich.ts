import { memoize } from "../../lib/memoize.ts";
import { MAX_DIMENSION_CHARS, MAX_KNOWN_TEXTS } from "../../limits.ts";
import { readUserAgent } from "../../visitor/user-agent.ts";
import { QR_TRIGGER, type Origin } from "../capture/click.ts";
import type { ClickBatch } from "../capture/message.ts";
import { clientPart, isBot, originPart } from "../profile.ts";
import { hashVisitor } from "./visitor-hash.ts";

/** A click of a batch without its address and user agent: what a ClickLog stores of it. */
export interface EnrichedClick {
  /** Unix milliseconds. */
  at: number;
  linkId: string;
  /** The index of the click in its batch. */
  index: number;
  /** Equal for clicks of one visitor on one UTC day; 0: unknown. Unknown for crawlers and where the salt is deleted. */
  visitor: number;
  /** The parts of its profile. */
  origin: string;
  client: string;
}

/** `saltAt` returns the salt for a click at that time; null: it is deleted. */
export function enrichClicks(batch: ClickBatch, saltAt: (at: number) => Uint8Array | null): EnrichedClick[] {
  const origins = batch.origins.map(describeOrigin);
  const { link, origin, ip, userAgent } = batch.clicks;
  return batch.clicks.at.map((at, index) => {
    const client = describeClient(userAgent[index] ?? "");
    const salt = isBot(client) ? null : saltAt(at);
    return {
      at,
      linkId: batch.links[link[index] ?? 0] ?? "",
      index,
      visitor: salt === null ? 0 : hashVisitor(salt, ip[index] ?? "", userAgent[index] ?? ""),
      origin: origins[origin[index] ?? 0] ?? "",
      client,
    };
  });
}

export type EnrichClicks = typeof enrichClicks;

const describeClient = memoize(MAX_KNOWN_TEXTS, (userAgent) => clientPart(readUserAgent(userAgent)));

function describeOrigin([referrer, country, region, city, continent, trigger]: Origin): string {
  const knownCountry = country === "XX" ? "" : country;
  return originPart({
    country: knownCountry,
    region: knownCountry !== "" && REGION_CODE.test(region) ? `${knownCountry}-${region}` : clean(region),
    city: clean(city),
    continent,
    referrer: referrer === "" ? "" : hostOf(referrer),
    trigger: trigger === QR_TRIGGER ? "qr" : "link",
  });
}

/** The part of an ISO 3166-2 code after the country. */
const REGION_CODE = /^[A-Z0-9]{1,3}$/;

const hostOf = memoize(MAX_KNOWN_TEXTS, (referrer) => clean(URL.parse(referrer)?.host ?? ""));

function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "").slice(0, MAX_DIMENSION_CHARS);
}
