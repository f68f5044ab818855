import { expect, it } from "vitest";
import { SECOND_MS } from "../../src/duration.ts";
import { reportRun } from "../../bench/scale/report.ts";
import { simulate } from "../../bench/scale/simulate.ts";

it("loses no click of a simulated account, and counts each once, whatever the platform refuses", async () => {
  const load = { perSecond: 400, isolates: 12, seconds: [4, 16] } as const;
  // Objects and a queue that are slow enough for this load, which is a twenty-fifth of that of `npm run scale`.
  const limits = { callMs: 25, clickMs: 0.5, messagesPerSecond: 30, maxWaitingMs: SECOND_MS / 4 };
  const faults = { lostAnswers: 20, deliveredTwice: 4 };
  const result = await simulate(load, { limits, faults, shards: 4 });
  expect([result.missing, result.wrong]).toEqual([0, []]);
  expect(result.clicks).toBe(load.perSecond * 20);
  const [before, around] = result.periods;
  expect(before?.overloads).toBeGreaterThan(0);
  expect(before?.refusedMessages).toBeGreaterThan(0);
  for (const period of [before, around]) {
    expect(period?.lostAnswers).toBeGreaterThan(0);
    expect(period?.redelivered).toBeGreaterThan(0);
    expect(period?.deadLetters).toBe(0);
  }
  expect(reportRun(load, result)).toContain("8,000 clicks, 400 a second from 12 isolates");
});
