import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoggedRequest, RequestBatch } from "../../../src/click-log/capture/requests.ts";
import {
  MAX_BUFFERED_REQUESTS,
  MAX_REQUESTS_PER_DAY,
  REQUEST_ROWS_PER_SEARCH,
  REQUESTS_PER_ROW,
} from "../../../src/click-log/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import type { LoggedRequest as Shown } from "../../../src/identity/keys/request-log-contract.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send, type CallOptions } from "../../support/api.ts";
import { logOf } from "../../support/clicks.ts";

interface Page {
  requests: Shown[];
  leftOut: number;
  recording: boolean;
  nextCursor: string | null;
}

let accountId: number;
let key: string;
let keyId: string;
beforeEach(async () => {
  ({ accountId, key, keyId } = await createAccount());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Call = [method: string, path: string, options?: CallOptions];

/** Makes the calls at once. The flush waits until all are answered. */
async function callLogged(calls: readonly Call[], own: Partial<Env> = {}): Promise<Response[]> {
  const flush = Promise.withResolvers<void>();
  vi.spyOn(scheduler, "wait").mockImplementation(() => flush.promise);
  const bindings = { NOT_RECORDED: "", CLICK_LOG: env.CLICK_LOG, ...own } as unknown as Partial<Env>;
  const responses = calls.map(([method, path, options = {}]) =>
    send(buildRequest(method, path, { key, ...options }), bindings),
  );
  // Nothing else takes longer than this.
  setTimeout(flush.resolve, 500);
  return Promise.all(responses);
}

async function read(query = "", owner = key): Promise<Page> {
  return jsonOf<Page>(await call("GET", `/api/request-log${query}`, { key: owner }));
}

/** What a ClickLog is called with, in place of one. */
function spyLog() {
  const calls: [name: string, batch: RequestBatch][] = [];
  const getByName = (name: string) => ({
    logRequests: (batch: RequestBatch) => Promise.resolve(void calls.push([name, batch])),
  });
  return { calls, CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"] };
}

const linesOf = ({ requests }: Page) =>
  requests.map(({ method, path, status }) => `${method} ${path} ${status}`).sort();

describe("requests with a key", () => {
  it("are logged with their ids, statuses and request ids, and without what else the client wrote", async () => {
    const { id } = await createLink(key);
    const responses = await callLogged([
      ["GET", `/api/links/${id.toUpperCase()}?secret=1`],
      ["GET", "/api/slugs/my-secret"],
      ["DELETE", `/api/keys/${key}`],
      ["POST", "/api/links", { body: { url: "nothing" } }],
      ["POST", "/api/shorten", { body: { url: "https://example.com/" } }],
      ["POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } }],
    ]);
    const page = await read();
    expect(linesOf(page)).toEqual([
      "DELETE /api/keys/:id 404",
      `GET /api/links/${id} 400`,
      "GET /api/slugs/:slug 200",
      "POST /api/links 400",
      `POST /api/shorten ${responses[4]?.status}`,
      `POST /mcp ${responses[5]?.status}`,
    ]);
    const requestIds = responses.map(({ headers }) => headers.get("X-Request-Id"));
    expect(new Set(page.requests.map((each) => each.id))).toEqual(new Set<string | null>(requestIds));
    expect(new Set(page.requests.map((each) => each.keyId))).toEqual(new Set([keyId]));
    expect(page).toMatchObject({ leftOut: 0, nextCursor: null });
    expect(JSON.stringify(page)).not.toContain("secret");
  });

  it("are logged where they are refused, also with a revoked key, and not without a key that exists", async () => {
    const weak = await jsonOf<{ key: { id: string; value: string } }>(
      await call("POST", "/api/keys", { key, body: { name: "weak", permissions: ["links:read"] } }),
    );
    const { id, value } = weak.key;
    await callLogged([["GET", "/api/keys", { key: value }]]);
    await call("DELETE", `/api/keys/${id}`, { key });
    await callLogged([
      ["GET", "/api/links", { key: value }],
      ["GET", "/api/links", { key: `svc_sk_live_${"0".repeat(64)}` }],
      ["GET", "/api/service"],
    ]);
    expect(linesOf(await read(`?keyId=${id}`))).toEqual(["GET /api/keys 403", "GET /api/links 401"]);
    expect((await read()).requests).toHaveLength(2);
  });

  it("are filtered by key, status class and method", async () => {
    await callLogged([
      ["GET", "/api/tags"],
      ["POST", "/api/links", { body: {} }],
    ]);
    expect(linesOf(await read("?status=4xx"))).toEqual(["POST /api/links 400"]);
    expect(linesOf(await read("?method=GET"))).toEqual(["GET /api/tags 200"]);
    expect(linesOf(await read("?method=GET&status=4xx"))).toEqual([]);
    expect(linesOf(await read(`?keyId=${newId(Date.now())}`))).toEqual([]);
  });

  it("are seen with the permission keys:read, and only those of the own account", async () => {
    await callLogged([["GET", "/api/tags"]]);
    const other = await createAccount();
    expect((await read("", other.key)).requests).toEqual([]);
    const { key: weak } = await createAccount(["links:read"]);
    expect((await call("GET", "/api/request-log", { key: weak })).status).toBe(403);
  });

  it("are not logged where the operator turned it off, and the answer says so", async () => {
    const { calls, CLICK_LOG: spied } = spyLog();
    await callLogged([["GET", "/api/tags"]], { CLICK_LOG: spied, NOT_RECORDED: "requests" });
    expect(calls).toEqual([]);
    const { CLICK_LOG } = env;
    for (const [NOT_RECORDED, recording] of [
      ["", true],
      ["orphan-visits, requests", false],
    ] as const) {
      const response = await send(buildRequest("GET", "/api/request-log", { key }), { CLICK_LOG, NOT_RECORDED });
      expect((await jsonOf<Page>(response)).recording).toBe(recording);
    }
  });

  it("do not wait for the log, and are lost where it fails", async () => {
    const getByName = () => ({ logRequests: () => Promise.reject(new Error("overloaded")) });
    const [response] = await callLogged([["GET", "/api/tags"]], {
      CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"],
    });
    expect(response?.status).toBe(200);
    await callLogged([["GET", "/api/usage"]]);
    expect(linesOf(await read())).toEqual(["GET /api/usage 200"]);
  });

  it("are one call and one row for all that an isolate got in a flush, and no row of the database", async () => {
    const { calls, CLICK_LOG } = spyLog();
    await callLogged(
      Array.from({ length: 20 }, (): Call => ["GET", "/api/tags"]),
      { CLICK_LOG },
    );
    expect(calls).toMatchObject([[`account:${accountId}`, { leftOut: 0 }]]);
    expect(calls[0]?.[1].requests).toHaveLength(20);
  });
});

const requestAt = (at: number, n: number): LoggedRequest => [
  at,
  crypto.randomUUID(),
  keyId,
  "GET",
  `/api/${n}`,
  200 + (n % 2) * 200,
  1,
];

const requestsFrom = (from: number, count: number): LoggedRequest[] =>
  Array.from({ length: count }, (_, n) => requestAt(Date.now(), from + n));

const rowsOf = () =>
  runInDurableObject(logOf(accountId), (_, { storage: { kv } }) => [...kv.list({ prefix: "requests:" })].length);

describe("many requests", () => {
  it("are read in pages, each once, while others arrive", async () => {
    const log = logOf(accountId);
    const total = 2 * REQUESTS_PER_ROW + 30;
    await log.logRequests({ requests: requestsFrom(0, total), leftOut: 0 });
    for (const filter of ["", "&status=4xx"]) {
      const paths: string[] = [];
      let cursor = "";
      for (let pages = 0; ; pages++) {
        const page = await read(`?limit=100${filter}${cursor}`);
        paths.push(...page.requests.map(({ path }) => path));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
        await log.logRequests({ requests: requestsFrom(10_000 + pages, 1), leftOut: 0 });
        expect(pages).toBeLessThan(10);
      }
      const numbers = Array.from({ length: total }, (_, n) => total - 1 - n).filter(
        (n) => filter === "" || n % 2 === 1,
      );
      expect(paths.filter((path) => !/\/1\d{4}$/.test(path))).toEqual(numbers.map((n) => `/api/${n}`));
    }
  });

  it("are searched beyond the rows of one call", async () => {
    const log = logOf(accountId);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 5, 15, 12) });
    await log.logRequests({
      requests: [[Date.now(), crypto.randomUUID(), keyId, "PATCH", "/api/old", 200, 1]],
      leftOut: 0,
    });
    vi.setSystemTime(Date.now() + DAY_MS);
    await log.logRequests({
      requests: requestsFrom(0, (REQUEST_ROWS_PER_SEARCH - 1) * REQUESTS_PER_ROW + 1),
      leftOut: 0,
    });
    const first = await log.readRequests({ method: "PATCH" }, null, 1);
    expect(first.found).toEqual([]);
    expect((await log.readRequests({ method: "PATCH" }, first.next, 1)).found).toMatchObject([{ path: "/api/old" }]);
  });

  it("above the bound of a day take the place of the oldest ones, which are counted", async () => {
    const log = logOf(accountId);
    const total = MAX_REQUESTS_PER_DAY + 1;
    await log.logRequests({ requests: requestsFrom(0, total), leftOut: 7 });
    const { found, leftOut } = await log.readRequests({}, null, MAX_REQUESTS_PER_DAY);
    expect(leftOut).toBe(REQUESTS_PER_ROW + 7);
    expect(found.length + leftOut).toBe(total + 7);
    expect(found[0]?.path).toBe(`/api/${total - 1}`);
    expect(await rowsOf()).toBe(MAX_REQUESTS_PER_DAY / REQUESTS_PER_ROW);
    await log.logRequests({ requests: requestsFrom(0, 1), leftOut: 0 });
    expect((await log.readRequests({}, null, 1)).leftOut).toBe(REQUESTS_PER_ROW + 7);
  });

  it("above the bound of an isolate are counted", async () => {
    const { calls, CLICK_LOG } = spyLog();
    const { logRequest } = await import("../../../src/click-log/capture/requests.ts");
    vi.spyOn(scheduler, "wait").mockResolvedValue();
    const flush = logRequest({ CLICK_LOG }, accountId, requestAt(0, 0));
    for (let n = 0; n < MAX_BUFFERED_REQUESTS + 4; n++) void logRequest({ CLICK_LOG }, accountId, requestAt(0, n));
    await flush;
    expect(calls[0]?.[1].requests).toHaveLength(MAX_BUFFERED_REQUESTS);
    expect(calls[0]?.[1].leftOut).toBe(5);
  });

  it("refuse a cursor of another list and an unknown filter", async () => {
    const cursors = [btoa("keys:1.1.1"), "none", btoa("requests:1.1.x")];
    for (const query of [...cursors.map((cursor) => `cursor=${cursor}`), "status=400", "method=get", "page=2"])
      expect((await call("GET", `/api/request-log?${query}`, { key })).status).toBe(400);
    expect(await read(`?cursor=${btoa("requests:1.1.1").replaceAll("=", "")}`)).toMatchObject({ requests: [] });
  });
});
