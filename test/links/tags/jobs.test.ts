import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/limits.ts";
import { MAX_JOB_FAILURES } from "../../../src/jobs/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { TAG_JOB_KEPT_MS } from "../../../src/links/tags/limits.ts";
import { call, createAccount, createLink } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { actFor, join, makeTeam } from "../../identity/teams/support.ts";
import { fireAlarm, isTagChange, taggedAccount, tagRunnerOf, whileChecksHeld, whileTagsHeld } from "./support.ts";

const { account, api, tagsOf, startRename, startRemoval, rename, jobOf, finish, tagsOfLink } = taggedAccount();

/** Not a read that confirms a publication: it may come before or after the end of what is measured. */
const isNoConfirmation = (sql: string) => !sql.includes("AS version FROM json_each");

describe("a job on many links", () => {
  const countTag = (tag: string) => env.DB.prepare("SELECT links FROM tags WHERE key = ?1").bind(tag).first("links");
  const countEvents = () => env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n");
  const listen = () => api("POST", "/api/webhooks", { url: "https://example.com/hook", events: ["link.update"] });

  it.each(["before", "after"])(
    "changes and counts each link once, and those that get the tag meanwhile, if the object is killed %s each transaction",
    async (when) => {
      await insertManyLinks(env.DB, account.accountId, 700);
      await listen();
      let kills = 0;
      const kill = async () => {
        kills++;
        const killed = runInDurableObject(tagRunnerOf(account.accountId), (_, state) => state.abort("killed"));
        await killed.catch(() => null);
      };
      let isTaggedAgain = false;
      let id = "";
      const first = await env.DB.prepare("SELECT id FROM links ORDER BY seq LIMIT 1").first<string>("id");
      await interceptD1(
        async (sql, send) => {
          if (!isTagChange(sql)) return send();
          const isKilled = kills < 2;
          if (isKilled && when === "before") await kill();
          const result = await send();
          if (!isTaggedAgain) {
            isTaggedAgain = true;
            await createLink(account.key, { tags: ["Common"] });
            // An old link that the job has passed gets the tag again.
            await api("PATCH", `/api/links/${first}`, { tags: ["common", "rare"] });
          }
          if (isKilled && when === "after") await kill();
          return result;
        },
        async () => {
          id = (await startRename("common", "rare")).job.id;
          for (let alarm = 0; alarm < 30 && (await jobOf(id)).status !== "done"; alarm++)
            await fireAlarm(account.accountId);
        },
      );
      expect(kills).toBe(2);
      expect([await countTag("common"), await countTag("rare")]).toEqual([null, 701]);
      expect(await countEvents()).toBe(702 + 1);
      const { done, total } = await finish(id);
      expect(total).toBe(done);
      // The link that was changed again before the page was counted is counted once.
      expect(done).toBeGreaterThanOrEqual(701);
      expect(done).toBeLessThanOrEqual(702);
    },
  );

  it("counts a page whose result is lost", async () => {
    await insertManyLinks(env.DB, account.accountId, 700);
    let isKilled = false;
    await interceptD1(
      async (sql, send) => {
        const result = await send();
        if (!isTagChange(sql) || isKilled) return result;
        isKilled = true;
        const killed = runInDurableObject(tagRunnerOf(account.accountId), (_, state) => state.abort("killed"));
        await killed.catch(() => null);
        return result;
      },
      async () => {
        const { job } = await startRename("common", "rare");
        await vi.waitUntil(() => isKilled, { timeout: 20_000 });
        for (let alarm = 0; alarm < 30 && (await jobOf(job.id)).status !== "done"; alarm++)
          await fireAlarm(account.accountId);
        expect(await jobOf(job.id)).toMatchObject({ status: "done", done: 700, total: 700 });
      },
    );
  });

  /** Starts the removal of a tag whose pages fail until `repair` is called, and waits for the first failure. */
  const whileDown = async (
    run: (id: string, failAgain: () => Promise<number>, repair: () => void) => Promise<void>,
  ) => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await insertManyLinks(env.DB, account.accountId, 20);
    let isDown = true;
    const failures = () =>
      runInDurableObject(tagRunnerOf(account.accountId), (_, { storage: { sql } }) => {
        sql.exec("UPDATE jobs SET due_at = 1 WHERE status = 'running'");
        return sql.exec<{ failures: number }>("SELECT failures FROM jobs ORDER BY id").toArray()[0]?.failures ?? 0;
      });
    await interceptD1(
      async (sql, send) => {
        if (isDown && isTagChange(sql)) throw new Error("D1_ERROR: no such table: down");
        return send();
      },
      async () => {
        const { job } = await startRemoval("common");
        await vi.waitUntil(async () => (await failures()) === 1, { timeout: 20_000 });
        expect(await jobOf(job.id)).toMatchObject({ status: "running", done: 0, error: null, fault: null });
        const failAgain = async () => {
          await fireAlarm(account.accountId);
          return failures();
        };
        await run(job.id, failAgain, () => (isDown = false));
      },
    );
  };

  it("is repeated later if the database fails", async () => {
    await whileDown(async (id, failAgain, repair) => {
      expect(await failAgain()).toBe(2);
      repair();
      await fireAlarm(account.accountId);
      expect(await finish(id)).toMatchObject({ status: "done", done: 20 });
    });
    expect(await tagsOf()).toEqual([]);
  });

  it("fails if the database fails each time, and lets the next job run", async () => {
    await whileDown(async (id, failAgain, repair) => {
      await createLink(account.key, { tags: ["rare"] });
      const { job } = await startRemoval("rare");
      for (let failed = 2; failed < MAX_JOB_FAILURES; failed++) expect(await failAgain()).toBe(failed);
      await fireAlarm(account.accountId);
      const error = "A part of the service failed repeatedly.";
      expect(await jobOf(id)).toMatchObject({ status: "failed", done: 0, error });
      repair();
      expect(await finish(job.id)).toMatchObject({ status: "done", done: 1 });
    });
    expect(await tagsOf()).toEqual(["common 20"]);
  });

  it("changes each link once if it is run several times at once", async () => {
    await insertManyLinks(env.DB, account.accountId, 700);
    await listen();
    const { job } = await startRemoval("common");
    await Promise.all([1, 2, 3].map(() => fireAlarm(account.accountId)));
    expect(await finish(job.id)).toMatchObject({ status: "done", done: 700, total: 700 });
    expect(await countEvents()).toBe(700);
    expect(await tagsOf()).toEqual([]);
  });

  it("waits for earlier jobs of the account, also while they are repeated later", async () => {
    const { id } = await createLink(account.key, { tags: ["a", "b"] });
    const jobs = await whileTagsHeld(async () => {
      const started = [await startRename("a", "b"), await startRename("b", "a")];
      await runInDurableObject(tagRunnerOf(account.accountId), (_, { storage: { sql } }) => {
        sql.exec("UPDATE jobs SET due_at = ? WHERE id = ?", Date.now() + 1_000, started[0]?.job.id);
      });
      await fireAlarm(account.accountId);
      expect(await jobOf(started[1]?.job.id ?? "")).toMatchObject({ status: "pending", done: 0 });
      return started;
    });
    for (const { job } of jobs) expect(await finish(job.id)).toMatchObject({ status: "done", done: 1 });
    expect(await tagsOfLink(id)).toEqual(["a"]);
  });

  it("costs as many rows in a small account as in a large one", async () => {
    const measureRename = async () => {
      for (const slug of ["n1", "n2"]) await createLink(account.key, { slug, tags: ["needle", "x"] });
      const measured = await measureD1(async () => {
        const { job } = await startRename("needle", "pin");
        const find = () => runInDurableObject(tagRunnerOf(account.accountId), (object) => object.find(job.id));
        // Asked of the object, because other calls would read the database.
        await vi.waitUntil(async () => (await find())?.status === "done", { timeout: 20_000 });
      }, isNoConfirmation);
      const ids = (await api<{ links: Link[] }>("GET", "/api/links?tag=pin")).links.map(({ id }) => id);
      await api("PATCH", "/api/links/bulk", { ids, changes: { tags: null } });
      await env.DB.prepare("DELETE FROM links WHERE slug IN ('n1', 'n2')").run();
      return measured;
    };
    // The cheaper of two, because the runtime repeats the alarms of killed objects: one may fall into a measurement.
    const measureTwice = async () => {
      const [cheaper] = [await measureRename(), await measureRename()].sort((a, b) => a.roundTrips - b.roundTrips);
      return [cheaper?.roundTrips, cheaper?.rowsRead, cheaper?.rowsWritten];
    };
    await insertManyLinks(env.DB, account.accountId, 100);
    const small = await measureTwice();
    await insertManyLinks(env.DB, account.accountId, 3_000);
    expect(await measureTwice()).toEqual(small);
  });

  it("is shown to its account only, and deleted after 30 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await createLink(account.key, { tags: ["a"] });
    const { job } = await rename("a", "b");
    const refused = await call("GET", `/api/jobs/${job.id}`, { key: (await createAccount()).key });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: "forbidden", details: [{ code: "of_another_account", resource: "job" }] },
    ]);
    expect((await api("GET", "/api/jobs/none")).status).toBe(404);
    const { finishedAt } = await jobOf(job.id);
    vi.setSystemTime(Date.now() + 29 * DAY_MS);
    expect((await jobOf(job.id)).status).toBe("done");
    vi.setSystemTime((finishedAt ?? 0) + TAG_JOB_KEPT_MS);
    expect((await api("GET", `/api/jobs/${job.id}`)).status).toBe(404);
    await fireAlarm(account.accountId);
    const tables = await runInDurableObject(tagRunnerOf(account.accountId), (_, { storage: { sql } }) =>
      sql.exec("SELECT 1 FROM sqlite_master WHERE name IN ('jobs', 'records')").toArray(),
    );
    expect(tables).toEqual([]);
  });
});

describe("a job stops", () => {
  const STATEMENTS = {
    "its key is revoked": "UPDATE api_keys SET revoked_at = 1 WHERE id = ?1",
    "its key loses the permission": `UPDATE api_keys SET permissions = '["links:read"]' WHERE id = ?1`,
    "the operator disables the account":
      "UPDATE accounts SET disabled_at = 1 WHERE id = (SELECT account_id FROM api_keys WHERE id = ?1)",
  };

  it.each(Object.entries(STATEMENTS))("when %s", async (_, statement) => {
    await insertManyLinks(env.DB, account.accountId, 10);
    const { job } = await startRename("common", "rare");
    await finish(job.id);
    // As if it had more links to change.
    await runInDurableObject(tagRunnerOf(account.accountId), (_object, { storage: { sql } }) => {
      sql.exec("UPDATE jobs SET status = 'running', due_at = 0");
    });
    await env.DB.prepare(statement).bind(account.keyId).run();
    await fireAlarm(account.accountId);
    const state = await runInDurableObject(tagRunnerOf(account.accountId), (object) => object.find(job.id));
    expect(state).toMatchObject({
      status: "failed",
      fault: expect.objectContaining({ code: "job_not_allowed" }) as object,
    });
  });

  it("when its starter loses the role, and says why", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const link = { url: "https://example.com/", tags: ["sale"] };
    await actFor(team, member, "POST", "/api/links", link);
    const id = await whileChecksHeld(async () => {
      const { body } = await actFor(team, member, "PATCH", "/api/tags/sale", { name: "offer" });
      const path = `/api/teams/${team.id}/members/${member.userId}`;
      const changed = await team.owner.browser.send("PATCH", path, { body: { role: "viewer" } });
      expect(changed.status).toBe(200);
      return (body["job"] as { id: string }).id;
    });
    await vi.waitUntil(async () => {
      const { body } = await actFor(team, team.owner, "GET", `/api/jobs/${id}`);
      return (body["job"] as { status: string }).status === "failed";
    });
    const { body } = await actFor(team, team.owner, "GET", `/api/jobs/${id}`);
    expect(body["job"]).toMatchObject({
      done: 0,
      total: 1,
      fault: expect.objectContaining({ code: "job_not_allowed" }) as object,
      finishedAt: expect.any(Number) as number,
    });
    expect((await actFor(team, team.owner, "GET", "/api/tags")).body["tags"]).toEqual([
      { name: "sale", links: 1, color: null },
    ]);
  });
});
