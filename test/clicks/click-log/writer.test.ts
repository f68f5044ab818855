import * as fc from "fast-check";
import { evictDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Filters, AggregateQuery, Totals } from "../../../src/clicks/click-log/aggregate.ts";
import { DIMENSIONS, type Dimension } from "../../../src/clicks/profile.ts";
import type { ClickBatchMessage } from "../../../src/clicks/capture/message.ts";
import type { CapturedClick } from "../../../src/clicks/capture/click.ts";
import { DAY_MS, HOUR_MS } from "../../../src/lib/duration.ts";
import { SALT_KEPT_DAYS } from "../../../src/limits.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { messageOf, consume, FIREFOX, logOf, clickOn, clicksIn } from "../../support/clicks.ts";

// In the future, so that alarms run only when a test runs them.
const TODAY = Date.UTC(2030, 5, 15);
const NOW = TODAY + 15 * HOUR_MS;

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

let lastAccount = 0;
let accountId: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId = ++lastAccount;
});
afterEach(() => vi.useRealTimers());

const links = Array.from({ length: 3 }, (_, index) => newId(TODAY - 30 * DAY_MS + index));

/** The totals that a query must return, computed from the clicks themselves. */
function expected(clicks: CapturedClick[], link: string | null, query: AggregateQuery): Totals {
  const firsts = new Set<string>();
  const timeseries = query.boundaries.map((start) => ({ start, clicks: 0, unique: 0 }));
  const counts = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]));
  let bots = 0;
  for (const each of clicks) {
    const [at, linkId, , ip, userAgent] = each;
    const bot = userAgent === CRAWLER;
    const visitor = [Math.floor(at / DAY_MS), linkId, ip, userAgent].join(" ");
    // The salts of earlier days are deleted, so their visitors are unknown.
    const known = Math.floor(at / DAY_MS) > TODAY / DAY_MS - SALT_KEPT_DAYS;
    const unique = bot || !known || firsts.has(visitor) ? 0 : 1;
    if (!bot) firsts.add(visitor);
    const profile = profileOf(each);
    if (link !== null && linkId !== link) continue;
    if (at < query.start || at >= query.end) continue;
    if (Object.entries(query.filters).some(([dimension, value]) => profile[dimension as Dimension] !== value)) continue;
    if (bot) {
      bots++;
      continue;
    }
    const bucket = timeseries.findLast(({ start }) => start <= at) ?? timeseries[0];
    if (bucket !== undefined) {
      bucket.clicks++;
      bucket.unique += unique;
    }
    for (const dimension of DIMENSIONS) {
      const known = counts[dimension] as Map<string, number>;
      known.set(profile[dimension], (known.get(profile[dimension]) ?? 0) + 1);
    }
  }
  const sorted = Object.entries(counts).map(([dimension, values]) => [
    dimension,
    [...values]
      .map(([value, clicks]) => ({ value, clicks }))
      .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1)),
  ]);
  return { bots, timeseries, counts: Object.fromEntries(sorted) as Totals["counts"] };
}

function profileOf([, , , , userAgent, referrer, country, region, city, continent, trigger]: CapturedClick) {
  const client = {
    [FIREFOX]: { device: "desktop", browser: "Firefox", os: "Linux" },
    [SAFARI]: { device: "mobile", browser: "Safari", os: "iOS" },
    [CRAWLER]: { device: "other", browser: "Googlebot", os: "other" },
  }[userAgent] ?? { device: "", browser: "", os: "" };
  return {
    ...client,
    country,
    region: `${country}-${region}`,
    city,
    continent,
    referrer: referrer.replace("https://", ""),
    trigger: trigger === 1 ? "qr" : "link",
  };
}

const anyClick = fc
  .record({
    ago: fc.integer({ min: 0, max: 5 * DAY_MS }),
    link: fc.constantFrom(...links),
    ip: fc.constantFrom("203.0.113.1", "203.0.113.2", "2001:db8::1"),
    userAgent: fc.constantFrom(FIREFOX, SAFARI, CRAWLER),
    referrer: fc.constantFrom("", "https://a.example", "https://b.example:8443"),
    place: fc.constantFrom(["DE", "BE", "Berlin", "EU"] as const, ["US", "TX", "Paris", "NA"] as const),
    trigger: fc.constantFrom(0 as const, 1 as const),
  })
  .map(({ ago, link, place: [country, region, city, continent], ...rest }) =>
    clickOn(link, 0, { at: NOW - ago, country, region, city, continent, ...rest }),
  );

const anyQuery = fc
  .record({
    link: fc.option(fc.constantFrom(...links)),
    span: fc.tuple(fc.integer({ min: -7 * DAY_MS, max: DAY_MS }), fc.integer({ min: -7 * DAY_MS, max: DAY_MS })),
    whole: fc.boolean(),
    buckets: fc.integer({ min: 1, max: 8 }),
    filters: fc.oneof(
      fc.constant<Filters>({}),
      fc.constantFrom<Filters>(
        { country: "DE" },
        { device: "mobile", country: "US" },
        { referrer: "" },
        { trigger: "qr" },
      ),
    ),
  })
  .map(({ link, span, whole, buckets, filters }) => {
    const edge = (time: number) => (whole ? Math.floor(time / DAY_MS) * DAY_MS : time);
    const [start = 0, end = 0] = span.map((offset) => edge(NOW + offset)).sort((a, b) => a - b);
    // At quarter hours, as in every time zone.
    const first = Math.floor(start / (HOUR_MS / 4)) * (HOUR_MS / 4);
    const step = Math.max(1, Math.ceil((end - first) / buckets / (HOUR_MS / 4))) * (HOUR_MS / 4);
    const boundaries = Array.from({ length: buckets }, (_, index) => first + index * step);
    return { link, query: { start, end, boundaries, filters } };
  });

describe("whatever the clicks and the query", () => {
  it("counts each click once, also if messages are redelivered, out of order, concurrent, or after a restart", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyClick, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
        fc.array(anyQuery, { minLength: 3, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        // Enough clicks a day for summaries, or too few.
        fc.constantFrom(1, 20),
        async (groups, queries, random, times) => {
          accountId = ++lastAccount;
          const batches: ClickBatchMessage[] = groups.map((clicks) =>
            messageOf(
              clicks.flatMap(([at, link, , ...rest]) =>
                Array.from({ length: times }, (_, index): CapturedClick => [at - index, link, accountId, ...rest]),
              ),
            ),
          );
          const next = () => random.next().value as number;
          const twice = [...batches, ...batches.filter(() => next() % 2 === 0)].sort(() => (next() % 3) - 1);
          const half = twice.splice(0, next() % twice.length);
          await Promise.all([consume(half.slice(0, 2)), consume(half.slice(2))]);
          await logOf(accountId).aggregate(null, { start: 0, end: NOW + DAY_MS, boundaries: [0], filters: {} });
          if (next() % 2 === 0) await evictDurableObject(logOf(accountId));
          await Promise.all(twice.map((batch) => consume([batch])));
          await consume(batches);
          const clicks = inOrderOfDelivery(batches);
          for (const { link, query } of queries) {
            const totals = await logOf(accountId).aggregate(link, query);
            expect(withoutUnique(totals)).toEqual(withoutUnique(expected(clicks, link, query)));
            // The second result may come from a summary.
            expect(await logOf(accountId).aggregate(link, query)).toEqual(totals);
          }
          const everything = { start: 0, end: NOW + DAY_MS, boundaries: [0], filters: {} };
          expect(await logOf(accountId).aggregate(null, everything)).toEqual(expected(clicks, null, everything));
        },
      ),
      { numRuns: 40 },
    );
  });
});

const inOrderOfDelivery = (batches: ClickBatchMessage[]) => batches.flatMap(clicksIn);

/** Which click of a visitor is the first of a day depends on the order of delivery. */
function withoutUnique({ timeseries, ...rest }: Totals) {
  return { ...rest, timeseries: timeseries.map(({ start, clicks }) => ({ start, clicks })) };
}
