import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bufferClick } from "../../../src/click-log/capture/buffer.ts";
import type { ClickBatch, ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import { accountId, createLink, key, startAccount } from "../../support/api.ts";
import { clickOn, consume, logOf, logsThat } from "../../support/clicks.ts";
import { INDIRECT_AFTER_OVERLOAD_MS, MAX_CLICKS_PER_MESSAGE, MAX_DIRECT_LOGS } from "../../../src/click-log/limits.ts";

beforeEach(startAccount);

describe("a flush", () => {
  /** Lets clicks on a link of each of these accounts be flushed; returns the batches that reached the queue. */
  async function flush(accounts: (number | null)[], CLICK_LOG: Env["CLICK_LOG"]): Promise<ClickBatch[]> {
    const context = createExecutionContext();
    const queued: ClickBatch[] = [];
    const sendBatch = async (messages: { body: ClickBatchMessage }[]) =>
      void queued.push(...messages.flatMap(({ body }) => body.batches));
    const bindings = { ...env, CLICK_LOG, CLICKS: { sendBatch } as unknown as Env["CLICKS"] };
    for (const account of accounts) bufferClick(clickOn(linkId, account), bindings, context);
    await waitOnExecutionContext(context);
    return queued;
  }

  let linkId: string;
  let lines: ReturnType<typeof vi.spyOn>;
  beforeEach(async () => {
    linkId = (await createLink(key, { slug: "flushed" })).id;
    lines = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  });
  const clicksOf = async () => (await logOf(accountId).countersOf([linkId]))[0]?.clicks;
  const overload = () => Promise.reject(Object.assign(new Error("overloaded"), { overloaded: true }));
  const others = (count: number) => Array.from({ length: count }, (_, n) => accountId + 1 + n);

  it("stores its clicks without the queue", async () => {
    expect(await flush([accountId, accountId], env.CLICK_LOG)).toEqual([]);
    expect(await clicksOf()).toBe(2);
    expect(lines).not.toHaveBeenCalled();
  });

  it("calls each ClickLog once, with all batches", async () => {
    const calls: [string, number][] = [];
    const accounts = [...Array<number>(2 * MAX_CLICKS_PER_MESSAGE).fill(accountId), ...others(2)];
    const logs = logsThat(async (batches, log) => void calls.push([log, batches.length]));
    expect(await flush(accounts, logs)).toEqual([]);
    expect(calls).toEqual([
      [`account:${accountId}`, 2],
      [`account:${accountId + 1}`, 1],
      [`account:${accountId + 2}`, 1],
    ]);
  });

  it("sends the same batches through the queue if a ClickLog fails, and only those", async () => {
    const offered: ClickBatch[] = [];
    const logs = logsThat(async (batches, log) => {
      offered.push(...batches);
      if (log === `account:${accountId}`) throw new Error("restarted");
    });
    const queued = await flush([accountId, accountId + 1], logs);
    expect(queued).toEqual(offered.filter((batch) => batch.accountId === accountId));
    expect(queued).toHaveLength(1);
    expect(lines).toHaveBeenCalledTimes(1);
    // It is called again at once: a restart is over soon.
    expect(await flush([accountId], env.CLICK_LOG)).toEqual([]);
  });

  it("counts clicks once whose response was lost", async () => {
    const logs = logsThat(async (batches) => {
      await logOf(accountId).ingest(batches);
      throw new Error("Network connection lost.");
    });
    const batches = await flush([accountId], logs);
    expect(await clicksOf()).toBe(1);
    expect((await consume([{ kind: "clicks", batches }])).retried).toEqual([]);
    expect(await clicksOf()).toBe(1);
  });

  it("does not wait longer than its time for a silent ClickLog, and then spares it for a while", async () => {
    let calls = 0;
    const logs = logsThat(() => {
      calls++;
      return new Promise(() => undefined);
    });
    expect(await flush([accountId], logs)).toHaveLength(1);
    expect(await flush([accountId], logs)).toHaveLength(1);
    expect(calls).toBe(1);
  });

  it("spares a ClickLog that was overloaded, and no other one", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    let calls = 0;
    const logs = logsThat((_, log) => {
      calls++;
      return log === `account:${accountId}` ? overload() : Promise.resolve();
    });
    expect(await flush([accountId, accountId + 1], logs)).toHaveLength(1);
    expect(await flush([accountId, accountId + 1], logs)).toHaveLength(1);
    expect(calls).toBe(3);
    vi.setSystemTime(Date.now() + INDIRECT_AFTER_OVERLOAD_MS);
    expect(await flush([accountId], env.CLICK_LOG)).toEqual([]);
  });

  it("goes through the queue if it is for many ClickLogs", async () => {
    let calls = 0;
    const logs = logsThat(async () => void calls++);
    expect(await flush(others(MAX_DIRECT_LOGS), logs)).toEqual([]);
    expect(calls).toBe(MAX_DIRECT_LOGS);
    expect(await flush(others(MAX_DIRECT_LOGS + 1), logs)).toHaveLength(MAX_DIRECT_LOGS + 1);
    expect(calls).toBe(MAX_DIRECT_LOGS);
  });

  it("stores clicks while the queue is down", async () => {
    const sendBatch = () => Promise.reject(new Error("the queue is down"));
    const context = createExecutionContext();
    const bindings = { ...env, CLICKS: { sendBatch } as unknown as Env["CLICKS"] };
    for (let n = 0; n < 600; n++) bufferClick(clickOn(linkId, accountId), bindings, context);
    await waitOnExecutionContext(context);
    expect(await clicksOf()).toBe(600);
  });
});
