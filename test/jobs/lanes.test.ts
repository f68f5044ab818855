import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { finishFile, FILES, startFile } from "../moving/exports/file-support.ts";
import { jobRunnerOf } from "../../src/jobs/runner-stub.ts";
import { call, createAccount, jsonOf } from "../support/api.ts";
import { interceptD1 } from "../support/d1-client.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { createLinks, finish, startJob } from "../links/bulk-jobs/support.ts";

it("a job that cannot be undone is cancelled as all others are, and leaves only its state", async () => {
  const { key, keyId, accountId } = await createAccount();
  await insertManyLinks(env.DB, accountId, 250);
  const runner = jobRunnerOf(env, accountId, "file-exports");
  const gate = Promise.withResolvers<void>();
  let pages = 0;
  await interceptD1(
    async (sql, send) => {
      if (String(sql).includes("AS position FROM links") && ++pages === 2) await gate.promise;
      return send();
    },
    async () => {
      const { id } = await startFile({ key }, { kind: "links" });
      await vi.waitUntil(() => pages === 2, { timeout: 20_000 });
      const change = { action: "cancel", starter: { type: "key", id: keyId } } as const;
      expect(await runner.change(id, change)).toMatchObject({ outcome: "ok", state: { status: "cancelled" } });
      gate.resolve();
      expect(await finishFile({ key }, id)).toMatchObject({ status: "failed", size: null, progress: { done: 100 } });
      expect(await runner.change(id, { ...change, action: "undo" })).toEqual({
        outcome: "wrong_status",
        status: "cancelled",
      });
      const records = await runInDurableObject(runner, (_, { storage: { sql } }) =>
        sql.exec("SELECT 1 FROM records").toArray(),
      );
      expect(records).toEqual([]);
      expect((await call("GET", `${FILES}/${id}/file`, { key })).status).toBe(409);
    },
  );
});

it("jobs of other lanes do not use up the limits of a lane", async () => {
  const { key } = await createAccount();
  await createLinks(key, 2, () => ({ tags: ["sale"] }));
  const jobs = [1, 2].map(() => startJob(key, { filter: {}, changes: { title: "x" } }));
  const exports = [1, 2].map(() => startFile({ key }, { kind: "links" }));
  const tags = ["one", "two", "three"].map((name) => call("PATCH", "/api/tags/sale", { key, body: { name } }));
  for (const response of await Promise.all(tags)) expect([202, 429]).toContain(response.status);
  for (const { id } of await Promise.all(exports))
    expect(await finishFile({ key }, id)).toMatchObject({ status: "done" });
  for (const { id } of await Promise.all(jobs)) expect(await finish(key, id)).toMatchObject({ status: "done" });
  // The jobs of all lanes are found under their own paths only.
  const { jobs: listed } = await jsonOf<{ jobs: unknown[] }>(await call("GET", "/api/bulk", { key }));
  expect(listed).toHaveLength(2);
});
