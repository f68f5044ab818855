import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportBacklog } from "../../src/health/backlog.ts";
import { BACKLOG_REPORTED_AFTER_MS } from "../../src/limits.ts";
import worker from "../../src/index.ts";
import type { ClickBatchMessage } from "../../src/clicks/capture/message.ts";
import { call, createAccount, createLink, jsonOf, jobContext } from "../support/api.ts";
import { messageOf, logOf, clickOn } from "../support/clicks.ts";

afterEach(() => vi.restoreAllMocks());

const NOW = Date.UTC(2030, 0, 1);

it("reports success to anonymous callers", async () => {
  const response = await call("GET", "/api/health");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await jsonOf(response)).toEqual({
    status: "ok",
    checks: { database: "ok", durableObjects: "ok", queues: "ok" },
  });
});

it("names the failing part without details of the failure", async () => {
  vi.spyOn(env.DELIVERIES, "metrics").mockRejectedValue(new Error("inside"));
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const response = await call("GET", "/api/health");
  expect(response.status).toBe(503);
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    status: "failed",
    checks: { database: "ok", durableObjects: "ok", queues: "failed" },
  });
  expect(text).not.toContain("inside");
});

it("accepts no parameters", async () => {
  expect((await call("GET", "/api/health?deep=1")).status).toBe(400);
});

describe("the backlog of the queues", () => {
  /** The log lines for a queue with its oldest message at `oldest` and with `dead` dead letters. */
  async function logLinesFor(oldest: number | undefined, dead: number): Promise<unknown[]> {
    const some = { backlogCount: 7, backlogBytes: 70 };
    const oldestMessageTimestamp = oldest === undefined ? {} : { oldestMessageTimestamp: new Date(oldest) };
    vi.spyOn(env.CLICKS, "metrics").mockResolvedValue({ ...some, ...oldestMessageTimestamp });
    vi.spyOn(env.DELIVERIES, "metrics").mockResolvedValue({ backlogCount: 0, backlogBytes: 0 });
    vi.spyOn(env.DEAD_CLICKS, "metrics").mockResolvedValue({ backlogCount: dead, backlogBytes: 10 * dead });
    vi.spyOn(env.DEAD_DELIVERIES, "metrics").mockResolvedValue({ backlogCount: 0, backlogBytes: 0 });
    const lines: string[] = [];
    for (const level of ["warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line) => lines.push(line));
    expect(await reportBacklog(jobContext(NOW))).toBe(lines.length);
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  it("is not reported while its oldest message is young", async () => {
    expect(await logLinesFor(undefined, 0)).toEqual([]);
    expect(await logLinesFor(NOW - BACKLOG_REPORTED_AFTER_MS, 0)).toEqual([]);
  });

  it("is reported if its oldest message is too old", async () => {
    const ageMs = BACKLOG_REPORTED_AFTER_MS + 1;
    expect(await logLinesFor(NOW - ageMs, 0)).toEqual([
      { event: "queue_backlog", queue: "clicks", messages: 7, bytes: 70, ageMs },
    ]);
  });

  it("is reported as an error if there are dead letters", async () => {
    expect(await logLinesFor(undefined, 2)).toEqual([
      { event: "dead_letters", queue: "clicks", messages: 2, bytes: 20 },
    ]);
  });
});

it("consumes messages of any queue by their kind, dead letters too, and counts each click once", async () => {
  const { accountId, key } = await createAccount();
  const { id } = await createLink(key);
  const body = messageOf([clickOn(id, accountId), clickOn(id, accountId)]);
  for (const queue of ["tern-clicks", "tern-clicks-dead", "staging-deliveries"]) {
    const batch = createMessageBatch<ClickBatchMessage>(queue, [{ id: "1", timestamp: new Date(), attempts: 1, body }]);
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    expect(await getQueueResult(batch, context)).toMatchObject({
      outcome: "ok",
      retryBatch: { retry: false },
      retryMessages: [],
    });
    expect(await logOf(accountId).changedCounters()).toMatchObject([{ linkId: id, clicks: 2 }]);
  }
});
