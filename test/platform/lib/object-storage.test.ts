import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CLICK_LOG_STEPS } from "../../../src/click-log/log/rows.ts";
import { jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import { JOB_RUNNER_STEPS } from "../../../src/jobs/store/tables.ts";
import { openStorage } from "../../../src/platform/lib/object-storage.ts";
import { finish, prepare } from "../../moving/imports/support.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send } from "../../support/api.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { contentOf, expectRefused, openWithNewerCode, REFUSAL, takeBack } from "../../support/newer-storage.ts";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";

const HOUR_MS = 3_600_000;

const NEWER_CLICKS = {
  steps: CLICK_LOG_STEPS,
  change: "ALTER TABLE clicks ADD COLUMN note TEXT; UPDATE clicks SET note = 'about ' || link;",
  undo: "ALTER TABLE clicks DROP COLUMN note",
};
const NEWER_JOBS = {
  steps: JOB_RUNNER_STEPS,
  change: "ALTER TABLE jobs RENAME COLUMN input TO request; DROP TABLE uploads;",
  undo: "ALTER TABLE jobs RENAME COLUMN request TO input; CREATE TABLE uploads (at INTEGER NOT NULL) STRICT;",
};

const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

/** Runs the alarm in code that does not know the storage. It must come again. */
async function expectAlarmPutOff(stub: DurableObjectStub): Promise<void> {
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  const at = await alarmOf(stub);
  expect(at).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  expect(at).toBeLessThanOrEqual(Date.now() + HOUR_MS);
}

describe("the storage of an object", () => {
  const CREATE = "CREATE TABLE IF NOT EXISTS notes (text TEXT)";
  const RENAME = "ALTER TABLE notes RENAME TO texts";
  const FILL = "INSERT INTO texts (text) VALUES ('third')";
  const stub = () => env.JOB_RUNNER.getByName("steps");
  const open = (...steps: [string, ...string[]]) =>
    runInDurableObject(stub(), (_, { storage }) => openStorage(storage, steps));

  it("is made at the newest version, and opened again without a change", async () => {
    await open(CREATE, RENAME, FILL);
    const content = await contentOf(stub());
    expect(content).toEqual({ texts: [{ text: "third" }], byKey: [["version", 3]] });
    await open(CREATE, RENAME, FILL);
    expect(await contentOf(stub())).toEqual(content);
  });

  it("gets the steps that it lacks, and keeps its rows", async () => {
    await open(CREATE);
    expect(await contentOf(stub())).toEqual({ notes: [], byKey: [] });
    await runInDurableObject(stub(), (_, { storage }) => storage.sql.exec("INSERT INTO notes VALUES ('first')"));
    await open(CREATE, RENAME);
    await open(CREATE, RENAME, FILL);
    expect(await contentOf(stub())).toEqual({ texts: [{ text: "first" }, { text: "third" }], byKey: [["version", 3]] });
  });

  it("stays at its version if a step fails", async () => {
    await open(CREATE, RENAME);
    const content = await contentOf(stub());
    await expect(open(CREATE, RENAME, `${FILL}; INSERT INTO missing VALUES (1)`)).rejects.toThrow("missing");
    expect(await contentOf(stub())).toEqual(content);
  });

  it("is refused and not changed by code that does not know its version", async () => {
    await open(CREATE, RENAME);
    const content = await contentOf(stub());
    await expect(open(CREATE)).rejects.toThrow(REFUSAL);
    expect(await contentOf(stub())).toEqual(content);
  });
});

describe("a ClickLog", () => {
  it("of version 1 is opened by newer code with its clicks; older code refuses it, and the clicks wait in the queue", async () => {
    const { key, accountId } = await createAccount();
    const link = await createLink(key, { slug: "followed" });
    const log = logOf(accountId);
    const total = async () =>
      (await jsonOf<{ clicks: { total: number } }>(await call("GET", "/api/clicks", { key }))).clicks.total;
    await consume([messageOf([clickOn(link.id, accountId)])]);
    expect(await total()).toBe(1);

    await openWithNewerCode(log, NEWER_CLICKS);
    const content = await contentOf(log);
    expect(content["clicks"]).toMatchObject([{ link: link.id, clicks: 1, note: `about ${link.id}` }]);
    await expectRefused(() => log.firstClickAt());

    // A visit is redirected, and its click goes to the queue, which delivers it again and again.
    const queued: ClickBatchMessage[] = [];
    const sendBatch = (messages: Iterable<MessageSendRequest<ClickBatchMessage>>) => {
      for (const { body } of messages) queued.push(body);
      return Promise.resolve();
    };
    const queue = { CLICK_LOG: env.CLICK_LOG, CLICKS: { sendBatch } as unknown as Env["CLICKS"] };
    expect((await send(buildRequest("GET", "/followed"), queue)).status).toBe(302);
    await vi.waitUntil(() => queued.length > 0);
    expect((await consume(queued)).retried).toHaveLength(1);
    await expectAlarmPutOff(log);
    expect(await contentOf(log)).toEqual(content);

    await takeBack(log, NEWER_CLICKS);
    expect((await consume(queued)).retried).toEqual([]);
    expect(await total()).toBe(2);
  });

  it("that was emptied begins with the newest version", async () => {
    const { accountId } = await createAccount();
    const log = logOf(accountId);
    await openWithNewerCode(log, NEWER_CLICKS);
    await runInDurableObject(log, (_, { storage }) => storage.deleteAll());
    await evictDurableObject(log);
    expect(await log.firstClickAt()).toBeNull();
  });
});

describe("a JobRunner", () => {
  it("of version 1 is opened by newer code with its jobs; older code refuses it, and the job goes on later", async () => {
    const { key, accountId } = await createAccount();
    const runner = jobRunnerOf(env, accountId, "jobs");
    const { id } = await prepare(key, "url,slug\nhttps://example.com/,imported\n");
    await openWithNewerCode(runner, NEWER_JOBS);
    const content = await contentOf(runner);
    expect(content["jobs"]).toMatchObject([{ id, kind: "import", request: expect.any(String) }]);
    await expectRefused(() => runner.find(id));
    expect((await call("GET", `/api/imports/${id}`, { key })).status).toBe(500);
    expect((await call("POST", `/api/imports/${id}/start`, { key })).status).toBe(500);
    await expectAlarmPutOff(runner);
    expect(await contentOf(runner)).toEqual(content);

    await takeBack(runner, NEWER_JOBS);
    expect(await finish(key, id)).toMatchObject({ status: "done" });
    expect((await call("GET", "/imported")).status).toBe(302);
  });

  it("without jobs stores nothing, and refuses newer storage whatever its tables are called", async () => {
    const runner = env.JOB_RUNNER.getByName("jobs:none");
    expect(await runner.find("none")).toBeNull();
    expect(await contentOf(runner)).toEqual({ byKey: [] });
    await openWithNewerCode(runner, { ...NEWER_JOBS, change: "ALTER TABLE jobs RENAME TO work" });
    await expectRefused(() => runner.find("none"));
  });
});
