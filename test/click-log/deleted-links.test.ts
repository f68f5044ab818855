import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import { accountLogName } from "../../src/click-log/click-log-name.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { newIds } from "../../src/platform/lib/uuid.ts";
import { accountId, call, createAccount, createLink, jsonOf, key, runCron, startAccount } from "../support/api.ts";
import { messageOf, consume, clickOn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

beforeEach(startAccount);

async function totalOf(path: string): Promise<number> {
  return (await jsonOf<{ clicks: Clicks }>(await call("GET", path, { key }))).clicks.total;
}

/** Records links, as many for each account, that were deleted in 1970. */
async function insertDeletedLinks(accounts: readonly number[], count: number): Promise<void> {
  const rows = accounts.flatMap((account) =>
    newIds(Date.now(), count).map((id) => [sequenceOf(id), id, account, JSON.stringify({ domain: "", slug: id })]),
  );
  await env.DB.prepare(
    `INSERT INTO deleted_links (seq, id, account_id, deleted_at, link)
     SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2, 0, value ->> 3 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows))
    .run();
}

describe("deleting a link", () => {
  it("keeps its clicks for a week, then deletes them, also those that arrive later, and no others", async () => {
    const deleted = await createLink(key, { slug: "deleted" });
    const kept = await createLink(key);
    await consume([
      messageOf([clickOn(deleted.id, accountId), clickOn(deleted.id, accountId), clickOn(kept.id, accountId)]),
    ]);
    expect(await totalOf("/api/clicks")).toBe(3);
    await call("DELETE", `/api/links/${deleted.id}`, { key });
    expect((await call("GET", `/api/links/${deleted.id}/clicks`, { key })).status).toBe(404);
    await runCron(Date.now() + WEEK_MS);
    expect(await totalOf("/api/clicks")).toBe(3);
    await runCron(Date.now() + WEEK_MS + HOUR_MS);
    expect(await totalOf("/api/clicks")).toBe(1);
    await consume([messageOf([clickOn(deleted.id, accountId), clickOn(kept.id, accountId)])]);
    expect(await totalOf("/api/clicks")).toBe(2);
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
  });

  it("is finished by the cron for many links at once, with few database queries", async () => {
    const other = await createAccount();
    await insertDeletedLinks([accountId, other.accountId], 60);
    const { statements } = await measureD1(() => runCron(Date.now()));
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
    expect(statements.filter((sql) => sql.includes("deleted_links") && !sql.includes("FROM accounts a "))).toHaveLength(
      9,
    );
  });

  it("is finished by the cron although the ClickLog of another account keeps failing", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const other = await createAccount();
    await insertDeletedLinks([other.accountId], 60);
    const { id } = await createLink(key);
    await call("DELETE", `/api/links/${id}`, { key });
    const failing = { forgetLinks: () => Promise.reject(new Error("down")) };
    const getByName = (name: string) =>
      name === accountLogName(other.accountId) ? failing : env.CLICK_LOG.getByName(name);
    const broken = { CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"] };
    const later = Date.now() + WEEK_MS + HOUR_MS;
    for (const minute of [0, 1]) await runCron(later + minute * 60_000, broken);
    const kept = "SELECT count(*) AS rows FROM deleted_links WHERE account_id = ?1";
    expect(await env.DB.prepare(kept).bind(accountId).first("rows")).toBe(0);
    expect(await env.DB.prepare(kept).bind(other.accountId).first("rows")).toBe(60);
    await runCron(later + 2 * HOUR_MS);
    expect(await env.DB.prepare(kept).bind(other.accountId).first("rows")).toBe(0);
  });

  it("is finished by the cron if the ClickLog failed", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { id } = await createLink(key);
    await consume([messageOf([clickOn(id, accountId)])]);
    await call("DELETE", `/api/links/${id}`, { key });
    const later = Date.now() + WEEK_MS + HOUR_MS;
    const broken = { getByName: () => ({ forgetLinks: () => Promise.reject(new Error("down")) }) };
    await runCron(later, { CLICK_LOG: broken as unknown as Env["CLICK_LOG"] });
    expect(String(error.mock.calls)).toContain('"job":"purge_deleted_links"');
    expect(await totalOf("/api/clicks")).toBe(1);
    await runCron(later + HOUR_MS);
    expect(await totalOf("/api/clicks")).toBe(0);
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
  });
});
