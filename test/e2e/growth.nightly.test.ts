import { afterAll, beforeAll, expect, it } from "vitest";
import { measureClicks, measureLinks, OF_ALL_LINKS, WITHIN_BOUNDS } from "../../tools/bench/growth/measure.ts";
import { COUNTED, SORTED_AND_FILTERED, type Costs } from "../../tools/bench/growth/operations.ts";
import { insertLinks } from "./support/many-links.ts";
import type { DatabaseHook } from "./support/database.ts";
import { startService, type Service } from "./support/service.ts";

let service: Service<"first" | "second">;
let links = 0;

beforeAll(async () => {
  service = await startService({ first: "one", second: "two" });
});
afterAll(() => service.stop());

/** Inserts links without an account until there are `count`. */
async function fillTo(count: number): Promise<void> {
  await insertLinks(service.db, { prefix: "many-", first: links + 1, last: count, url: "https://example.com/" });
  links = count;
}

interface Answered {
  meta: { rows_read: number; rows_written: number };
}

it.each([
  [1_000, "first"],
  [1_000_000, "second"],
] as const)("reads one row for a cold redirect and none for an unknown slug among %i links", async (count, isolate) => {
  await fillTo(count);
  const costs: number[] = [];
  const meter: DatabaseHook = ({ moment, result }) => {
    const { meta } = (result ?? {}) as Partial<Answered>;
    if (moment === "after" && meta !== undefined) costs.push(meta.rows_read + meta.rows_written);
    return undefined;
  };
  const visited = service.isolates[isolate];
  visited.onDatabase = meter;
  const paths = ["/many-1", `/many-${count / 2}`, `/MANY-${count}`];
  for (const path of paths) expect((await visited.get(path)).status).toBe(302);
  // Besides, an isolate reads the hosts that are taken down, of which there are none.
  expect(costs.toSorted((a, b) => a - b)).toEqual([0, 1, 1, 1]);
  for (const path of paths) expect((await visited.get(path)).status).toBe(302);
  expect(costs).toHaveLength(4);
  expect((await visited.get("/many-0")).status).toBe(404);
  expect(costs).toHaveLength(5);
  expect(costs[4]).toBeLessThanOrEqual(1);
});

const rowsOf = (costs: Costs, name: string) => [costs[name]?.databaseRowsRead, costs[name]?.databaseRowsWritten];

const without = (costs: Costs | undefined, names: readonly string[]): Costs =>
  Object.fromEntries(Object.entries(costs ?? {}).filter(([name]) => !names.includes(name)));

it.each(["links of the account", "links of others"] as const)(
  "reads and writes the same number of rows with 1,000 and with 10,000 %s, also after ANALYZE",
  async (name) => {
    const { sizes, analyzed } = await measureLinks(name, [1_000, 10_000]);
    const [small, large] = sizes.map(({ costs }) => without(costs, [SORTED_AND_FILTERED, COUNTED]));
    expect(Object.keys(small ?? {}).length).toBeGreaterThan(60);
    expect(large).toEqual(small);
    expect(without(analyzed, [SORTED_AND_FILTERED, COUNTED])).toEqual(large);
    for (const { costs } of sizes) {
      expect(costs[COUNTED]?.databaseRowsRead).toBeLessThanOrEqual(105 + 1_001);
      expect(rowsOf(costs, "redirect, cold")).toEqual([1, 0]);
      expect(rowsOf(costs, "redirect at a custom domain, cold")).toEqual([2, 0]);
      expect(rowsOf(costs, "redirect, hot")).toEqual([0, 0]);
      expect(rowsOf(costs, "an unknown slug")).toEqual([0, 0]);
    }
  },
);

it("reads the same number of rows in a ClickLog with 1,000 and with 10,000 clicks, or stays within bounds", async () => {
  const { sizes } = await measureClicks([1_000, 10_000]);
  const bounded = Object.entries(WITHIN_BOUNDS);
  for (const { costs } of sizes)
    for (const [name, most] of bounded) expect(costs[name]?.logRowsRead, name).toBeLessThanOrEqual(most);
  const [small, large] = sizes.map(({ costs }) => without(costs, [...Object.keys(WITHIN_BOUNDS), ...OF_ALL_LINKS]));
  expect(Object.keys(small ?? {})).toHaveLength(2);
  expect(large).toEqual(small);
});
