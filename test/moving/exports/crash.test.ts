import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import type { ExportState } from "../../../src/moving/exports/export.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { signUp } from "../../identity/people/support.ts";
import { call, createAccount } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { exportFile, FILES, finishFile, startFile } from "./file-support.ts";
import { fetchFile, finish, linesOf, personalAccount, startExport, unzip } from "./support.ts";
import { EXPORT_PAGE_CODES, EXPORT_PAGE_RECORDS } from "../../../src/moving/exports/limits.ts";

/** How long an alarm may take until the state of the export is read. */
const ALARM_MS = 1_000;

/** A call of an object that is killed meanwhile may never end. */
async function fireAlarm(exporter: ReturnType<typeof jobRunnerOf>): Promise<void> {
  await Promise.race([runDurableObjectAlarm(exporter).catch(() => null), scheduler.wait(ALARM_MS)]);
}

it("loses and doubles nothing when the object is killed between reading a page and storing it, or after", async () => {
  const { browser, userId } = await signUp();
  const accountId = await personalAccount(userId);
  await env.DB.prepare("DELETE FROM audit_entries").run();
  const entries = 4 * EXPORT_PAGE_RECORDS + 10;
  const now = Date.now();
  const ids = Array.from({ length: entries }, () => newId(now));
  await env.DB.prepare(
    `INSERT INTO audit_entries (id, account_id, actor_type, action, created_at)
     SELECT value, ?1, 'operator', 'account.update', ?2 FROM json_each(?3)`,
  )
    .bind(accountId, now, JSON.stringify(ids))
    .run();
  const exporter = () => jobRunnerOf(env, accountId, "account-exports");
  let kills = 0;
  let id = "";
  let state: ExportState | null = null;
  await interceptD1(
    async (sql, send) => {
      const result = await send();
      const isPage = String(sql).includes("FROM audit_entries e WHERE");
      if (isPage && kills < 4) {
        kills++;
        await runInDurableObject(exporter(), (_, object) => object.abort("killed")).catch(() => null);
      }
      return result;
    },
    async () => {
      ({ id } = await startExport(browser));
      state = await finish(browser, id, {}, () => fireAlarm(exporter()));
    },
  );
  expect(kills).toBe(4);
  const texts = await unzip(await (await fetchFile(browser, id)).arrayBuffer());
  const read = linesOf(texts, "audit.jsonl").map((entry) => entry["id"]);
  expect(new Set(read)).toEqual(new Set([id, ...ids]));
  expect(read).toHaveLength(entries + 1);
  expect(state).toMatchObject({ status: "done", progress: { done: entries + 2 } });
});

it.each([
  { kind: "links", format: "json" },
  { kind: "links", format: "csv" },
  { kind: "qr", format: "svg" },
])("writes a file of %j as if it had not been killed after each second page", async (body) => {
  const { key, accountId } = await createAccount();
  const links = 4 * (body.kind === "qr" ? EXPORT_PAGE_CODES : EXPORT_PAGE_RECORDS) + 10;
  await insertManyLinks(env.DB, accountId, links);
  const whole = await exportFile({ key }, body);
  const exporter = () => jobRunnerOf(env, accountId, "file-exports");
  let pages = 0;
  let id = "";
  await interceptD1(
    async (sql, send) => {
      const result = await send();
      if (!String(sql).includes("AS position FROM links")) return result;
      pages++;
      if (pages % 2 === 0) await runInDurableObject(exporter(), (_, state) => state.abort("killed")).catch(() => null);
      return result;
    },
    async () => {
      ({ id } = await startFile({ key }, body));
      await finishFile({ key }, id, () => fireAlarm(exporter()));
    },
  );
  expect(pages).toBeGreaterThan(6);
  const state = await finishFile({ key }, id);
  expect(state.progress).toEqual({ done: links, total: links });
  const file = await (await call("GET", `${FILES}/${id}/file`, { key })).arrayBuffer();
  if (body.kind === "links") expect(new Uint8Array(file)).toEqual(new Uint8Array(whole.bytes));
  else expect(await unzip(file)).toEqual(await unzip(whole.bytes));
});
