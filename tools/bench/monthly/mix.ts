/** What the visitors and the accounts of an installation do. Shares are from 0 to 1. */
export interface Mix {
  /** Clicks in a month. They come evenly and independently: peaks would put more of them into one flush. */
  clicks: number;
  /** Links that are visited. The visits of the link with rank n are proportional to 1 / n ** zipfExponent. */
  links: number;
  zipfExponent: number;
  /** Each account has links of all ranks. */
  linksPerAccount: number;
  /** Isolates that redirect at the same time, in all data centres, each with an equal part of the visits. */
  isolates: number;
  /** Requests for each click that are none: prefetches, HEAD, robots.txt. */
  uncountedPerClick: number;
  /** Requests for unknown slugs, for each click. */
  unknownPerClick: number;
  /** Clicks whose link is in no cache of the data centre. */
  coldShare: number;
  /** Clicks whose link is in the edge cache, and not in the memory of the isolate. */
  cachedShare: number;
  /** Clicks by crawlers. They are stored and cause no events. */
  crawlerShare: number;
  /** Clicks by others for which one webhook gets an event. */
  webhookShare: number;
  /** Calls that create a link, for each click. */
  creationsPerClick: number;
  /** Calls that read a link, for each click. */
  readsPerClick: number;
}

const SHARES: Omit<Mix, "clicks" | "links"> = {
  zipfExponent: 1,
  linksPerAccount: 20,
  isolates: 50,
  uncountedPerClick: 0.05,
  unknownPerClick: 0.05,
  coldShare: 0.05,
  cachedShare: 0.15,
  crawlerShare: 0.2,
  webhookShare: 0.02,
  creationsPerClick: 0.001,
  readsPerClick: 0.01,
};

const mixOf = (clicks: number, links: number): Mix => ({ ...SHARES, clicks, links });

export const BILLION = mixOf(1_000_000_000, 1_000_000);

export const MIXES = [mixOf(10_000, 200), mixOf(1_000_000, 10_000), mixOf(50_000_000, 200_000), BILLION];

/** Installations that the free plan may be enough for: by the clicks of a month, with 100, 1,000 and 10,000 a day. */
export const SMALL_MIXES = [mixOf(3_000, 50), mixOf(30_000, 200), mixOf(300_000, 2_000)];

/** What a billion clicks depend on. */
export const OTHER_MIXES: Partial<Mix>[] = [
  {},
  { zipfExponent: 0.8 },
  { zipfExponent: 1.2 },
  { links: 100_000 },
  { isolates: 10 },
  { isolates: 200 },
  { webhookShare: 0 },
  { webhookShare: 0.1 },
];
