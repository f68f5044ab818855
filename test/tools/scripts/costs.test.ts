import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { costOf, priceOf } from "../../../tools/bench/costs.ts";
import { COUNTED, useOf, type Operation } from "../../../tools/bench/counts.ts";
import { linkShares, simulateFlushes } from "../../../tools/bench/monthly/flushes.ts";
import { BILLION, type Mix } from "../../../tools/bench/monthly/mix.ts";
import { tableAfter } from "../../docs/support/pages.ts";
import { ROOT } from "../../e2e/support/build.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

const PAGE = "docs/costs.md";

function runCosts(...options: string[]) {
  const command = ["run", "--silent", "costs", "--", ...options];
  return spawnSync("npm", command, { cwd: ROOT, encoding: "utf8", timeout: COMMAND_TIMEOUT_MS });
}

/** The rows of a Markdown table without its head. */
const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .slice(2)
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const publishedRows = (heading: string) => tableAfter(PAGE, heading).map(({ cells }) => cells);

const flushesOf = (mix: Mix) => simulateFlushes(mix, linkShares(mix));

describe("npm run costs", () => {
  it("prints the tables of the page", () => {
    const { stdout, stderr, status } = runCosts();
    expect(status, stderr).toBe(0);
    const [causes = "", usage = "", mix = "", others = "", free = ""] = stdout.split("\n\n");
    expect(publishedRows("## Installations")).toEqual(rowsOf(causes));
    expect(publishedRows("### The mix")).toEqual(rowsOf(mix));
    expect(publishedRows("### The arithmetic")).toEqual(rowsOf(usage));
    expect(publishedRows("### What dominates")).toEqual(rowsOf(others));
    expect(publishedRows("## The free plan")).toEqual(rowsOf(free));
  });

  it("calculates with other numbers, and rejects what is none", () => {
    const onlyRedirects = [
      "uncountedPerClick",
      "unknownPerClick",
      "webhookShare",
      "creationsPerClick",
      "readsPerClick",
    ];
    const { stdout } = runCosts(
      "--clicks",
      "1e8",
      "--links",
      "1e5",
      ...onlyRedirects.flatMap((name) => [`--${name}`, "0"]),
    );
    const rows = rowsOf(stdout.split("\n\n")[1] ?? "");
    // 100 million requests, of which the plan includes 10 million, and 20 million ms of CPU, which it includes.
    expect(rows[0]).toEqual(["requests, millions", "100", "10", "0.3", "27.00"]);
    expect(rows[1]).toEqual(["CPU, millions of ms", "20", "30", "0.02", "0.00"]);
    expect(runCosts("--clicks", "many").stderr).toContain('--clicks must be a number from 0 up, not "many"');
    expect(runCosts("--visits", "1").status).not.toBe(0);
  });
});

describe("the simulation of flushes", () => {
  it("calls a ClickLog and writes a row for each click of many links", () => {
    expect(flushesOf({ ...BILLION, clicks: 1_000 })).toEqual({ calls: 1, rows: 1, messages: 0, batches: 0, alone: 1 });
  });

  it("writes one row a flush for a single link, at the rate of the clicks", () => {
    const month = 30 * 24 * 3_600;
    const { calls, rows, alone } = flushesOf({ ...BILLION, clicks: month * 36, links: 1, isolates: 1 });
    // One click starts the flush, and nine come in its quarter second.
    expect(calls).toBeCloseTo(1 / 10, 2);
    expect(rows).toBe(calls);
    expect(alone).toBeLessThan(0.001);
  });

  it("sends flushes for many ClickLogs as messages, and stores those of a second together", () => {
    const { messages, batches, calls } = flushesOf({ ...BILLION, isolates: 2 });
    expect(messages).toBeGreaterThan(0.01);
    expect(batches).toBeLessThan(messages / 2);
    expect(calls).toBeLessThan(0.9);
  });
});

describe("the prices of operations", () => {
  it("are published as counted", () => {
    const rows = publishedRows("## Operations");
    for (const [name, counts] of Object.entries(COUNTED)) {
      const [, dollars = "", requests, database, objects, , queue] = rows.find(([first]) => first === name) ?? [];
      const [counted, databaseRows, objectUse, queueOperations] = counts;
      expect([name, requests, database, objects, queue]).toEqual([
        name,
        String(counted),
        databaseRows.join(", "),
        objectUse.join(", "),
        String(queueOperations),
      ]);
      // The rows that objects read and the time that they are active add up to three cents.
      const price = priceOf(useOf(name as Operation));
      expect(Number(dollars)).toBeGreaterThanOrEqual(Number(price.toFixed(2)));
      expect(Number(dollars)).toBeLessThan(price + 0.03);
    }
  });

  it("add up everything that was counted", () => {
    const none = { databaseRoundTrips: 0, logRowsRead: 0, limiterRowsRead: 0, databaseRowsRead: 0 };
    const counts = { ...none, consumerRequests: 1, queueOperations: 3, logRequests: 1, limiterRequests: 1 };
    const rows = {
      logRowsWritten: 1,
      limiterRowsWritten: 1,
      databaseRowsWritten: 2,
      logActiveMs: 250,
      limiterActiveMs: 750,
    };
    const { use, dollars } = costOf({ operation: "it", requests: 1, counters: { ...counts, ...rows } });
    expect(use).toMatchObject({ workerRequest: 2, objectRequest: 2, objectRowWritten: 2, databaseRowWritten: 2 });
    expect(use.objectGigabyteSecond).toBeCloseTo(0.128);
    expect(dollars).toBeCloseTo(2 * 0.3 + 3 * 0.4 + 2 * 0.15 + 0.128 * 12.5 + 2 + 2);
  });
});
