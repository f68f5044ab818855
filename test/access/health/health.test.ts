import { createExecutionContext, createMessageBatch, getQueueResult, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { logBacklogs } from "../../../src/access/health/backlog.ts";
import { SCHEMA_VERSION } from "../../../src/access/health/probe.ts";
import { probe } from "../../../src/access/health/probe.ts";
import { MINUTE_MS } from "../../../src/limits.ts";
import { generateEncryptionKey } from "../../../src/platform/lib/encryption.ts";
import worker from "../../../src/index.ts";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import type { HealthState } from "../../../src/access/health/contract.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, jobContext, runCron, send } from "../../support/api.ts";
import { messageOf, logOf, clickOn } from "../../support/clicks.ts";
import { BACKLOG_LOGGED_AFTER_MS } from "../../../src/access/health/limits.ts";

afterEach(() => vi.restoreAllMocks());

const NOW = Date.UTC(2030, 0, 1);

/** The version of the tables in the database of the tests. */
const NEWEST_VERSION = Number(/schema_migrations \(version\) VALUES \((\d+)\);/.exec(env.SCHEMA)?.[1]);

const ALL_OK = { database: "ok", schema: "ok", encryptionKeys: "ok", durableObjects: "ok", queues: "ok" };

let minutes = 0;

/** Makes the next calls later than the time for which a result is repeated. */
function forgetResult(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ++minutes * MINUTE_MS });
}

const LOCAL = "http://localhost:8787";

/** Asks a service that runs on the caller's machine. */
const askLocally = (address = "127.0.0.1") =>
  send(buildRequest("GET", `${LOCAL}/api/health`, { address }), { BASE_URL: LOCAL });

describe("GET /api/health", () => {
  it("tells the public only that everything works", async () => {
    forgetResult();
    const response = await call("GET", "/api/health");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await jsonOf(response)).toEqual({ status: "ok" });
  });

  it("tells callers on its machine the state of each part", async () => {
    forgetResult();
    const response = await askLocally();
    expect(response.status).toBe(200);
    expect(await jsonOf(await askLocally("203.0.113.9"))).toEqual({ status: "ok" });
    expect(await jsonOf(response)).toEqual({
      status: "ok",
      checks: ALL_OK,
      schemaVersion: NEWEST_VERSION,
      problems: [],
    });
    // The tables are changed before the code that needs the change.
    expect([SCHEMA_VERSION, SCHEMA_VERSION + 1]).toContain(NEWEST_VERSION);
  });

  it("names the failing part on its machine, without details of the failure, and checks once in five seconds", async () => {
    forgetResult();
    const metrics = vi.spyOn(env.DELIVERIES, "metrics").mockRejectedValue(new Error("inside"));
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const response = await call("GET", "/api/health");
    expect(response.status).toBe(503);
    expect(await jsonOf(response)).toEqual({ status: "failed" });
    const text = await (await askLocally()).text();
    expect(JSON.parse(text)).toMatchObject({ status: "failed", checks: { ...ALL_OK, queues: "failed" } });
    expect(text).not.toContain("inside");
    await Promise.all(Array.from({ length: 5 }, () => call("GET", "/api/health")));
    expect(metrics).toHaveBeenCalledTimes(1);
  });
});

describe("a part that is broken", () => {
  /** The failed checks with their problems and fixes. */
  async function problemsOf(changes: Partial<Record<keyof Env, unknown>> = {}): Promise<[string, string, string][]> {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line) => lines.push(line));
    const { status, checks, problems } = await probe({ ...env, ...changes } as Env);
    expect(status).toBe("failed");
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(
      problems.map(() => "health_check_failed"),
    );
    const failed = Object.entries(checks).filter(([, result]) => result === "failed");
    expect(failed.map(([name]) => name).sort()).toEqual(problems.map(({ check }) => check).sort());
    return problems.map(({ check, problem, fix }) => [check, problem, fix]);
  }

  const setVersion = (version: number) =>
    env.DB.prepare("UPDATE schema_migrations SET version = ?").bind(version).run();

  it("can be the tables, whose version is shown", async () => {
    await setVersion(SCHEMA_VERSION - 1);
    expect(await problemsOf()).toEqual([
      ["schema", expect.stringContaining(`version ${SCHEMA_VERSION - 1}`), expect.stringContaining("npm run deploy")],
    ]);
    // A deployment brings the database to its version first, and its code may be rolled back.
    await setVersion(SCHEMA_VERSION + 1);
    expect(await probe(env)).toMatchObject({ status: "ok", schemaVersion: SCHEMA_VERSION + 1 });
    await setVersion(SCHEMA_VERSION + 2);
    expect(await problemsOf()).toEqual([["schema", expect.any(String), expect.stringContaining("newer code")]]);
  });

  it("can be an installation without tables", async () => {
    await reset();
    forgetResult();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const response = await askLocally();
    expect(response.status).toBe(503);
    expect(await jsonOf(response)).toEqual({
      status: "failed",
      checks: { ...ALL_OK, schema: "failed" },
      schemaVersion: null,
      problems: [
        { check: "schema", problem: "The database has no tables.", fix: expect.stringContaining("npm run deploy") },
      ],
    });
  });

  it.each([
    ["missing", undefined, "is missing", "never was a key"],
    ["empty", "", "is missing", "never was a key"],
    ["garbage", "secret", "form", "secret put"],
    ["too short", "k1:c2hvcnQ=", "form", "secret put"],
  ])("can be an encryption key that is %s", async (_, ENCRYPTION_KEYS, problem, fix) => {
    expect(await problemsOf({ ENCRYPTION_KEYS })).toEqual([
      ["encryptionKeys", expect.stringContaining(problem), expect.stringContaining(fix)],
    ]);
  });

  it("can be an encryption key that another one replaced: stored secrets are lost without it", async () => {
    const other = generateEncryptionKey("other");
    const keys = { ENCRYPTION_KEYS: other };
    expect(await probe({ ...env, ...keys })).toMatchObject({ status: "ok" });
    const { key } = await createAccount();
    const body = { url: "https://example.com/hook", events: ["link.create"] };
    expect((await call("POST", "/api/webhooks", { key, body })).status).toBe(201);
    expect(await problemsOf(keys)).toEqual([
      ["encryptionKeys", expect.stringContaining("webhooks"), expect.stringContaining("former keys")],
    ]);
    const both = { ENCRYPTION_KEYS: `${other},${env.ENCRYPTION_KEYS}` };
    expect(await probe({ ...env, ...both })).toMatchObject({ status: "ok" });
  });

  it("can be an encryption key that passwords of links need", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "locked", password: "tern in the wind" });
    const other = generateEncryptionKey("other");
    expect(await problemsOf({ ENCRYPTION_KEYS: other })).toEqual([
      ["encryptionKeys", expect.stringContaining("passwords of links"), expect.stringContaining("former keys")],
    ]);
    expect(await probe({ ...env, ENCRYPTION_KEYS: `${other},${env.ENCRYPTION_KEYS}` })).toMatchObject({ status: "ok" });
  });

  const failing = () => Promise.reject(new Error("inside"));
  it.each([
    ["a queue without binding", { DEAD_CLICKS: undefined }, "queues", "npm run deploy"],
    ["a queue that fails", { DELIVERIES: { metrics: failing } }, "queues", "status page"],
    ["the rate limiter", { RATE_LIMITER: { getByName: () => ({ ping: failing }) } }, "durableObjects", "status page"],
    ["the ClickLogs", { CLICK_LOG: { getByName: () => ({ firstClickAt: failing }) } }, "durableObjects", "status page"],
    ["Durable Objects without binding", { CLICK_LOG: undefined }, "durableObjects", "status page"],
  ])("can be %s", async (_, changes, check, fix) => {
    expect(await problemsOf(changes)).toEqual([[check, expect.any(String), expect.stringContaining(fix)]]);
  });

  it("can be the database, which then hides the state of the tables", async () => {
    expect(await problemsOf({ DB: { prepare: () => ({ first: failing, all: failing }) } })).toEqual([
      ["database", expect.any(String), expect.any(String)],
    ]);
  });
});

describe("the report of the cron", () => {
  const stored = () => env.DB.prepare("SELECT checked_at, report FROM health_reports").all<{ report: string }>();

  it("is stored for the operator, the latest one only", async () => {
    await runCron(NOW);
    await runCron(NOW + MINUTE_MS);
    const { results } = await stored();
    expect(results).toEqual([{ checked_at: NOW + MINUTE_MS, report: expect.any(String) }]);
    expect(JSON.parse(results[0]?.report ?? "")).toEqual(await probe(env));
  });

  it("says what fails, which the log says too, with what mends it", async () => {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line) => lines.push(line));
    await runCron(NOW, { ENCRYPTION_KEYS: "" });
    const { results } = await stored();
    const { problems } = JSON.parse(results[0]?.report ?? "") as HealthState;
    expect(problems).toMatchObject([{ check: "encryptionKeys", problem: "ENCRYPTION_KEYS is missing." }]);
    const logged = lines.map((line) => JSON.parse(line) as object);
    expect(logged).toContainEqual({
      event: "health_check_failed",
      part: "encryptionKeys",
      error: problems[0]?.problem,
      fix: problems[0]?.fix,
    });
  });
});

it("accepts no parameters", async () => {
  expect((await call("GET", "/api/health?deep=1")).status).toBe(400);
});

describe("the backlog of the queues", () => {
  /** The log lines for a queue with its oldest message at `oldest` and with `dead` dead letters. */
  async function logLinesFor(oldest: number | undefined, dead: number): Promise<unknown[]> {
    const some = { backlogCount: 7, backlogBytes: 70 };
    const oldestMessageTimestamp = oldest === undefined ? {} : { oldestMessageTimestamp: new Date(oldest) };
    vi.spyOn(env.CLICKS, "metrics").mockResolvedValue({ ...some, ...oldestMessageTimestamp });
    vi.spyOn(env.DELIVERIES, "metrics").mockResolvedValue({ backlogCount: 0, backlogBytes: 0 });
    vi.spyOn(env.DEAD_CLICKS, "metrics").mockResolvedValue({ backlogCount: dead, backlogBytes: 10 * dead });
    vi.spyOn(env.DEAD_DELIVERIES, "metrics").mockResolvedValue({ backlogCount: 0, backlogBytes: 0 });
    vi.spyOn(env.CLICK_EVENTS, "metrics").mockResolvedValue({ ...some, ...oldestMessageTimestamp });
    vi.spyOn(env.DEAD_CLICK_EVENTS, "metrics").mockResolvedValue({ backlogCount: dead, backlogBytes: 10 * dead });
    const lines: string[] = [];
    for (const level of ["warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line) => lines.push(line));
    expect(await logBacklogs(jobContext(NOW))).toBe(lines.length);
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  it("is not reported while its oldest message is young", async () => {
    expect(await logLinesFor(undefined, 0)).toEqual([]);
    expect(await logLinesFor(NOW - BACKLOG_LOGGED_AFTER_MS, 0)).toEqual([]);
  });

  it("is reported if its oldest message is too old", async () => {
    const ageMs = BACKLOG_LOGGED_AFTER_MS + 1;
    expect(await logLinesFor(NOW - ageMs, 0)).toEqual([
      { event: "queue_backlog", queue: "clicks", messages: 7, bytes: 70, ageMs },
      { event: "queue_backlog", queue: "clickEvents", messages: 7, bytes: 70, ageMs },
    ]);
  });

  it("is reported as an error if there are dead letters", async () => {
    expect(await logLinesFor(undefined, 2)).toEqual([
      { event: "dead_letters", queue: "clicks", messages: 2, bytes: 20 },
      { event: "dead_letters", queue: "clickEvents", messages: 2, bytes: 20 },
    ]);
  });
});

it("consumes messages of any queue by their kind, dead letters too, and counts each click once", async () => {
  const { accountId, key } = await createAccount();
  const { id } = await createLink(key);
  const body = messageOf([clickOn(id, accountId), clickOn(id, accountId)]);
  for (const queue of ["tern-clicks", "tern-clicks-dead", "staging-deliveries"]) {
    const batch = createMessageBatch<ClickBatchMessage>(queue, [{ id: "1", timestamp: new Date(), attempts: 1, body }]);
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    expect(await getQueueResult(batch, context)).toMatchObject({
      outcome: "ok",
      retryBatch: { retry: false },
      retryMessages: [],
    });
    expect(await logOf(accountId).changedCounters()).toMatchObject([{ linkId: id, clicks: 2 }]);
  }
});
