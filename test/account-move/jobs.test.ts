import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { moveNextAccount } from "../../src/account-move/move.ts";
import type { Lane } from "../../src/jobs/lane.ts";
import { MAX_JOB_FAILURES } from "../../src/jobs/limits.ts";
import { jobRunnerOf, type JobRunnerStub } from "../../src/jobs/runner-stub.ts";
import { call, createLink, jobContext, jsonOf } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { askForMove, finishMove } from "./support.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  useDatabases();
  accounts = await createPlacedAccounts();
});

interface KindOfJob {
  lane: Lane["name"];
  /** Links with the tag `common`: several pages of the job. */
  links: number;
  /** Part of the statement that changes the links of a page. */
  change: string;
  start: (key: string) => Promise<Response>;
  /** What the job makes of a link. */
  model: (link: StoredLink) => StoredLink;
  /** The tags of the account afterwards. */
  tags: string[];
}

interface StoredLink {
  id: string;
  title: string;
  tags: string;
}

const RENAME: KindOfJob = {
  lane: "tags",
  links: 1_100,
  change: "UPDATE links SET tags = n.tags",
  start: async (key) => call("PATCH", "/api/tags/common", { key, body: { name: "rare" } }),
  model: (link) => ({ ...link, tags: '["rare"]' }),
  tags: ["rare"],
};

const BULK: KindOfJob = {
  lane: "jobs",
  links: 160,
  change: "UPDATE links AS l",
  start: async (key) =>
    call("POST", "/api/bulk", { key, body: { filter: {}, changes: { title: "by the job", addTags: ["more"] } } }),
  model: (link) => ({ ...link, title: "by the job", tags: '["common","more"]' }),
  tags: ["common", "more"],
};

async function linksIn(number: number, accountId: number): Promise<StoredLink[]> {
  const { results } = await (databases()[number] as D1Database)
    .prepare("SELECT id, title, tags FROM links WHERE account_id = ?1 ORDER BY id")
    .bind(accountId)
    .all<StoredLink>();
  return results;
}

/** Runs the cron's task until the account is in the other database; its former rows are still there. */
async function flip(): Promise<void> {
  for (let runs = 0; runs < 5; runs++) {
    await moveNextAccount(jobContext(Date.now()));
    if ((await env.DB.prepare("SELECT state FROM account_moves").first("state")) === "keeping") return;
  }
  throw new Error("the account does not move");
}

const alarm = async (runner: JobRunnerStub) => {
  await runInDurableObject(runner, (_, { storage: { sql } }) =>
    sql.exec("UPDATE jobs SET due_at = 1 WHERE status IN ('reading', 'running')"),
  );
  await runDurableObjectAlarm(runner);
  return runInDurableObject(runner, (_, { storage: { sql } }) =>
    sql.exec<{ status: string; done: number }>("SELECT status, done FROM jobs").one(),
  );
};

it.each([
  ["renames a tag", RENAME, "before", 1, 2],
  ["renames a tag", RENAME, "after", 2, 0],
  ["renames a tag", RENAME, "during", 0, 1],
  ["changes links in bulk", BULK, "before", 1, 2],
  ["changes links in bulk", BULK, "after", 2, 0],
  ["changes links in bulk", BULK, "during", 0, 1],
] as const)("a job %s once, with one event a link, if the account moves: %#", async (_, job, when, source, target) => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { accountId, key } = accounts[source];
  const hook = { url: "https://example.com/hook", events: ["link.update"] };
  expect((await call("POST", "/api/webhooks", { key, body: hook })).status).toBe(201);
  // After that call, because it has copied the account into its database.
  await insertManyLinks(databases()[source], accountId, job.links);
  const expected = (await linksIn(source, accountId)).map(job.model);
  await askForMove(accountId, target);
  const runner = jobRunnerOf(env, accountId, job.lane);
  let pages = 0;
  let move = Promise.resolve();
  await interceptD1(
    async (sql, send) => {
      if (!statementsOf(sql).some((each) => each.includes(job.change)) || ++pages !== 2) return send();
      if (when !== "after") move = flip();
      if (when === "before") await move;
      const result = await send();
      if (when === "after") await (move = flip());
      return result;
    },
    async () => {
      expect((await job.start(key)).status).toBe(202);
      let state = await alarm(runner);
      for (let alarms = 1; ["reading", "running"].includes(state.status) && alarms < 40; alarms++)
        state = await alarm(runner);
      expect(state).toEqual({ status: "done", done: job.links });
      await move;
    },
  );
  expect(await linksIn(target, accountId)).toEqual(expected);
  await finishMove();
  expect(await linksIn(source, accountId)).toEqual([]);
  expect(await linksIn(target, accountId)).toEqual(expected);
  const perLink = "SELECT body ->> '$.data.id' AS id, count(*) AS events FROM deliveries GROUP BY 1 ORDER BY 1";
  const { results: events } = await databases()[target].prepare(perLink).all();
  expect(events).toEqual(expected.map(({ id }) => ({ id, events: 1 })));
  const { tags } = await jsonOf<{ tags: unknown[] }>(await call("GET", "/api/tags", { key }));
  expect(tags).toMatchObject(job.tags.map((name) => ({ name, links: job.links })));
});

it("a job waits while writes for its account are refused, and counts no failure", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { accountId, key } = accounts[1];
  await createLink(key, { tags: ["common"] });
  await askForMove(accountId, 2);
  const runner = jobRunnerOf(env, accountId, "tags");
  const failed = async () =>
    runInDurableObject(runner, (_, { storage: { sql } }) => sql.exec("SELECT failures FROM jobs").one()["failures"]);
  // The run dies once it has stopped the writes.
  await interceptD1(
    async (sql, send) => {
      const result = await send();
      if (statementsOf(sql).some((each) => each.includes("SET stopped_by = ?2")))
        throw new Error("the isolate has died");
      return result;
    },
    () => expect(moveNextAccount(jobContext(Date.now()))).rejects.toThrow("has died"),
  );
  expect((await RENAME.start(key)).status).toBe(202);
  for (let alarms = 0; alarms <= MAX_JOB_FAILURES; alarms++) {
    expect(await alarm(runner)).toEqual({ status: "running", done: 0 });
    expect(await failed()).toBe(0);
  }
  await finishMove();
  expect(await alarm(runner)).toEqual({ status: "done", done: 1 });
});
