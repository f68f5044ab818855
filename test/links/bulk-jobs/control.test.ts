import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { BulkJob } from "../../../src/links/bulk-jobs/contract.ts";
import { deleteJobs, jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import { JOB_TTL_MS } from "../../../src/limits.ts";
import { addKey, call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { interceptD1, statementsOf, whileHeld } from "../../support/d1-client.ts";
import { actFor, join, makeTeam } from "../../identity/teams/support.ts";
import {
  act,
  BULK,
  createLinks,
  eventsOf,
  failuresOf,
  finish,
  readJob,
  runJob,
  startJob,
  storedLinks,
  undoJob,
} from "./support.ts";
import { JOB_PAGES_PER_ALARM, JOB_WINDOW_MS } from "../../../src/jobs/limits.ts";
import { BULK_JOB_PAGE_LINKS, MAX_BULK_JOB_LINKS } from "../../../src/links/bulk-jobs/limits.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const TITLE = { filter: {}, changes: { title: "by the job" } };

/** Runs while pages that change links wait, or those with another statement. */
const whilePagesHeld = <T>(run: () => Promise<T>, held = "UPDATE links AS l"): Promise<T> =>
  whileHeld((statements) => statements.some((each) => each.includes(held)), run);

const countTitles = async (accountId: number) =>
  [...(await storedLinks(accountId)).values()].filter(({ title }) => title === "by the job").length;

describe("a bulk job", () => {
  it("is paused, resumed and cancelled between pages, and then undone", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 350);
    const before = await storedLinks(accountId);
    const { id } = await whilePagesHeld(async () => {
      const started = await startJob(key, TITLE);
      await vi.waitUntil(async () => (await readJob(key, started.id)).status === "running", { timeout: 20_000 });
      expect((await act(key, started.id, "undo")).status).toBe(409);
      expect((await act(key, started.id, "pause")).job.status).toBe("paused");
      expect((await act(key, started.id, "pause")).status).toBe(202);
      return started;
    });
    // The page that had begun is finished.
    await vi.waitUntil(async () => (await readJob(key, id)).progress.done === BULK_JOB_PAGE_LINKS, { timeout: 20_000 });
    await runDurableObjectAlarm(jobRunnerOf(env, accountId, "jobs"));
    expect(await readJob(key, id)).toMatchObject({
      status: "paused",
      progress: { done: BULK_JOB_PAGE_LINKS, total: 350 },
      changed: BULK_JOB_PAGE_LINKS,
    });
    expect(await countTitles(accountId)).toBe(BULK_JOB_PAGE_LINKS);
    await whilePagesHeld(async () => {
      expect((await act(key, id, "resume")).job.status).toBe("running");
      expect((await act(key, id, "cancel")).job.status).toBe("cancelled");
    });
    for (const action of ["resume", "pause"]) expect((await act(key, id, action)).status).toBe(409);
    expect(await undoJob(key, id)).toMatchObject({ status: "undone", notUndone: 0 });
    expect(await storedLinks(accountId)).toEqual(before);
    for (const action of ["undo", "cancel"]) expect((await act(key, id, action)).status).toBe(409);
  });

  it("changes each link once, with one event, if the object is killed before and after each step", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 250);
    const hook = { url: "https://hooks.receiver.dev/in", events: ["link.update"] };
    await call("POST", "/api/webhooks", { key, body: hook });
    const before = await storedLinks(accountId);
    let kills = 0;
    const kill = async () => {
      kills++;
      await runInDurableObject(jobRunnerOf(env, accountId, "jobs"), (_, state) => state.abort("killed")).catch(
        () => null,
      );
    };
    const run = async (work: () => Promise<string>) => {
      kills = 0;
      let step = 0;
      let id = "";
      await interceptD1(
        async (sql, send) => {
          const isPage = statementsOf(sql).some((each) => each.includes("UPDATE links AS l"));
          // Before and after the change of each page, and of its repetition.
          if (isPage && kills < 6 && step++ % 2 === 0) await kill();
          const result = await send();
          if (isPage && kills < 6 && step % 2 === 0) await kill();
          return result;
        },
        async () => {
          id = await work();
          for (let attempt = 0; attempt < 30; attempt++) {
            await runDurableObjectAlarm(jobRunnerOf(env, accountId, "jobs")).catch(() => null);
            if (["done", "undone"].includes((await readJob(key, id)).status)) break;
          }
        },
      );
      expect(kills).toBe(6);
      return finish(key, id);
    };
    const job = await run(async () => (await startJob(key, TITLE)).id);
    expect(job).toMatchObject({ status: "done", changed: 250, unchanged: 0, failed: 0 });
    expect(await countTitles(accountId)).toBe(250);
    expect([...(await eventsOf()).values()]).toEqual(Array.from({ length: 250 }, () => ["link.update"]));
    const undone = await run(async () => (await act(key, job.id, "undo")).job.id);
    expect(undone).toMatchObject({ status: "undone", undone: 250, notUndone: 0 });
    expect(await storedLinks(accountId)).toEqual(before);
    expect([...(await eventsOf()).values()]).toEqual(Array.from({ length: 250 }, () => ["link.update", "link.update"]));
    expect(await failuresOf(key, job.id)).toEqual([]);
  });

  it("stops when its key is revoked, or its person's role is lowered, and others undo it", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 250);
    const before = await storedLinks(accountId);
    const second = await addKey(accountId, ["bulk", "links:write"]);
    const fault = expect.objectContaining({ code: "job_not_allowed" }) as object;
    // One page lists the links.
    const inOneAlarm = (JOB_PAGES_PER_ALARM - 1) * BULK_JOB_PAGE_LINKS;
    const { id } = await whilePagesHeld(async () => {
      const started = await startJob(second.key, TITLE);
      await vi.waitUntil(async () => (await readJob(key, started.id)).status === "running", { timeout: 20_000 });
      expect((await call("DELETE", `/api/keys/${second.keyId}`, { key })).status).toBe(200);
      return started;
    });
    expect(await finish(key, id)).toMatchObject({ status: "failed", fault, changed: inOneAlarm });
    expect(await undoJob(key, id)).toMatchObject({ status: "undone", undone: inOneAlarm });
    expect(await storedLinks(accountId)).toEqual(before);

    const team = await makeTeam();
    const [member, admin] = [await join(team, "member"), await join(team, "admin")];
    const links = Array.from({ length: 100 }, (_, n) => ({ url: `https://example.com/${n}` }));
    for (let n = 0; n < 2; n++) await actFor(team, member, "POST", "/api/links/bulk", { links });
    const read = async (person: typeof admin) =>
      (await actFor(team, person, "GET", `${BULK}/${job.id}`)).body["job"] as BulkJob;
    const { job } = await whilePagesHeld(async () => {
      const started = (await actFor(team, member, "POST", BULK, TITLE)).body as unknown as { job: BulkJob };
      const path = `/api/teams/${team.id}/members/${member.userId}`;
      expect((await team.owner.browser.send("PATCH", path, { body: { role: "viewer" } })).status).toBe(200);
      return started;
    });
    await vi.waitUntil(async () => (await read(admin)).status === "failed", { timeout: 20_000 });
    expect(await read(admin)).toMatchObject({ fault });
    expect((await actFor(team, member, "GET", `${BULK}/${job.id}`)).status).toBe(403);
  });

  it("runs twice at once and ten times an hour, also with parallel starts, and is kept for a week", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { accountId, key } = await createAccount();
    await createLinks(key, 1);
    const accepted = await whilePagesHeld(async () => {
      const starts = Array.from({ length: 40 }, () => call("POST", BULK, { key, body: TITLE }));
      const answers = await Promise.all(starts);
      const started = answers.filter(({ status }) => status === 202);
      const refused = await Promise.all(
        answers.filter(({ status }) => status !== 202).map((answer) => jsonOf<ErrorJson>(answer)),
      );
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["limit_reached"]));
      return Promise.all(started.map(async (answer) => (await jsonOf<{ job: BulkJob }>(answer)).job.id));
    }, "SELECT id, l.rowid");
    expect(accepted).toHaveLength(2);
    for (const id of accepted) expect(await finish(key, id)).toMatchObject({ status: "done" });
    for (let n = 2; n < 10; n++) await runJob(key, TITLE);
    const late = await call("POST", BULK, { key, body: TITLE });
    expect([late.status, (await jsonOf<ErrorJson>(late)).code]).toEqual([429, "rate_limited"]);
    expect(Number(late.headers.get("Retry-After"))).toBeLessThanOrEqual(JOB_WINDOW_MS / 1000);

    const pages = await call("GET", `${BULK}?limit=4`, { key });
    const first = await jsonOf<{ jobs: BulkJob[]; nextCursor: string }>(pages);
    const rest = await call("GET", `${BULK}?limit=10&cursor=${first.nextCursor}`, { key });
    const ids = [...first.jobs, ...(await jsonOf<{ jobs: BulkJob[] }>(rest)).jobs].map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(ids).toEqual(ids.toSorted().toReversed());

    vi.setSystemTime(Date.now() + JOB_TTL_MS);
    expect((await call("GET", `${BULK}/${ids[0]}`, { key })).status).toBe(404);
    await runDurableObjectAlarm(jobRunnerOf(env, accountId, "jobs"));
    expect(await tablesOf(accountId)).toEqual([0, false]);
  });

  it("is refused to others, and is deleted with its account", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 1);
    const { id } = await runJob(key, TITLE);
    const stranger = await createAccount();
    for (const path of ["", "/failures"])
      for (const [each, status] of [
        [id, 403],
        [SOME_ID, 404],
        ["1", 404],
      ])
        expect((await call("GET", `${BULK}/${each}${path}`, { key: stranger.key })).status).toBe(status);
    for (const action of ["pause", "resume", "cancel", "undo"])
      expect((await call("POST", `${BULK}/${id}/${action}`, { key: stranger.key })).status).toBe(403);
    expect(await tablesOf(accountId)).toEqual([2, true]);
    await deleteJobs(env, accountId);
    expect(await tablesOf(accountId)).toEqual([0, false]);
    expect((await call("GET", `${BULK}/${id}`, { key })).status).toBe(404);
    expect(await jsonOf(await call("GET", BULK, { key }))).toEqual({ jobs: [], nextCursor: null });
  });

  it("fails without a change if the filter matches too many links", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 3);
    const id = await whilePagesHeld(async () => {
      const { id } = await startJob(key, TITLE);
      await runInDurableObject(jobRunnerOf(env, accountId, "jobs"), (_, { storage }) => {
        const position = JSON.stringify({ after: SOME_ID.replace("0192", "fff2"), total: MAX_BULK_JOB_LINKS - 2 });
        storage.sql.exec("UPDATE jobs SET position = ? WHERE id = ?", position, id);
      });
      return id;
    }, "SELECT id, l.rowid");
    const fault = { code: "too_many_matches", max: MAX_BULK_JOB_LINKS };
    expect(await finish(key, id)).toMatchObject({ status: "failed", fault });
    expect(await countTitles(accountId)).toBe(0);
  });
});

function tablesOf(accountId: number) {
  return runInDurableObject(jobRunnerOf(env, accountId, "jobs"), async (_, { storage }) => {
    const names = storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('jobs', 'records')").toArray();
    return [names.length, (await storage.getAlarm()) !== null];
  });
}
