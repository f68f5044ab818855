import * as fc from "fast-check";
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Filters } from "../../../src/click-log/log/filters.ts";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { messageOf, consume, logOf, clickOn, clicksIn } from "../../support/clicks.ts";
import { expectedTotals } from "./totals-model.ts";
import { MAX_SOUGHT_LINKS, SALT_KEPT_DAYS } from "../../../src/click-log/limits.ts";
import { CRAWLER, FIREFOX, SAFARI } from "../../support/user-agents.ts";

// In the future, so that alarms run only when a test runs them.
const TODAY = Date.UTC(2030, 5, 15);
const NOW = TODAY + 15 * HOUR_MS;

let lastAccount = 0;
let accountId: number;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId = ++lastAccount;
  await insertAccount(env.DB, accountId);
});
afterEach(() => vi.useRealTimers());

const links = Array.from({ length: 3 }, (_, index) => newId(TODAY - 30 * DAY_MS + index));

const RULE = "7d1f5c0e-52f3-5a7c-8a55-3f1f0f6a2b11";

/** The salts of earlier days are deleted, so their visitors are unknown. */
const SALTS_FROM = TODAY - (SALT_KEPT_DAYS - 1) * DAY_MS;

/** With these, all rows of a day are read in place of those of each link. */
const UNKNOWN_LINKS = Array.from({ length: MAX_SOUGHT_LINKS }, (_, index) => newId(TODAY + index));

const anyClick = fc
  .record({
    ago: fc.integer({ min: 0, max: 5 * DAY_MS }),
    link: fc.constantFrom(...links),
    ip: fc.constantFrom("203.0.113.1", "203.0.113.2", "2001:db8::1"),
    userAgent: fc.constantFrom(FIREFOX, SAFARI, CRAWLER),
    referrer: fc.constantFrom("", "https://www.news.example", "https://m.news.example:8443"),
    target: fc.constantFrom(
      { location: "https://example.com/" },
      { location: "https://example.com/?utm_source=Letter&utm_campaign=spring+sale#utm_term=no" },
      { name: "ios", location: "acme://spring" },
      { name: RULE, location: "https://example.com/b" },
    ),
    place: fc.constantFrom(["DE", "BE", "Berlin", "EU"] as const, ["US", "TX", "Paris", "NA"] as const),
    trigger: fc.constantFrom(0 as const, 1 as const),
  })
  .map(({ ago, link, place: [country, region, city, continent], ...rest }) =>
    clickOn(link, 0, { at: NOW - ago, country, region, city, continent, ...rest, target: { ...rest.target } }),
  );

const is = (...values: string[]) => ({ is: values, isNot: [] });
const isNot = (...values: string[]) => ({ is: [], isNot: values });
const FILTERS: Filters = {
  country: is("de", "fr"),
  device: isNot("desktop"),
  referrer: is("", "www.news.example"),
  source: isNot(""),
  target: is("default", RULE),
  utmCampaign: { is: ["spring sale", ""], isNot: [""] },
};

const anyQuery = fc
  .record({
    links: fc.option(
      fc.tuple(fc.subarray(links), fc.constantFrom([], UNKNOWN_LINKS)).map(([some, unknown]) => some.concat(unknown)),
    ),
    span: fc.tuple(fc.integer({ min: -7 * DAY_MS, max: DAY_MS }), fc.integer({ min: -7 * DAY_MS, max: DAY_MS })),
    whole: fc.boolean(),
    buckets: fc.integer({ min: 1, max: 8 }),
    filters: fc.subarray(Object.entries(FILTERS)).map((some): Filters => Object.fromEntries(some)),
  })
  .map(({ links, span, whole, buckets, filters }) => {
    const edge = (time: number) => (whole ? Math.floor(time / DAY_MS) * DAY_MS : time);
    const [start = 0, end = 0] = span.map((offset) => edge(NOW + offset)).sort((a, b) => a - b);
    // At quarter hours, as in every time zone.
    const first = Math.floor(start / (HOUR_MS / 4)) * (HOUR_MS / 4);
    const step = Math.max(1, Math.ceil((end - first) / buckets / (HOUR_MS / 4))) * (HOUR_MS / 4);
    const boundaries = Array.from({ length: buckets }, (_, index) => first + index * step);
    return { links, query: { start, end, boundaries, filters } };
  });

describe("whatever the clicks and the query", () => {
  it("counts each click once, also if messages are redelivered, out of order, concurrent, or after a restart", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyClick, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
        fc.array(anyQuery, { minLength: 4, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        // Enough clicks a day for summaries, or too few.
        fc.constantFrom(1, 20),
        async (groups, queries, random, times) => {
          accountId = ++lastAccount;
          await insertAccount(env.DB, accountId);
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
          const clicks = batches.flatMap(clicksIn);
          for (const { links, query } of queries) {
            const totals = expectedTotals(clicks, links, query, SALTS_FROM);
            expect(await logOf(accountId).aggregate(links, query)).toEqual(totals);
            // The second result may come from a summary.
            expect(await logOf(accountId).aggregate(links, query)).toEqual(totals);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
