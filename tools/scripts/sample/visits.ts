import { QR_TRIGGER, type CapturedClick, type ServedTarget } from "../../../src/click-log/capture/click.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { fnv1a, mix32 } from "../../../src/platform/lib/fnv1a.ts";
import type { Channel, SampleLink } from "./links.ts";
import { eventDaysAgo } from "./story.ts";

// The visits of the sample's links. Random numbers have fixed seeds, so two samples of one day have the same visits.

export interface Visited {
  id: string;
  /** As it is stored, with its campaign. */
  url: string;
  sample: SampleLink;
  createdAt: number;
}

/** Returns the clicks of a link until now by the UTC day, as redirects capture them. Of a link with `maxClicks`, that many. */
export function visitsOf(link: Visited, accountId: number, now: number): Map<number, CapturedClick[]> {
  const { sample, createdAt } = link;
  const days = new Map<number, CapturedClick[]>();
  let left = sample.maxClicks ?? Infinity;
  const end = sample.expiresIn === undefined ? now : now + sample.expiresIn * DAY_MS;
  for (let day = Math.floor(createdAt / DAY_MS); day <= Math.floor(now / DAY_MS) && left > 0; day++) {
    const clicks = visitsOfDay(link, accountId, day, now)
      .filter(([at]) => at >= createdAt && at < Math.min(now, end))
      .slice(0, left);
    left -= clicks.length;
    if (clicks.length > 0) days.set(day, clicks);
  }
  return days;
}

function visitsOfDay(link: Visited, accountId: number, day: number, now: number): CapturedClick[] {
  const { id, url, sample } = link;
  const age = Math.floor(now / DAY_MS) - day;
  const random = randomOf(`${sample.slug} ${age}`);
  const channel = CHANNELS[sample.channel];
  const targets = targetsOf(url, sample);
  const expected = sample.clicks * courseOf(sample, day, now);
  const count = Math.round(expected * (0.8 + 0.4 * random()));
  const times = Array.from({ length: count }, () => day * DAY_MS + timeOfDay(random)).sort((a, b) => a - b);
  return times.map((at, index): CapturedClick => {
    // Some visitors come back on the same day.
    const visitor = index % 9 === 8 ? index - 1 : index;
    const of = randomOf(`${sample.slug} ${age} ${visitor}`);
    const place = pick(PLACES, of, 1.9);
    const isBot = of() < BOTS;
    const userAgent = isBot ? pick(BOT_AGENTS, of) : pick(of() < channel.phones ? PHONES : COMPUTERS, of, 1.5);
    const isScan = !isBot && of() < channel.scans;
    const referrer = isScan || isBot ? "" : pick(channel.referrers, of, 1.4);
    const target = targetFor(targets, place.country, userAgent);
    const ip = `2001:db8::${fnv1a(`${sample.slug} ${age} ${visitor}`).toString(16)}`;
    const { country, region, city, continent } = place;
    return [
      at,
      id,
      accountId,
      target,
      ip,
      userAgent,
      referrer,
      country,
      region,
      city,
      continent,
      isScan ? QR_TRIGGER : 0,
    ];
  });
}

/** The part of a link's clicks that a day has. */
function courseOf({ course, age }: SampleLink, day: number, now: number): number {
  const daysAgo = Math.floor(now / DAY_MS) - day;
  const rhythm = WEEKDAYS[new Date(day * DAY_MS).getUTCDay()] ?? 1;
  if (course === "steady") return rhythm;
  if (course === "fresh") return rhythm * (Math.exp((daysAgo - Math.floor(age)) / 2.2) + 0.03);
  const untilEvent = daysAgo - eventDaysAgo(now);
  return untilEvent >= 0 ? Math.exp(-untilEvent / 5.5) : Math.exp(untilEvent / 1.3) + 0.02;
}

/** From Sunday on. */
const WEEKDAYS = [0.62, 1, 1.04, 1.02, 1.12, 1.2, 0.86];

/** Most visits are in the morning, at noon and in the evening of Europe. */
function timeOfDay(random: () => number): number {
  const [middle, width] = pick(HOURS, random);
  const hour = middle + width * (random() + random() + random() - 1.5);
  return Math.floor((((hour % 24) + 24) % 24) * (DAY_MS / 24));
}

const HOURS: [middle: number, width: number][] = [
  [7.5, 2],
  [11, 4],
  [15, 6],
  [18.5, 3],
  [20, 3],
  [13, 16],
];

type Targets = Partial<Record<"" | "ios" | "android" | `country ${string}`, ServedTarget>>;

function targetsOf(location: string, { ios, android, geo = {} }: SampleLink): Targets {
  return {
    "": { location },
    ...(ios !== undefined && { ios: { location: ios, name: "ios" } }),
    ...(android !== undefined && { android: { location: android, name: "android" } }),
    ...Object.fromEntries(
      Object.entries(geo).map(([country, url]) => [`country ${country}`, { location: url, name: "country" }]),
    ),
  };
}

function targetFor(targets: Targets, country: string, userAgent: string): ServedTarget {
  const app = userAgent.includes("iPhone") ? "ios" : userAgent.includes("Android") ? "android" : "";
  return targets[app] ?? targets[`country ${country}`] ?? (targets[""] as ServedTarget);
}

interface Mix {
  /** The part of the visitors with a phone, and that of those who scan a QR code. */
  phones: number;
  scans: number;
  /** The most frequent first. */
  referrers: string[];
}

const CHANNELS: Record<Channel, Mix> = {
  web: {
    phones: 0.5,
    scans: 0,
    referrers: [
      "https://www.google.com",
      "",
      "https://www.alder.example",
      "https://duckduckgo.com",
      "https://www.bing.com",
      "https://news.example.com",
    ],
  },
  mail: {
    phones: 0.58,
    scans: 0,
    referrers: ["", "https://mail.google.com", "android-app://com.google.android.gm", "https://outlook.live.com"],
  },
  social: {
    phones: 0.82,
    scans: 0,
    referrers: [
      "https://l.instagram.com",
      "https://www.linkedin.com",
      "",
      "https://l.facebook.com",
      "https://bsky.app",
      "https://www.youtube.com",
    ],
  },
  print: { phones: 0.97, scans: 0.88, referrers: ["", "https://www.google.com"] },
};

/** The part of the visits that crawlers make. */
const BOTS = 0.035;

const BOT_AGENTS = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)",
];

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const PHONES = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${WEBKIT} Chrome/156.0.0.0 Mobile Safari/537.36`,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  `Mozilla/5.0 (Linux; Android 16; SM-S938B) ${WEBKIT} SamsungBrowser/29.0 Chrome/142.0.0.0 Mobile Safari/537.36`,
  "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0",
  "Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
];
const COMPUTERS = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
];

/** Where visitors are, as Cloudflare reports it: the most frequent first. */
const PLACES = [
  ["DK", "84", "Copenhagen", "EU"],
  ["DE", "HH", "Hamburg", "EU"],
  ["SE", "M", "Malmö", "EU"],
  ["DK", "82", "Aarhus", "EU"],
  ["GB", "ENG", "London", "EU"],
  ["DE", "BE", "Berlin", "EU"],
  ["NO", "03", "Oslo", "EU"],
  ["US", "NY", "New York", "NA"],
  ["NL", "NH", "Amsterdam", "EU"],
  ["SE", "AB", "Stockholm", "EU"],
  ["FR", "IDF", "Paris", "EU"],
  ["US", "WA", "Seattle", "NA"],
  ["CA", "ON", "Toronto", "NA"],
  ["PL", "14", "Warsaw", "EU"],
  ["JP", "13", "Tokyo", "AS"],
  ["ES", "CT", "Barcelona", "EU"],
  ["AU", "VIC", "Melbourne", "OC"],
  ["IT", "25", "Milan", "EU"],
  ["KE", "30", "Nairobi", "AF"],
  ["BR", "SP", "São Paulo", "SA"],
  ["CO", "ANT", "Medellín", "SA"],
  ["FI", "18", "Helsinki", "EU"],
].map(([country = "", region = "", city = "", continent = ""]) => ({ country, region, city, continent }));

/** One of the values, the first ones more often if `slope` is above 1. */
function pick<Value>(values: readonly Value[], random: () => number, slope = 1): Value {
  return values[Math.floor(values.length * random() ** slope)] as Value;
}

/** Returns a function whose numbers from 0 to below 1 look random, and are the same for the same seed. */
function randomOf(seed: string): () => number {
  let state = fnv1a(seed);
  return () => mix32((state = (state + 0x9e3779b9) | 0)) / 2 ** 32;
}
