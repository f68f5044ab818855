import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { importJob } from "../../src/imports/job.ts";
import { changeJob } from "../../src/jobs/change.ts";
import type { NewJob } from "../../src/jobs/job.ts";
import * as store from "../../src/jobs/store/jobs.ts";
import { createTables } from "../../src/jobs/store/tables.ts";

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
    await runInDurableObject(env.JOB_RUNNER.getByName("jobs:kept"), (_, { storage: { sql } }) => {
      createTables(sql);
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
      store.deleteOldest(sql, 7, Infinity);
      expect(kept()).toEqual(["g", "f", "e", "d", "c", "b", "a"]);
      store.deleteOldest(sql, 5, Infinity);
      expect(kept()).toEqual(["f", "e", "c", "b", "a"]);
      store.deleteOldest(sql, 4, Infinity);
      expect(kept()).toEqual(["f", "e", "c", "b"]);
      store.deleteOldest(sql, 5, 0);
      expect(kept()).toEqual(["f", "e", "c"]);
      sql.exec("DELETE FROM jobs");
    });
  });

  it("do not take a choice that was made from an earlier one", async () => {
    await runInDurableObject(env.JOB_RUNNER.getByName("jobs:chosen"), (_, { storage: { sql } }) => {
      createTables(sql);
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
