import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/limits.ts";
import { personalAccount } from "../../moving/exports/support.ts";
import { signUp } from "../people/support.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { actFor, join, makeTeam } from "../teams/support.ts";

afterEach(() => vi.restoreAllMocks());

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;
const retentionOf = (days: number) => ({
  days,
  minDays: 7,
  maxDays: 90,
  defaultDays: 90,
  keptFrom: today() - days * DAY_MS,
});
const ROOM = { CLICK_RETENTION_DAYS: "14-365" };

it("is chosen within the bounds of the operator, and is in the answer with what it keeps", async () => {
  const { browser } = await signUp();
  const choose = (clickRetentionDays: unknown, bindings = {}) =>
    browser.send("PATCH", "/api/account", { body: { clickRetentionDays }, bindings });
  expect((await browser.get("/api/account")).body).toMatchObject({
    account: { clickRetentionDays: null, clickRetention: retentionOf(90) },
  });
  expect((await choose(30)).body).toMatchObject({
    account: { clickRetentionDays: 30, clickRetention: retentionOf(30) },
  });
  for (const wrong of [0, 6, 731, 7.5, "30", -30])
    expect(await choose(wrong)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", details: [{ path: "clickRetentionDays" }] },
    });
  expect((await choose(91)).body).toMatchObject({
    details: [{ path: "clickRetentionDays", code: "retention_out_of_range", min: 7, max: 90 }],
  });
  expect((await choose(10, ROOM)).body).toMatchObject({
    details: [{ code: "retention_out_of_range", min: 14, max: 365 }],
  });
  expect((await choose(365, ROOM)).body).toMatchObject({
    account: { clickRetention: { days: 365, minDays: 14, maxDays: 365, defaultDays: 90 } },
  });
  // The operator has lower bounds again.
  expect((await browser.get("/api/account")).body).toMatchObject({
    account: { clickRetentionDays: 365, clickRetention: retentionOf(90) },
  });
  expect((await choose(null)).body).toMatchObject({
    account: { clickRetentionDays: null, clickRetention: retentionOf(90) },
  });
});

it("hides older clicks at once in records, and counts them after the next rollup", async () => {
  const { browser, userId } = await signUp();
  const accountId = await personalAccount(userId);
  const { link } = (await browser.post("/api/links", { url: "https://example.com/" })).body as { link: { id: string } };
  // Clicks that are so old are no longer accepted.
  for (const age of [20, 1]) {
    vi.spyOn(Date, "now").mockReturnValue(today() + DAY_MS / 2 - age * DAY_MS);
    await consume([messageOf([clickOn(link.id, accountId)])]);
    vi.restoreAllMocks();
  }
  const start = `start=${today() - 30 * DAY_MS}`;
  const read = async () => {
    const records = await browser.get(`/api/clicks/records?${start}`);
    const totals = await browser.get(`/api/clicks?${start}`);
    const { clicks } = totals.body as unknown as { clicks: { total: number; recent: unknown[]; detailFrom: unknown } };
    return {
      records: (records.body["records"] as unknown[]).length,
      detailFrom: clicks.detailFrom,
      total: clicks.total,
      recent: clicks.recent.length,
    };
  };
  const before = await read();
  expect(before).toMatchObject({ records: 2, recent: 2, total: 2, detailFrom: { clicks: null } });
  await browser.patch("/api/account", { clickRetentionDays: 7 });
  const after = { records: 1, recent: 1, total: 2, detailFrom: { clicks: today() - 7 * DAY_MS } };
  expect(await read()).toMatchObject(after);
  await runDurableObjectAlarm(logOf(accountId));
  expect(await read()).toMatchObject(after);
  await browser.patch("/api/account", { clickRetentionDays: 90 });
  expect(await read()).toMatchObject({ records: 1, recent: 1, total: 2 });
});

it("needs a confirmed identity only if it deletes clicks", async () => {
  const { browser, userId } = await signUp();
  const choose = (clickRetentionDays: number | null) => browser.patch("/api/account", { clickRetentionDays });
  expect((await choose(60)).status).toBe(200);
  await env.DB.prepare("UPDATE sessions SET confirmed_at = 0 WHERE user_id = ?1").bind(userId).run();
  const refused = await choose(59);
  expect([refused.status, refused.body.code]).toEqual([403, "confirm_identity"]);
  expect((await browser.get("/api/account")).body).toMatchObject({ account: { clickRetentionDays: 60 } });
  expect((await choose(60)).status).toBe(200);
  expect((await choose(61)).status).toBe(200);
  expect((await choose(null)).status).toBe(200);
  expect((await choose(90)).status).toBe(200);
});

it("is chosen by owners, for their own account only", async () => {
  const team = await makeTeam();
  const admin = await join(team, "admin");
  const refused = await actFor(team, admin, "PATCH", "/api/account", { clickRetentionDays: 7 });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { details: [{ code: "lacks_permission", resource: "role", value: "admin", allowed: ["account:write"] }] },
  ]);
  const stranger = await signUp();
  const foreign = await actFor(team, stranger, "PATCH", "/api/account", { clickRetentionDays: 7 });
  expect(foreign.status).toBe(403);
  expect((await actFor(team, admin, "GET", "/api/account")).body).toMatchObject({
    account: { clickRetentionDays: null, clickRetention: retentionOf(90) },
  });
  await actFor(team, team.owner, "PATCH", "/api/account", { clickRetentionDays: 7 });
  expect((await stranger.browser.get("/api/account")).body).toMatchObject({ account: { clickRetentionDays: null } });
});

it("is in the audit log with what it was before", async () => {
  const { browser } = await signUp();
  for (const clickRetentionDays of [30, 30, 45, null]) await browser.patch("/api/account", { clickRetentionDays });
  await browser.patch("/api/account", { name: "Mine" });
  const { entries } = (await browser.get("/api/account/audit?action=account.update")).body as {
    entries: { before: unknown; after: unknown }[];
  };
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [null, null],
    [{ clickRetentionDays: 45 }, { clickRetentionDays: null }],
    [{ clickRetentionDays: 30 }, { clickRetentionDays: 45 }],
    [null, null],
    [{ clickRetentionDays: null }, { clickRetentionDays: 30 }],
  ]);
});
