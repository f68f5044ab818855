import type { CapturedClick, Origin, ServedTarget } from "../../../src/click-log/capture/click.ts";
import { CRAWLER, FIREFOX, SAFARI } from "../../../test/support/user-agents.ts";

// The clicks of one large account. Each is a function of its number.

export const ACCOUNT = 1_001;
/** As many as the values that an answer shows for a dimension, at most. */
const LINKS = 80;
const CITIES = 60;
const VISITORS = 200_000;

const AGENTS = [FIREFOX, SAFARI, FIREFOX, CRAWLER];
const COUNTRIES = ["DE", "US", "FR", "JP", "BR"];

/** The ids of the links. */
const LINK_IDS = Array.from({ length: LINKS }, (_, n) => `0198f000-0000-7000-8000-${String(n).padStart(12, "0")}`);

const TARGETS: ServedTarget[] = LINK_IDS.map((_, n) => ({
  location: n % 2 === 0 ? "https://example.com/" : "https://example.com/?utm_source=Letter&utm_campaign=spring+sale",
}));

/** Where the share of each link ends, by Zipf's law: the first link has a fifth of the clicks. */
const SHARES: number[] = [];
for (const n of LINK_IDS.keys()) SHARES.push((SHARES.at(-1) ?? 0) + 1 / (n + 1));
const ALL_SHARES = SHARES.at(-1) ?? 1;

/** The index of the link that the click with this number is on. */
function linkOf(number: number): number {
  const share = (hash(number, 1) / 2 ** 32) * ALL_SHARES;
  return SHARES.findIndex((end) => share < end);
}

/** The click with this number, at this time, Unix milliseconds. */
export function clickOf(number: number, at: number): CapturedClick {
  const link = linkOf(number);
  const visitor = hash(number, 2) % VISITORS;
  const city = hash(number, 3) % CITIES;
  const country = COUNTRIES[city % COUNTRIES.length] ?? "";
  const referrer = hash(number, 4) % 3 === 0 ? "https://www.news.example" : "";
  const origin: Origin = [referrer, country, `R${city % 7}`, `City ${city}`, "EU", hash(number, 5) % 50 === 0 ? 1 : 0];
  const target = TARGETS[link] ?? { location: "" };
  const ip = `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`;
  return [at, LINK_IDS[link] ?? "", ACCOUNT, target, ip, AGENTS[visitor % AGENTS.length] ?? "", ...origin];
}

/** A number from 0 to 2³² - 1 that depends on both, by the finalizer of MurmurHash3. */
function hash(number: number, kind: number): number {
  let h = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(kind, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
