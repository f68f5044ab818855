import { expect, it, vi } from "vitest";
import { LEVEL } from "../../../src/click-log/log/rows.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { clicksIn, consume, messageOf } from "../../support/clicks.ts";
import {
  expectQuarterHours,
  fill,
  inLog,
  levels,
  NOW,
  nth,
  prepareAccounts,
  shrink,
  sizeOf,
  TODAY,
} from "./valve-support.ts";

prepareAccounts();

/**
 * Fails writes as SQLite does in a full database. workerd refuses `PRAGMA max_page_count`, with which SQLite would do so itself, so
 * triggers compare the bytes of the clicks.
 */
async function fillDatabase(): Promise<void> {
  await inLog(({ sql }) => {
    const { bytes } = sql.exec<{ bytes: number }>("SELECT sum(length(segments)) AS bytes FROM clicks").one();
    for (const change of ["INSERT", "UPDATE"])
      sql.exec(`CREATE TRIGGER full_at_${change} BEFORE ${change} ON clicks
        WHEN (SELECT sum(length(segments)) FROM clicks) >= ${bytes}
        BEGIN SELECT raise(ABORT, 'database or disk is full'); END`);
  });
}

it("makes room in a full database, which had refused clicks, and stores these when they come again", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  const yesterday = await fill(2_000, NOW - DAY_MS);
  vi.setSystemTime(NOW);
  await fillDatabase();
  const late = [0, 100].map((first) =>
    messageOf(Array.from({ length: 100 }, (_, n) => nth(first + n, NOW - 200 + first + n))),
  );
  expect((await consume(late)).retried).toHaveLength(2);
  expect(await levels()).toEqual([{ day: TODAY / DAY_MS - 1, level: LEVEL.clicks }]);
  await shrink((await sizeOf()) * 0.8);
  expect((await consume(late)).retried).toEqual([]);
  await expectQuarterHours([...yesterday, ...late].flatMap(clicksIn), TODAY - DAY_MS);
});
