import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import type { DetailFrom } from "../../../src/click-log/log/detail.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { boundLog, clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";

// In the future, so that alarms run only when the test runs them.
const TODAY = Date.UTC(2033, 5, 15);
const NOW = TODAY + 12 * HOUR_MS;

it("says from when on single clicks are stored", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW - 10 * DAY_MS });
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  const { key, accountId } = await createAccount();
  const { id } = await createLink(key);
  const read = async <T>(path: string) => jsonOf<T>(await call("GET", path, { key }));
  const detailOf = async () => (await read<{ clicks: Clicks }>("/api/clicks?interval=all")).clicks.detailFrom;
  const click = async (at: number, count: number) => {
    vi.setSystemTime(at);
    const clicks = Array.from({ length: count }, (_, n) =>
      clickOn(id, accountId, { at: at - n, ip: `198.51.100.${n % 200}` }),
    );
    for (let first = 0; first < count; first += 200) await consume([messageOf(clicks.slice(first, first + 200))]);
  };
  await click(NOW - 5 * DAY_MS, 3_000);
  await click(NOW - DAY_MS, 3_000);
  vi.setSystemTime(NOW);
  expect(await detailOf()).toEqual({ clicks: null, quarterHours: null });

  const size = await runInDurableObject(logOf(accountId), (_, { storage }) => storage.sql.databaseSize);
  await boundLog(accountId, size * 0.8);
  await click(NOW, 1);
  await runDurableObjectAlarm(logOf(accountId));
  const detailFrom = await detailOf();
  expect(detailFrom.clicks).toBe(TODAY - 4 * DAY_MS);
  for (const path of [`/api/links/${id}/clicks/records`, "/api/clicks/records"]) {
    const answer = await read<{ records: { clickedAt: number }[]; detailFrom: DetailFrom }>(path);
    expect(answer.detailFrom).toEqual(detailFrom);
    expect(Math.min(...answer.records.map(({ clickedAt }) => clickedAt))).toBeGreaterThan(TODAY - 4 * DAY_MS);
  }
  const { clicks } = await read<{ clicks: Clicks }>(`/api/links/${id}/clicks?interval=all`);
  expect(clicks).toMatchObject({ total: 6_001, detailFrom });
});
