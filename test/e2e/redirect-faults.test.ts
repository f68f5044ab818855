import { request, type ClientRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAccount, createLink, deleteLink } from "./support/accounts.ts";
import { fails, holds, INSIDE, REDIRECT_READ, type DatabaseHook } from "./support/database.ts";
import type { Answer } from "./support/http.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";
import { until } from "../support/until.ts";
import { MAX_LOOKUPS_PER_READ, MAX_READS_UNDER_WAY } from "../../src/redirect/limits.ts";

const TARGET = "https://example.com/target";
const HOUR_MS = 3_600_000;

/** `seen` has the links in its memory cache; `fresh` finds them only in the edge cache that both share. */
let service: Service<"seen" | "fresh">;
let key: string;

beforeAll(async () => {
  service = await startService({ seen: "one", fresh: "one" });
  ({ key } = await createAccount(service.db));
});
afterEach(() => onDatabase(undefined));
afterAll(() => service.stop());

function onDatabase(hook: DatabaseHook | undefined): void {
  for (const isolate of Object.values(service.isolates)) isolate.onDatabase = hook;
}

async function advanceAll(ms: number): Promise<void> {
  await Promise.all(Object.values(service.isolates).map((isolate) => isolate.advance(ms)));
}

async function linkSeen(slug: string, fields: object = {}) {
  const { seen } = service.isolates;
  const link = await createLink(seen, key, { url: TARGET, slug, ...fields });
  expect((await seen.get(`/${slug}`)).headers["location"]).toBe(TARGET);
  await seen.settled();
  return link;
}

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.text).not.toMatch(INSIDE);
}

it.each([
  ["a minute", 60_000],
  ["23 hours", 23 * HOUR_MS],
])(
  "serves links seen %s ago while the database fails, from the memory cache and from the edge cache",
  async (_, ms) => {
    const { seen, fresh } = service.isolates;
    const slug = `failing-${ms}`;
    await linkSeen(slug);
    await advanceAll(ms);
    onDatabase(fails);
    await seen.moveTo("with an empty cache");
    for (const isolate of [seen, fresh]) {
      const answer = await isolate.get(`/${slug}?from=poster`);
      expect(answer.status).toBe(302);
      expect(answer.headers["location"]).toBe(`${TARGET}?from=poster`);
    }
    await seen.moveTo("one");
  },
);

it("responds 503 for links not seen in the last day while the database fails, and serves them afterwards", async () => {
  const { seen, fresh } = service.isolates;
  await linkSeen("long-ago");
  await createLink(seen, key, { url: TARGET, slug: "never-seen" });
  await advanceAll(25 * HOUR_MS);
  onDatabase(fails);
  for (const isolate of [seen, fresh]) {
    for (const path of ["/long-ago", "/never-seen", "/unknown"]) {
      const page = await isolate.get(path);
      expectUnavailable(page);
      expect(page.headers["content-type"]).toMatch(/^text\/html/);
      const json = await isolate.get(path, { Accept: "application/json" });
      expectUnavailable(json);
      expect(json.json()).toEqual({ error: expect.any(String), code: "unavailable" });
    }
  }
  onDatabase(undefined);
  for (const isolate of [seen, fresh]) {
    expect((await isolate.get("/long-ago")).headers["location"]).toBe(TARGET);
    expect((await isolate.get("/never-seen")).headers["location"]).toBe(TARGET);
    expect((await isolate.get("/unknown")).status).toBe(404);
  }
});

it("serves a seen link while the database does not respond, and 503 for others", async () => {
  const { seen, fresh } = service.isolates;
  await linkSeen("silent-seen");
  await createLink(seen, key, { url: TARGET, slug: "silent-unseen" });
  await advanceAll(60_000);
  for (const isolate of [seen, fresh]) await isolate.useProductionTimes(true);
  const hold = holds("before", REDIRECT_READ);
  onDatabase(hold.hook);
  // The database responds only after all these requests are answered.
  const answers = await Promise.all([
    seen.get("/silent-seen"),
    fresh.get("/silent-seen"),
    seen.get("/silent-unseen"),
    fresh.get("/silent-unseen"),
  ]);
  expect(answers.map((answer) => answer.headers["location"] ?? answer.status)).toEqual([TARGET, TARGET, 503, 503]);
  for (const answer of answers.slice(2)) expectUnavailable(answer);

  for (const isolate of [seen, fresh]) await isolate.useProductionTimes(false);
  hold.release();
  await Promise.all([seen.settled(), fresh.settled()]);
  // The late response of the database is stored for the next visitor.
  onDatabase(fails);
  for (const isolate of [seen, fresh]) {
    expect((await isolate.get("/silent-unseen")).headers["location"]).toBe(TARGET);
  }
});

it("reads a failing database once in a few seconds, not for each visitor", async () => {
  const { seen } = service.isolates;
  await linkSeen("silent-hot");
  await advanceAll(60_000);
  const trips: string[] = [];
  onDatabase((call) => {
    if (call.moment === "before" && call.replica) trips.push(REDIRECT_READ.test(call.sql.join(";")) ? "link" : "hosts");
    return fails(call);
  });
  for (let visit = 0; visit < 20; visit++) expect((await seen.get("/silent-hot")).status).toBe(302);
  expect(trips.toSorted()).toEqual(["hosts", "link"]);
});

it("uses no visits of a limited link while the database fails", async () => {
  const { seen, fresh } = service.isolates;
  await linkSeen("limited", { maxClicks: 3 });
  onDatabase(fails);
  for (const isolate of [seen, fresh]) expectUnavailable(await isolate.get("/limited"));
  onDatabase(undefined);
  const statuses = [await seen.get("/limited"), await fresh.get("/limited"), await seen.get("/limited")].map(
    (answer) => answer.status,
  );
  expect(statuses).toEqual([302, 302, 410]);
});

it("does not serve a deleted link again while the database fails", async () => {
  const { seen, fresh } = service.isolates;
  const { id } = await linkSeen("deleted");
  await fresh.get("/deleted");
  await deleteLink(seen, key, id);
  await fresh.advance(6_000);
  for (const visitedOnce of [false, true]) {
    onDatabase(fails);
    for (const isolate of [seen, fresh]) expectUnavailable(await isolate.get("/deleted"));
    onDatabase(undefined);
    if (!visitedOnce) for (const isolate of [seen, fresh]) expect((await isolate.get("/deleted")).status).toBe(404);
  }
});

it("logs a failure as one JSON line without the query string and without anything of the visitor", async () => {
  const { fresh } = service.isolates;
  onDatabase(fails);
  const before = service.logLines.length;
  await fresh.get("/logged?token=query-secret", {
    Cookie: "session=cookie-secret",
    Authorization: "Bearer header-secret",
    "CF-Connecting-IP": "203.0.113.77",
  });
  const logged = () => service.logLines.slice(before);
  // Clicks of the tests before this one may also meet the failing database.
  const failures = () =>
    logged().filter((line) => (JSON.parse(line) as { event: string }).event === "link_read_failed");
  await expect.poll(failures, { timeout: 20_000 }).toHaveLength(1);
  expect(logged().join("\n")).not.toMatch(/secret|203\.0\.113\.77/);
});

/** The reads of links that reach the database. */
function countReads(hook?: DatabaseHook): { reads: number } {
  const counted = { reads: 0 };
  onDatabase((call) => {
    if (call.moment === "before" && REDIRECT_READ.test(call.sql.join(";"))) counted.reads++;
    return hook?.(call);
  });
  return counted;
}

/** A visitor who can leave before the answer. */
function visitToLeave({ address: { hostname, port } }: Isolate, path: string): ClientRequest {
  const visit = request({ host: hostname, port, path, headers: { Host: "tern.test" } });
  visit.on("error", () => undefined);
  visit.end();
  return visit;
}

it("reads a link once for all visitors who ask for it at once, also if the first of them leaves", async () => {
  const { seen } = service.isolates;
  await createLink(seen, key, { url: TARGET, slug: "in-demand" });
  const hold = holds("before", REDIRECT_READ);
  const counted = countReads(hold.hook);
  const leaver = visitToLeave(seen, "/in-demand");
  await hold.held;
  const answers = Promise.all(Array.from({ length: 100 }, () => seen.get("/in-demand")));
  leaver.destroy();
  // Time for the requests to arrive and for the isolate to notice who left.
  await sleep(200);
  hold.release();
  for (const answer of await answers) expect(answer.headers["location"]).toBe(TARGET);
  expect(counted.reads).toBe(1);
});

it("finds a link that was created while others waited for the answer that there is none", async () => {
  const { seen, fresh } = service.isolates;
  const hold = holds("after", REDIRECT_READ, 1);
  const counted = countReads(hold.hook);
  const early = seen.get("/just-made");
  await hold.held;
  // The database has answered that there is none, and the isolate has not got the answer yet.
  await createLink(fresh, key, { url: TARGET, slug: "just-made" });
  const late = Array.from({ length: 20 }, () => seen.get("/just-made"));
  await sleep(200);
  hold.release();
  expect((await early).status).toBe(404);
  for (const answer of await Promise.all(late)) expect(answer.headers["location"]).toBe(TARGET);
  expect(counted.reads).toBe(2);
});

it("does not show a deleted link to those who come after its deletion, while a read from before is under way", async () => {
  const { seen } = service.isolates;
  const { id } = await createLink(seen, key, { url: TARGET, slug: "just-deleted" });
  const hold = holds("after", REDIRECT_READ, 1);
  onDatabase(hold.hook);
  const early = seen.get("/just-deleted");
  await hold.held;
  await deleteLink(seen, key, id);
  expect((await seen.get("/just-deleted")).status).toBe(404);
  hold.release();
  await early;
  expect((await seen.get("/just-deleted")).status).toBe(404);
});

it("looks up any number of unknown slugs, and links beside them, in few reads", async () => {
  const { seen } = service.isolates;
  await createLink(seen, key, { url: TARGET, slug: "in-a-flood" });
  const counted = countReads();
  const paths = [...Array.from({ length: 200 }, (_, n) => `/flood-${n}`), "/in-a-flood"];
  const answers = await Promise.all(paths.map((path) => seen.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 200 }, () => 404), 302]);
  expect(counted.reads).toBeLessThanOrEqual(MAX_READS_UNDER_WAY + Math.ceil(200 / MAX_LOOKUPS_PER_READ));
});

it("looks up what waits although the visitor who has waited longest leaves", async () => {
  const { seen } = service.isolates;
  await createLink(seen, key, { url: TARGET, slug: "after-a-leaver" });
  const hold = holds("after", REDIRECT_READ, MAX_READS_UNDER_WAY);
  const counted = countReads(hold.hook);
  const early = [];
  // One after the other: look-ups that wait for a read travel together.
  while (early.length < MAX_READS_UNDER_WAY) {
    early.push(seen.get(`/held-${early.length}`));
    await until(() => counted.reads === early.length);
  }
  const leaver = visitToLeave(seen, "/left-early");
  // Time for the requests to arrive, and for the isolate to notice who left.
  await sleep(200);
  const late = Array.from({ length: 20 }, () => seen.get("/after-a-leaver"));
  await sleep(200);
  leaver.destroy();
  await sleep(200);
  hold.release();
  for (const answer of await Promise.all(late)) expect(answer.headers["location"]).toBe(TARGET);
  for (const answer of await Promise.all(early)) expect(answer.status).toBe(404);
});
