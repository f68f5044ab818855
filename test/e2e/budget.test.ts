import { afterAll, beforeAll, expect, it } from "vitest";
import { insertLinks } from "./support/many-links.ts";
import type { DatabaseHook } from "./support/database.ts";
import { startService, type Service } from "./support/service.ts";

let service: Service<"first" | "second">;
let links = 0;

beforeAll(async () => {
  service = await startService({ first: "one", second: "two" });
});
afterAll(() => service.stop());

/** Links that belong to nobody, until there are `count`. */
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
  expect(costs).toEqual([1, 1, 1]);
  for (const path of paths) expect((await visited.get(path)).status).toBe(302);
  expect(costs).toEqual([1, 1, 1]);
  expect((await visited.get("/many-0")).status).toBe(404);
  expect(costs).toHaveLength(4);
  expect(costs[3]).toBeLessThanOrEqual(1);
});
