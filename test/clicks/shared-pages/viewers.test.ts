import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { RATE_LIMIT_WINDOW_MS } from "../../../src/limits.ts";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import type { SharedPage } from "../../../src/clicks/shared-pages/contract.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";
import { createPage, enter, send, tokenOf, view } from "./support.ts";
import { SHARED_CLICK_QUERIES_PER_ACCOUNT } from "../../../src/clicks/shared-pages/limits.ts";

let account: Awaited<ReturnType<typeof createAccount>>;
beforeEach(async () => {
  account = await createAccount();
});

const api = (method: string, path: string, body?: unknown) => send(method, path, { key: account.key, body });

it("shows what the page is about, and the destination only if the account wants that", async () => {
  await insertDomain(account.accountId, "go.acme.com");
  const link = await createLinkAt("go.acme.com", account.key, { slug: "Spring", url: "https://example.com/secret" });
  const page = await createPage(account.key, { linkId: link.id, title: "Spring sale" });
  const shown = { title: "Spring sale", shortUrl: "https://go.acme.com/Spring", tag: null, destination: null };
  const response = await call("GET", `/api/shared/${tokenOf(page)}`);
  expect([response.status, await response.json()]).toEqual([200, { page: shown }]);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  await api("PATCH", `/api/shared-pages/${page.id}`, { showDestination: true });
  expect((await view(page)).page).toEqual({ ...shown, destination: "https://example.com/secret" });
  await api("PATCH", `/api/links/${link.id}`, { tags: ["sale"] });
  const ofTag = await createPage(account.key, { tag: "sale" });
  expect((await view(ofTag)).page).toEqual({ title: null, shortUrl: null, tag: "sale", destination: null });
});

const DAY = Date.parse("2030-01-15");

/** Two links with the tag and one without, with clicks. */
async function fill() {
  vi.useFakeTimers({ toFake: ["Date"], now: DAY + 3_600_000 });
  const links = [];
  for (const slug of ["One", "two", "untagged"])
    links.push(await createLink(account.key, { slug, ...(slug !== "untagged" && { tags: ["sale"] }) }));
  const [one, two, untagged] = links.map(({ id }) => id);
  const click = (id = "", fields: Parameters<typeof clickOn>[2] = {}) =>
    clickOn(id, account.accountId, { at: DAY, ...fields });
  await consume([
    messageOf([
      click(one),
      click(one, { country: "FR", continent: "EU", ip: "203.0.113.2", at: DAY - 86_400_000 * 3 }),
      click(one, { userAgent: "Googlebot/2.1" }),
      click(two, { country: "JP", continent: "AS", referrer: "https://www.news.example/", trigger: 1 }),
      click(untagged, { country: "US" }),
    ]),
  ]);
  return { one: one ?? "", two: two ?? "" };
}

const QUERIES = [
  "",
  "interval=24h&timezone=Asia/Tokyo",
  "start=2030-01-01&end=2030-01-20&bucket=month&compare=previous",
  "interval=7d&country=!DE&compare=previous",
  "country=jp&country=fr&trigger=qr",
  "page=2",
];

it("returns the account's own numbers for every range and filter, without ids and single clicks", async () => {
  const { one } = await fill();
  const page = await createPage(account.key, { linkId: one });
  const ofTag = await createPage(account.key, { tag: "sale" });
  const totals = [];
  for (const query of QUERIES) {
    const own = async (path: string) => (await api("GET", path)) as unknown as { clicks: Clicks };
    const { recent: _, ...ofLink } = (await own(`/api/links/${one}/clicks?${query}`)).clicks;
    const shared = await view(page, `/clicks?${query}`);
    expect([query, shared.clicks]).toEqual([query, ofLink]);
    const { recent, links = [], ...sums } = (await own(`/api/clicks?tag=sale&${query}`)).clicks;
    const { links: shown, ...shownSums } = (await view(ofTag, `/clicks?${query}`)).clicks;
    expect([query, shownSums]).toEqual([query, sums]);
    const slugOf = (url: string | null) => url?.replace(`${BASE_URL}/`, "");
    expect(shown).toEqual(links.map(({ clicks, shortUrl }) => ({ value: slugOf(shortUrl), clicks, shortUrl })));
    expect(recent.length).toBe(sums.total > 10 ? 10 : sums.total);
    for (const text of [one, "linkId"]) expect(JSON.stringify([shared.clicks, shown])).not.toContain(text);
    totals.push([shared.clicks.total, shownSums.total]);
  }
  expect(totals).toEqual([
    [2, 3],
    [1, 2],
    [2, 3],
    [1, 2],
    [0, 1],
    [2, 3],
  ]);
  for (const [query, path] of [
    ["tag=untagged", "tag"],
    ["linkIds=" + one, "linkIds"],
    ["domain=tern.test", "domain"],
    ["country=XX", "country"],
    ["interval=1h", "interval"],
    ["interval=all&compare=previous", "compare"],
  ]) {
    const { status, details } = await view(ofTag, `/clicks?${query}`);
    expect([query, status, details?.[0]?.path]).toEqual([query, 400, path]);
  }
  expect((await view(page, "/clicks/records")).status).toBe(404);
});

it("answers every token that opens nothing in the same way, for at most one row", async () => {
  const [linked, other] = [await createLink(account.key), await createAccount()];
  const pageOf = (linkId = linked.id) => createPage(account.key, { linkId });
  const [revoked, orphan] = [await pageOf(), await pageOf((await createLink(account.key)).id)];
  await api("DELETE", `/api/shared-pages/${revoked.id}`);
  await api("DELETE", `/api/links/${orphan.linkId}`);
  const theirs = await createPage(other.key, { linkId: (await createLink(other.key)).id });
  const ofDeleted = await createAccount();
  const hidden = await createPage(ofDeleted.key, { linkId: (await createLink(ofDeleted.key)).id });
  await env.DB.prepare("UPDATE accounts SET deleted_at = 1 WHERE id = ?1").bind(ofDeleted.accountId).run();
  await env.DB.prepare("UPDATE accounts SET disabled_at = 1 WHERE id = ?1").bind(other.accountId).run();
  const unknown = `share_${"A".repeat(43)}`;
  const tokens = [revoked, orphan, theirs, hidden].map(tokenOf);
  tokens.push(unknown, tokenOf(revoked).slice(0, -1), "share_", "x", linked.id, "%00", "%F0%9F%90%A6");
  const NOT_FOUND = { code: "not_found", details: [{ path: "", code: "not_found", resource: "shared_page" }] };
  for (const token of tokens) {
    for (const [method, path, body] of [
      ["GET", ""],
      ["GET", "/clicks?interval=7d"],
      ["POST", "/password", { password: "correct horse" }],
    ] as const) {
      const response = await call(method, `/api/shared/${token}${path}`, { body });
      expect([token, path, response.status, await response.json()]).toMatchObject([token, path, 404, NOT_FOUND]);
    }
  }
  const { rowsRead, roundTrips } = await measureD1(() => call("GET", `/api/shared/${unknown}/clicks`));
  expect([rowsRead <= 1, roundTrips]).toEqual([true, 1]);
  expect((await measureD1(() => call("GET", "/api/shared/x"))).roundTrips).toBe(0);
  await env.DB.prepare("UPDATE accounts SET disabled_at = NULL, deleted_at = NULL").run();
  for (const page of [theirs, hidden]) expect((await view(page)).status).toBe(200);
});

it("reads a few rows, however many pages and links there are", async () => {
  const link = await createLink(account.key);
  const page = await createPage(account.key, { linkId: link.id });
  const costs = async () => {
    const counts = [];
    for (const path of ["", "/clicks"]) {
      const { rowsRead, rowsWritten, roundTrips } = await measureD1(() => view(page, path));
      counts.push({ rowsRead, rowsWritten, roundTrips });
    }
    return counts;
  };
  const few = await costs();
  // The page, its account and its link; the clicks need the link once more.
  expect(few).toEqual([
    { rowsRead: 3, rowsWritten: 0, roundTrips: 1 },
    { rowsRead: 4, rowsWritten: 0, roundTrips: 2 },
  ]);
  for (let n = 0; n < 20; n++) await createPage(account.key, { linkId: (await createLink(account.key)).id });
  expect(await costs()).toEqual(few);
  await env.DB.prepare("ANALYZE").run();
  expect(await costs()).toEqual(few);
});

it("limits the calls of an address, and the queries of all viewers of an account", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: DAY });
  const page = await createPage(account.key, { linkId: (await createLink(account.key)).id });
  const address = "203.0.113.77";
  for (const [method, path, limit] of [
    ["GET", "", 60],
    ["GET", "/clicks", 30],
    ["POST", "/password", 10],
  ] as const) {
    const { headers } = await call(method, `/api/shared/${tokenOf(page)}${path}`, { address, body: undefined });
    expect([path, headers.get("X-RateLimit-Limit")]).toEqual([path, String(limit)]);
  }
  const other = await createAccount();
  const quiet = await createPage(other.key, { linkId: (await createLink(other.key)).id });
  // As if viewers from many addresses had sent the queries before.
  const limiter = env.RATE_LIMITER.getByName(`shared pages of account ${account.accountId}`);
  const options = { weight: SHARED_CLICK_QUERIES_PER_ACCOUNT - 2, penalties: false };
  await limiter.take("shared clicks", SHARED_CLICK_QUERIES_PER_ACCOUNT, options);
  expect((await view(page, "/clicks")).status).toBe(200);
  const response = await call("GET", `/api/shared/${tokenOf(page)}/clicks`);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(response.headers.get("X-RateLimit-Limit")).toBe(String(SHARED_CLICK_QUERIES_PER_ACCOUNT));
  expect((await jsonOf<{ code: string }>(response)).code).toBe("rate_limited");
  // The account itself, the page without its clicks, and pages of others go on.
  expect((await api("GET", `/api/links/${page.linkId}/clicks`)).status).toBe(200);
  expect([(await view(page)).status, (await view(quiet, "/clicks")).status]).toEqual([200, 200]);
  vi.setSystemTime(DAY + RATE_LIMIT_WINDOW_MS);
  expect((await view(page, "/clicks")).status).toBe(200);
});

it("has no token in logs, however it is written in a path", async () => {
  const lines: string[] = [];
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  const page: SharedPage = await createPage(account.key, {
    linkId: (await createLink(account.key)).id,
    password: "correct horse",
  });
  const token = tokenOf(page);
  const secret = token.slice("share_".length);
  const encoded = secret.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  await enter(page, "correct horse");
  await enter(page, "wrong horse");
  await view(page);
  for (const written of [
    token,
    `share%5F${secret}`,
    `%73hare_${encoded}`,
    `share_${encoded}`,
    `${token}/clicks`,
    `${token}/x`,
  ])
    await call("GET", `/api/shared/${written}`);
  await call("GET", `/app/shared/${token}`);
  expect(lines.filter((line) => line.includes("/api/shared/:token")).length).toBeGreaterThan(7);
  const logged = lines.join("\n");
  for (const text of [secret, encoded, secret.slice(0, 10), encoded.slice(0, 20), "correct horse", "wrong horse"])
    expect(logged).not.toContain(text);
});
