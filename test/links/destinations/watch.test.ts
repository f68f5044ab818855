import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import {
  DEAD_RETRY_MS,
  LIVELY_CHECK_MS,
  MAX_POSTPONE_MS,
  NEW_LINK_SETTLE_MS,
  VISITS_PER_HOST,
} from "#src/links/destinations/limits.ts";
import { isWatching, watchDestinations } from "#src/links/destinations/watch.ts";
import { DAY_MS } from "#src/limits.ts";
import type { Link } from "#src/links/contract.ts";
import { call, createAccount, createLink } from "../../support/api.ts";
import { INDEX_GROWTH_ROWS, measureD1 } from "../../support/d1-meter.ts";
import { internet } from "../../webhooks/support.ts";

let key: string;
let now: number;

beforeEach(async () => {
  ({ key } = await createAccount());
  await internet.reset();
  await internet.answers({ "shop.dev/robots.txt": { status: 404 }, "other.dev/robots.txt": { status: 404 } });
  now = Date.now() + NEW_LINK_SETTLE_MS + 1_000;
});

const page = (title: string) => ({ headers: { "Content-Type": "text/html" }, body: `<title>${title}</title>` });

/** A run of the watch, `ms` after the one before. Returns the number of visits. */
function watch(ms = 0): Promise<number> {
  now += ms;
  return watchDestinations(createJobContext(env, createExecutionContext(), now));
}

async function read(id: string): Promise<Link> {
  const response = await call("GET", `/api/links/${id}`, { key });
  return (await response.json<{ link: Link }>()).link;
}

const visited = async () => (await internet.received()).filter(({ url }) => !url.endsWith("/robots.txt")).length;

it("is on unless the service runs on this machine, or the operator says so", () => {
  const states = (["", "on", "off"] as const).map((DESTINATION_WATCH) =>
    ["", "http://localhost:8787", "https://go.example"].map((BASE_URL) => isWatching({ BASE_URL, DESTINATION_WATCH })),
  );
  expect(states).toEqual([
    [false, false, true],
    [true, true, true],
    [false, false, false],
  ]);
});

it("visits a new link once, and shows what it found in links and lists", async () => {
  await internet.answers({
    "shop.dev/a": { status: 302, headers: { Location: "https://other.dev/b" } },
    "other.dev/b": page("Tea"),
  });
  const { id, destination } = await createLink(key, { url: "https://shop.dev/a" });
  expect(destination).toBeNull();
  expect(await watch(-NEW_LINK_SETTLE_MS)).toBe(0);
  expect(await watch(NEW_LINK_SETTLE_MS)).toBe(1);
  const found = {
    state: "working",
    title: "Tea",
    icon: null,
    host: "other.dev",
    status: 200,
    checkedAt: now,
    brokenSince: null,
  };
  expect((await read(id)).destination).toEqual(found);
  const { links } = await (await call("GET", "/api/links", { key })).json<{ links: Link[] }>();
  expect(links.map((link) => link.destination)).toEqual([found]);
  expect(await watch(LIVELY_CHECK_MS / 2)).toBe(0);
  expect(await watch(LIVELY_CHECK_MS)).toBe(1);
  expect(await visited()).toBe(4);
});

it("visits another URL of a link at once, and shows nothing of the former one", async () => {
  await internet.answers({ "shop.dev/a": page("Tea"), "shop.dev/b": page("Coffee") });
  const { id } = await createLink(key, { url: "https://shop.dev/a" });
  await watch();
  const changed = await call("PATCH", `/api/links/${id}`, { key, body: { url: "https://shop.dev/b" } });
  expect((await changed.json<{ link: Link }>()).link.destination).toBeNull();
  expect(await watch(1)).toBe(1);
  expect((await read(id)).destination).toMatchObject({ title: "Coffee" });
});

it("reports a destination that is dead three times in a row, and its recovery, as changes of the link", async () => {
  await internet.answers({ "shop.dev/a": page("Tea") });
  const { id, updatedAt } = await createLink(key, { url: "https://shop.dev/a" });
  await watch();
  const hook = { url: "https://hooks.example.com/", events: ["link.update"] };
  await call("POST", "/api/webhooks", { key, body: hook });
  await internet.answers({ "shop.dev/a": { status: 410 } });
  await watch(1.2 * LIVELY_CHECK_MS);
  expect((await read(id)).destination).toMatchObject({ state: "failing", title: "Tea", status: 410 });
  await watch(1.2 * DEAD_RETRY_MS[0]);
  expect(await read(id)).toMatchObject({ updatedAt, destination: { state: "failing", brokenSince: null } });
  await watch(1.2 * DEAD_RETRY_MS[1]);
  const brokenSince = now;
  expect(await read(id)).toMatchObject({ updatedAt: now, destination: { state: "broken", brokenSince } });
  await watch(1.2 * DAY_MS);
  await internet.answers({ "shop.dev/a": page("Tea again") });
  await watch(1.2 * DAY_MS);
  expect((await read(id)).destination).toMatchObject({ state: "working", title: "Tea again", brokenSince: null });
  const { results } = await env.DB.prepare(
    "SELECT body FROM deliveries WHERE type = 'link.update' ORDER BY event_id",
  ).all<{ body: string }>();
  const reported = results.map(({ body }) => (JSON.parse(body) as { data: Link }).data);
  expect(
    reported.map(({ destination, updatedAt }) => [destination?.state, destination?.brokenSince, updatedAt]),
  ).toEqual([
    ["broken", brokenSince, brokenSince],
    ["working", null, now],
  ]);
});

it("reports nothing of a destination that the link has left during the visit", async () => {
  await internet.answers({ "shop.dev/a": { status: 410 }, "shop.dev/b": page("Coffee") });
  const { id } = await createLink(key, { url: "https://shop.dev/a" });
  await watch();
  await watch(1.2 * DEAD_RETRY_MS[0]);
  await internet.answers({ "shop.dev/a": { status: 410, waitMs: 300 }, "shop.dev/b": page("Coffee") });
  const run = watch(1.2 * DEAD_RETRY_MS[1]);
  await vi.waitUntil(async () => (await visited()) > 2);
  const changed = await call("PATCH", `/api/links/${id}`, { key, body: { url: "https://shop.dev/b" } });
  const { updatedAt } = (await changed.json<{ link: Link }>()).link;
  expect(await run).toBe(1);
  expect(await read(id)).toMatchObject({ updatedAt, destination: null });
});

it("does not visit links that lead nowhere, links without an account, and deleted links", async () => {
  await internet.answers({ "shop.dev/a": page("Tea") });
  await createLink(key, { url: "https://shop.dev/a", disabled: true });
  await call("POST", "/api/shorten", { body: { url: "https://shop.dev/a" } });
  const { id } = await createLink(key, { url: "https://shop.dev/a" });
  await call("DELETE", `/api/links/${id}`, { key });
  expect(await watch()).toBe(0);
  expect(await visited()).toBe(0);
  expect(await env.DB.prepare("SELECT count(*) FROM destinations").first("count(*)")).toBe(1);
});

it("keeps what it found of a deleted link until that is restored or purged", async () => {
  await internet.answers({ "shop.dev/a": page("Tea") });
  const { id } = await createLink(key, { url: "https://shop.dev/a" });
  await watch();
  await call("DELETE", `/api/links/${id}`, { key });
  await call("POST", `/api/links/${id}/restore`, { key });
  expect((await read(id)).destination).toMatchObject({ title: "Tea" });
  await call("DELETE", `/api/links/${id}`, { key });
  await env.DB.prepare("DELETE FROM deleted_links").run();
  expect(await env.DB.prepare("SELECT count(*) FROM destinations").first("count(*)")).toBe(0);
});

it("visits few URLs of one host in a run, and postpones the others", async () => {
  await internet.answers({ "shop.dev/a": page("Tea") });
  const links = Array.from({ length: VISITS_PER_HOST + 2 }, () => ({ url: "https://shop.dev/a" }));
  await call("POST", "/api/links/bulk", { key, body: { links } });
  await watch();
  expect(await watch(60_000)).toBe(VISITS_PER_HOST);
  expect(await watch(MAX_POSTPONE_MS)).toBe(1);
  expect(await watch(1_000)).toBe(0);
});

it("costs a creation nothing, and a visit the rows of docs/costs.md", async () => {
  await internet.answers({ "shop.dev/a": page("Tea") });
  const creation = () => measureD1(() => createLink(key, { url: "https://shop.dev/a" }));
  const rows = async (run: () => Promise<unknown>) => {
    const { rowsWritten, roundTrips } = await measureD1(run);
    return [rowsWritten, roundTrips];
  };
  await creation();
  const before = await creation();
  await watch();
  await watch(60_000);
  const after = await creation();
  expect([after.statements.length, after.rowsWritten]).toEqual([before.statements.length, before.rowsWritten]);
  expect(after.rowsRead).toBeLessThanOrEqual(before.rowsRead + INDEX_GROWTH_ROWS);
  now += 60_000;
  expect(await rows(() => watch())).toEqual([8, 4]);
  const checks = 3;
  expect(await rows(() => watch(1.2 * LIVELY_CHECK_MS))).toEqual([4 * checks, 4]);
  expect(await rows(() => watch(1))).toEqual([0, 2]);
});
