import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { importJob } from "../../src/moving/imports/job.ts";
import { changeJob } from "../../src/jobs/change.ts";
import type { NewJob } from "../../src/jobs/job.ts";
import { MAX_KEPT_JOBS } from "../../src/jobs/limits.ts";
import { jobRunnerOf } from "../../src/jobs/runner-stub.ts";
import * as store from "../../src/jobs/store/jobs.ts";
import { createTables } from "../../src/jobs/store/tables.ts";
import { JOB_TTL_MS, MAX_JOBS_PER_WINDOW } from "../../src/limits.ts";
import { act, finish, prepare } from "../moving/imports/support.ts";
import { createAccount } from "../support/api.ts";

const STARTER = { type: "key", id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" } as const;
const CHOSEN = ["the input that was read", "an input chosen meanwhile"] as const;

const newJob = (id: string): NewJob => ({
  id,
  kind: "import",
  accountId: 1,
  starter: STARTER,
  baseUrl: "https://tern.test",
  input: CHOSEN[0],
  total: 0,
  isReceiving: true,
});

describe("the jobs of an account", () => {
  it("make room for new ones: first those that ended without a start, then others that ended, then those that wait, never those that run", async () => {
    await runInDurableObject(env.JOB_RUNNER.getByName("jobs:kept"), (_, { storage }) => {
      const { sql } = storage;
      createTables(storage);
      const jobs = {
        a: "ready",
        b: "paused",
        c: "running",
        d: "done",
        e: "receiving",
        f: "undoing",
        g: "undone",
        h: "cancelled",
      };
      const now = Date.now();
      for (const [id, status] of Object.entries(jobs))
        store.insertJob(sql, newJob(id), status as store.StoredJob["status"], now, now, id === "h" ? null : now);
      const kept = () => store.listJobs(sql, "import", null, 10).map(({ id }) => id);
      store.deleteOldest(sql, 7, Infinity, now);
      expect(kept()).toEqual(["g", "f", "e", "d", "c", "b", "a"]);
      store.deleteOldest(sql, 5, Infinity, now);
      expect(kept()).toEqual(["f", "e", "c", "b", "a"]);
      store.deleteOldest(sql, 4, Infinity, now);
      expect(kept()).toEqual(["f", "e", "c", "b"]);
      store.deleteOldest(sql, 5, 0, now);
      expect(kept()).toEqual(["f", "e", "c"]);
      sql.exec("DELETE FROM jobs");
    });
  });

  it("count as started for the whole window, also if uploads that are never started make room", async () => {
    const { key, accountId } = await createAccount();
    const file = "url\nhttps://example.com/\n";
    const { id } = await prepare(key, file);
    await finish(key, id);
    const inRunner = <T>(run: (sql: SqlStorage) => T) =>
      runInDurableObject(jobRunnerOf(env, accountId, "jobs"), (_, { storage: { sql } }) => run(sql));
    const now = Date.now();
    const idOf = (n: number) => `0-older-${String(n).padStart(3, "0")}`;
    await inRunner((sql) => {
      for (let n = 1; n < MAX_JOBS_PER_WINDOW; n++)
        store.insertJob(sql, { ...newJob(idOf(n)), accountId }, "done", now + JOB_TTL_MS, now, now);
      for (let n = MAX_JOBS_PER_WINDOW; n < MAX_KEPT_JOBS; n++)
        store.insertJob(sql, { ...newJob(idOf(n)), accountId }, "ready", now + JOB_TTL_MS, now);
    });
    const uploaded = [await prepare(key, file), await prepare(key, file)];
    const kept = await inRunner((sql) => store.listJobs(sql, "import", null, MAX_KEPT_JOBS + 1));
    expect(kept).toHaveLength(MAX_KEPT_JOBS);
    expect(kept.filter(({ startedAt }) => startedAt !== null)).toHaveLength(MAX_JOBS_PER_WINDOW);
    expect((await act(key, uploaded[1]?.id ?? "", "start")).status).toBe(429);
  });

  it("do not take a choice that was made from an earlier one", async () => {
    await runInDurableObject(env.JOB_RUNNER.getByName("jobs:chosen"), (_, { storage }) => {
      const { sql } = storage;
      createTables(storage);
      store.insertJob(sql, { ...newJob("a"), input: CHOSEN[1] }, "ready", Date.now(), Date.now());
      const job = store.findJob(sql, "a") as store.StoredJob;
      const configure = { action: "configure", input: "another one", starter: STARTER } as const;
      expect(changeJob(job, { ...configure, from: CHOSEN[0] }, importJob, Date.now())).toBeNull();
      expect(changeJob(job, { ...configure, from: CHOSEN[1] }, importJob, Date.now())).toMatchObject({
        status: "reading",
      });
      sql.exec("DELETE FROM jobs");
    });
  });
});
