import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Job } from "../../src/jobs/contract.ts";
import { continueJobs, runJobs } from "../../src/tags/run-jobs.ts";
import { toJob } from "../../src/jobs/store.ts";
import { newId } from "../../src/lib/uuid.ts";
import { JOB_RESUME_AFTER_MS } from "../../src/limits.ts";
import type { Link } from "../../src/links/contract.ts";
import { toTagKey } from "../../src/lib/tag-key.ts";
import { insertTagJob } from "../../src/tags/store/jobs.ts";
import { call, createAccount, createLink, jobContext, runCron } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { taggedAccount } from "./support.ts";

const { account, api, tagsOf, rename, jobOf, tagsOfLink } = taggedAccount();

describe("a job on many links", () => {
  const countTag = (tag: string) => env.DB.prepare("SELECT links FROM tags WHERE key = ?1").bind(tag).first("links");

  it("is continued by the cron after a crash, and changes each link once", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await insertManyLinks(env.DB, account.accountId, 700);
    await api("POST", "/api/webhooks", { url: "https://example.com/hook", events: ["link.update"] });
    const { job } = await startWithoutRunning("common", "rare");
    await runJobs(jobContext(Date.now(), { DB: failingAfter(1) }), account.accountId);
    expect(await jobOf(job.id)).toMatchObject({ status: "running", done: 500, total: 700, finishedAt: null });
    expect([await countTag("common"), await countTag("rare")]).toEqual([200, 500]);
    await createLink(account.key, { tags: ["Common"] });
    // An old link that the job has passed gets the tag again.
    const first = await env.DB.prepare("SELECT id FROM links ORDER BY seq LIMIT 1").first<string>("id");
    await api("PATCH", `/api/links/${first}`, { tags: ["common", "rare"] });
    await continueJobs(jobContext(Date.now()));
    expect((await jobOf(job.id)).done).toBe(500);
    await continueJobs(jobContext(Date.now() + JOB_RESUME_AFTER_MS));
    expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 702, total: 702 });
    expect([await countTag("common"), await countTag("rare")]).toEqual([null, 701]);
    const events = await env.DB.prepare("SELECT count(*) AS n FROM events").first("n");
    expect(events).toBe(702 + 1);
  });

  it("changes each link once if it is run several times at once", async () => {
    await insertManyLinks(env.DB, account.accountId, 700);
    await api("POST", "/api/webhooks", { url: "https://example.com/hook", events: ["link.update"] });
    const { job } = await startWithoutRunning("common", null);
    await Promise.all([1, 2, 3].map(() => runJobs(jobContext(Date.now()), account.accountId)));
    expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 700, total: 700 });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM events").first("n")).toBe(700);
    expect(await tagsOf()).toEqual([]);
  });

  it("waits for earlier jobs of the account", async () => {
    const { id } = await createLink(account.key, { tags: ["a", "b"] });
    const first = await startWithoutRunning("a", "b");
    const second = await startWithoutRunning("b", "a");
    await runJobs(jobContext(Date.now()), account.accountId);
    const [one, two] = [await jobOf(first.job.id), await jobOf(second.job.id)];
    expect([one, two]).toMatchObject([
      { status: "completed", done: 1 },
      { status: "completed", done: 1 },
    ]);
    expect(await tagsOfLink(id)).toEqual(["a"]);
  });

  it("costs as many rows in a small account as in a large one", async () => {
    const costs = [];
    for (const links of [100, 3_000]) {
      await insertManyLinks(env.DB, account.accountId, links);
      for (const slug of ["n1", "n2"]) await createLink(account.key, { slug, tags: ["needle", "x"] });
      const { job } = await startWithoutRunning("needle", "pin");
      costs.push(await measureD1(() => runJobs(jobContext(Date.now()), account.accountId)));
      expect(await jobOf(job.id)).toMatchObject({ status: "completed", done: 2 });
      await api("PATCH", "/api/links/bulk", {
        ids: (await api<{ links: Link[] }>("GET", "/api/links?tag=pin")).links.map((link) => link.id),
        changes: { tags: null, slug: undefined },
      });
      await env.DB.prepare("DELETE FROM links WHERE slug IN ('n1', 'n2')").run();
    }
    const [small, large] = costs.map(({ roundTrips, rowsRead, rowsWritten }) => [roundTrips, rowsRead, rowsWritten]);
    expect(large).toEqual(small);
  });

  it("is shown to its account only, and deleted after 30 days", async () => {
    await createLink(account.key, { tags: ["a"] });
    const { job } = await rename("a", "b");
    expect((await call("GET", `/api/jobs/${job.id}`, { key: (await createAccount()).key })).status).toBe(403);
    expect((await api("GET", "/api/jobs/none")).status).toBe(404);
    await runCron(Date.now() + 29 * 86_400_000);
    expect((await jobOf(job.id)).status).toBe("completed");
    await runCron(Date.now() + 31 * 86_400_000);
    expect((await api("GET", `/api/jobs/${job.id}`)).status).toBe(404);
  });
});

/** As if the Worker had been stopped right after its response. */
async function startWithoutRunning(tag: string, name: string | null): Promise<{ job: Job }> {
  const now = Date.now();
  const job = { id: newId(now), accountId: account.accountId, key: toTagKey(tag), input: { tag, name } };
  const row = await insertTagJob(env.DB, job, now);
  if (typeof row === "string") throw new Error(row);
  return { job: toJob(row) };
}

/** The database, which fails after this number of transactions. */
function failingAfter(transactions: number): D1Database {
  let left = transactions;
  const batch: D1Database["batch"] = (statements) => {
    if (left-- <= 0) throw new Error("down");
    return env.DB.batch(statements);
  };
  return { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as D1Database;
}
