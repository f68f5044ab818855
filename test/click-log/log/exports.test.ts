import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ExportCursor, ExportQuery } from "../../../src/click-log/log/exports.ts";
import { clickLogOf } from "../../../src/click-log/log/stub.ts";
import { DAY_MS, MAX_EXPORT_CLICKS, SECOND_MS } from "../../../src/limits.ts";
import {
  accountId,
  buildRequest,
  call,
  createAccount,
  createLink,
  jsonOf,
  key,
  send,
  type ErrorJson,
} from "../../support/api.ts";
import { link, NOW, startLink } from "../../support/clicked-link.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { CSV_PAGE_RECORDS, EXPORT_TURN_MS } from "../../../src/click-log/limits.ts";

const QUERY: ExportQuery = { links: null, start: 0, end: NOW + DAY_MS, filters: {}, bots: "exclude" };

beforeEach(() => startLink(NOW - 3 * DAY_MS));

const clickLog = () => clickLogOf(env, accountId);
const csv = (query = "", method = "GET") => call(method, `/api/clicks/records?format=csv${query}`, { key });

/** The response of a client that has not read the body yet. */
function openCsv(): Promise<Response> {
  return send(buildRequest("GET", "/api/clicks/records?format=csv", { key }));
}

describe("an export", () => {
  it("reads each click once in pages of a bounded size, while clicks are stored in between", async () => {
    const links = [link.id, (await createLink(key)).id, (await createLink(key)).id];
    const clicks = CSV_PAGE_RECORDS + 1_000;
    for (let first = 0; first < clicks; first += 250) {
      const batch = Array.from({ length: 250 }, (_, index) =>
        clickOn(links[(first + index) % 3] ?? "", accountId, { at: NOW - (first + index) * 120_000, country: "US" }),
      );
      await consume([messageOf(batch)]);
    }
    const ids: string[] = [];
    const read: ExportCursor[] = [];
    let after: ExportCursor | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof clickLog>["readExport"]>> = await clickLog().readExport(
        "export",
        QUERY,
        after,
      );
      expect(page.clicks.length).toBeLessThanOrEqual(CSV_PAGE_RECORDS);
      ids.push(...page.clicks.map(({ id }) => id));
      after = page.next;
      if (after !== null) read.push(after);
      await consume([messageOf([clickOn(link.id, accountId, { at: NOW + ids.length })])]);
    } while (after !== null);
    expect(ids).toHaveLength(clicks);
    expect(new Set(ids).size).toBe(clicks);
    expect(read.length).toBeGreaterThan(0);
  });

  it("is refused with 429 while another one of the account has its turn, and let in after Retry-After", async () => {
    await consume([messageOf([clickOn(link.id, accountId)])]);
    const first = await openCsv();
    vi.setSystemTime(NOW + 20_500);
    const refused = await csv();
    expect([refused.status, await jsonOf<ErrorJson>(refused)]).toMatchObject([429, { code: "rate_limited" }]);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBe(Math.ceil((EXPORT_TURN_MS - 20_500) / SECOND_MS));
    const other = await createAccount();
    const independent = await call("GET", "/api/clicks/records?format=csv", { key: other.key });
    expect(independent.status).toBe(200);
    await independent.text();
    expect((await call("GET", "/api/clicks/records", { key })).status).toBe(200);
    vi.setSystemTime(NOW + 20_500 + seconds * SECOND_MS);
    const second = await csv();
    expect(second.status).toBe(200);
    // The first export waits until the second one has ended.
    const [one, two] = await Promise.all([first.text(), second.text()]);
    expect(one).toBe(two);
    expect(one.trimEnd().split("\r\n")).toHaveLength(2);
  });

  it("ends with the file, with its cancellation and at once for HEAD", async () => {
    await (await csv()).text();
    await (await openCsv()).body?.cancel();
    expect((await csv("", "HEAD")).status).toBe(200);
    expect((await csv("&limit=5")).status).toBe(400);
    const last = await csv();
    expect(last.status).toBe(200);
    await last.text();
  });

  it("is refused for a period with too many clicks, and then blocks no other one", async () => {
    await consume([messageOf([clickOn(link.id, accountId), clickOn(link.id, accountId, { at: NOW - 2 * DAY_MS })])]);
    await runInDurableObject(clickLog(), (_, { storage }) => {
      storage.sql.exec("UPDATE clicks SET clicks = ? WHERE day = ?", MAX_EXPORT_CLICKS, Math.floor(NOW / DAY_MS));
    });
    const refused = await csv("&interval=all");
    const tooFull = { path: "start", code: "period_too_full", max: MAX_EXPORT_CLICKS, resource: "click" };
    expect([refused.status, await jsonOf<ErrorJson>(refused)]).toMatchObject([400, { details: [tooFull] }]);
    const shorter = await csv(`&start=${NOW - DAY_MS}`);
    expect((await shorter.text()).trimEnd().split("\r\n")).toHaveLength(2);
  });
});
