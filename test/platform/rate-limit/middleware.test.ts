import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  addKey,
  buildRequest,
  call,
  createAccount,
  createLink,
  jsonOf,
  send,
  type CallOptions,
  type ErrorJson,
} from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { countCalls } from "./objects.ts";

interface Row {
  operation: string;
  limit: number;
  /** A valid body. */
  body?: object;
  /** The status of a successful call, if the test can make one. */
  success?: number;
}

const url = "https://example.com/";

/** The table of the specification (8.1). */
const table: Row[] = [
  { operation: "POST /api/links", limit: 10, body: { url }, success: 201 },
  { operation: "GET /api/links", limit: 30, success: 200 },
  { operation: "GET /api/links/:id", limit: 60, success: 200 },
  { operation: "PATCH /api/links/:id", limit: 10, body: { title: "Another" }, success: 200 },
  { operation: "DELETE /api/links/:id", limit: 10, success: 200 },
  { operation: "GET /api/links/:id/clicks", limit: 30 },
  { operation: "GET /api/links/:id/qr", limit: 60 },
  { operation: "POST /api/qr", limit: 60 },
  { operation: "POST /api/shorten (authenticated)", limit: 30, body: { url }, success: 201 },
  { operation: "POST /api/shorten (anonymous)", limit: 5, body: { url }, success: 201 },
  { operation: "GET /api/keys", limit: 30, success: 200 },
  { operation: "POST /api/keys", limit: 10, body: { name: "Another" }, success: 201 },
  { operation: "DELETE /api/keys/:id", limit: 10, success: 200 },
  { operation: "GET /api/webhooks", limit: 30, success: 200 },
  { operation: "POST /api/webhooks", limit: 10, body: { url, events: ["link.create"] }, success: 201 },
  { operation: "PATCH /api/webhooks/:id", limit: 10, body: { status: "active" } },
  { operation: "DELETE /api/webhooks/:id", limit: 10 },
  { operation: "POST /api/webhooks/:id", limit: 5 },
  { operation: "GET /api/domains", limit: 30, success: 200 },
  { operation: "POST /api/domains/add", limit: 10, body: { domain: "go.acme.com" } },
  { operation: "POST /api/domains/:id/verify", limit: 5 },
  { operation: "DELETE /api/domains/:id", limit: 10 },
  { operation: "PATCH /api/domains/:id", limit: 10, body: { rootUrl: url } },
  // Beyond the specification.
  { operation: "GET /api/domains/:id", limit: 60 },
  { operation: "GET /api/webhooks/:id", limit: 60 },
  { operation: "GET /api/webhooks/:id/deliveries", limit: 30 },
  { operation: "POST /api/webhooks/:id/deliveries/retry", limit: 10, body: { since: 0 } },
  { operation: "POST /api/webhooks/:id/rotate-secret", limit: 10 },
];

const unknownId = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const anonymous = "POST /api/shorten (anonymous)";
const wrongForm = { Authorization: "Token x" };

// The clock stands still unless it is set, and timeouts never fire, however slow the machine is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});

function callRow({ operation }: Row, options: CallOptions, id = unknownId, query = ""): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ");
  return call(method, path.replace(":id", id) + query, options);
}

/** The rate limit headers, which must be whole numbers. */
function rateLimitOf({ headers }: Response) {
  const number = (name: string) => {
    const value = headers.get(name) ?? "";
    expect(`${name}: ${value}`).toMatch(/: \d+$/);
    return Number(value);
  };
  return {
    limit: number("X-RateLimit-Limit"),
    remaining: number("X-RateLimit-Remaining"),
    reset: number("X-RateLimit-Reset"),
  };
}

/** A failing request for each kind of error of the endpoint. */
async function failures(row: Row): Promise<[status: number, options: CallOptions, query?: string][]> {
  const { body } = row;
  const { key } = await createAccount();
  const shorten = row.operation.startsWith("POST /api/shorten");
  const who = row.operation === anonymous ? {} : { key };
  const cases: [number, CallOptions, string?][] = [];
  if (!shorten) cases.push([401, { body }]);
  if (row.operation !== anonymous) {
    cases.push([401, { body, headers: wrongForm }], [401, { body, key: `svc_sk_live_${"0".repeat(64)}` }]);
    if (row.operation !== "POST /api/qr") cases.push([403, { body, key: (await createAccount([])).key }]);
  }
  if (row.operation.includes(":id")) cases.push([404, { ...who, body }]);
  if (row.operation === "GET /api/links" || row.operation === "GET /api/keys") cases.push([400, who, "?limit=0"]);
  if (body !== undefined) {
    cases.push(
      [400, { ...who, body: "{" }],
      [400, { ...who, body: { ...body, nonsense: 1 } }],
      [413, { ...who, body: { url: "x".repeat(100_000) } }],
      [415, { ...who, body, headers: { "Content-Type": "text/plain" } }],
    );
  }
  return cases;
}

describe.each(table)("$operation", (row) => {
  it("sends the rate limit headers with every response", async () => {
    const address = freshAddress();
    const remaining = { valid: row.limit, notValid: row.limit };
    for (const [status, options, query] of await failures(row)) {
      const response = await callRow(row, { ...options, address }, unknownId, query);
      expect(response.status).toBe(status);
      const left = --remaining[status === 401 ? "notValid" : "valid"];
      expect(rateLimitOf(response)).toEqual({ limit: row.limit, remaining: left, reset: 60 });
      expect(response.headers.has("Retry-After")).toBe(false);
    }
    expect(Math.min(remaining.valid, remaining.notValid)).toBeLessThan(row.limit);
    if (row.success === undefined) return;
    const { accountId, key } = await createAccount();
    const id = row.operation.includes("keys") ? (await addKey(accountId)).keyId : (await createLink(key)).id;
    const options = row.operation === anonymous ? { body: row.body } : { key, body: row.body };
    const response = await callRow(row, { ...options, address: freshAddress() }, id);
    expect(response.status).toBe(row.success);
    expect(rateLimitOf(response)).toEqual({ limit: row.limit, remaining: row.limit - 1, reset: 60 });
  });

  it(`accepts ${row.limit} calls a minute, then responds 429 with an exact Retry-After`, async () => {
    const address = freshAddress();
    const call = { address, body: row.body };
    // A key without permissions changes nothing. Its calls and those without a valid key have windows of their own.
    const callers: CallOptions[] =
      row.operation === anonymous
        ? [call]
        : [
            { ...call, headers: wrongForm },
            { ...call, key: (await createAccount([])).key },
          ];
    const start = Date.now();
    for (const options of callers) {
      const accept = async (calls: number) => {
        vi.setSystemTime(start + 10 * calls);
        const response = await callRow(row, options);
        expect(response.status).not.toBe(429);
        expect(rateLimitOf(response)).toEqual({ limit: row.limit, remaining: row.limit - calls, reset: 60 });
      };
      await accept(1);
      await accept(2);
      const name = options.headers === wrongForm ? `no valid key ${address}` : address;
      await countCalls({ name, operation: row.operation, limit: row.limit, calls: row.limit - 3 });
      await accept(row.limit);
      vi.setSystemTime(start + 30_000);
      const refused = await callRow(row, options);
      expect(refused.status).toBe(429);
      expect(rateLimitOf(refused)).toEqual({ limit: row.limit, remaining: 0, reset: 31 });
      expect(refused.headers.get("Retry-After")).toBe("31");
      expect(await jsonOf(refused)).toEqual({ error: expect.stringMatching(/./), code: "rate_limited" });
      expect((await callRow(row, { ...options, address: freshAddress() })).status).not.toBe(429);
      vi.setSystemTime(start + 60_009);
      expect((await callRow(row, options)).headers.get("Retry-After")).toBe("1");
      vi.setSystemTime(start + 61_000);
      expect((await callRow(row, options)).status).not.toBe(429);
    }
  });
});

it("accepts exactly the limit of 200 parallel requests, with and without a valid key", async () => {
  const address = freshAddress();
  const { key } = await createAccount();
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => {
      const response = await call("GET", "/api/keys", n % 2 === 0 ? { address } : { address, key });
      return response.status;
    }),
  );
  const count = (status: number) => statuses.filter((other) => other === status).length;
  expect([count(200), count(401), count(429)]).toEqual([30, 30, 340]);
});

it("counts shortening with a valid key, with a wrong one and without one separately", async () => {
  const address = freshAddress();
  const { key } = await createAccount();
  const shorten = (options: CallOptions) => call("POST", "/api/shorten", { address, body: { url }, ...options });
  for (let calls = 0; calls < 5; calls++) expect((await shorten({})).status).toBe(201);
  expect((await shorten({})).status).toBe(429);
  const responses = [
    await shorten({ key }),
    await shorten({ key: "wrong" }),
    await shorten({ headers: { Authorization: "" } }),
    await shorten({ headers: wrongForm }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 401, 401, 401]);
  expect(responses.map((response) => rateLimitOf(response).limit)).toEqual([30, 30, 30, 30]);
  expect(responses.map((response) => rateLimitOf(response).remaining)).toEqual([29, 29, 28, 27]);
  expect((await shorten({})).status).toBe(429);
});

it("counts every operation separately", async () => {
  const address = freshAddress();
  for (const row of table) {
    const response = await callRow(row, {
      address,
      headers: row.operation === anonymous ? {} : wrongForm,
      body: row.body,
    });
    expect({ row, ...rateLimitOf(response) }).toMatchObject({ row, remaining: row.limit - 1 });
  }
});

it("counts an operation on all links together, and HEAD as GET", async () => {
  const address = freshAddress();
  const left = async (method: string, path: string) => rateLimitOf(await call(method, path, { address })).remaining;
  expect(await left("GET", "/api/links/a")).toBe(59);
  expect(await left("GET", `/api/links/${unknownId}?x=1`)).toBe(58);
  expect(await left("HEAD", "/api/links/b")).toBe(57);
});

it("gives a penalty to a client that ignores Retry-After, for that operation only, and accepts calls after it", async () => {
  const address = freshAddress();
  const shorten = () => call("POST", "/api/shorten", { address, body: {} });
  const waits: number[] = [];
  for (let calls = 0; calls < 5; calls++) expect((await shorten()).status).toBe(400);
  for (let calls = 0; calls < 14; calls++) {
    const refused = await shorten();
    expect(refused.status).toBe(429);
    waits.push(Number(refused.headers.get("Retry-After")));
    vi.setSystemTime(Date.now() + 1_001);
  }
  expect(waits).toEqual([60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 60, 59, 58]);
  expect((await call("GET", "/api/keys", { address })).status).toBe(401);
  vi.setSystemTime(Date.now() - 1_001 + 58_000);
  expect((await shorten()).status).toBe(400);
});

it("sends the rate limit headers with an internal error", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { key } = await createAccount();
  const response = await send(buildRequest("GET", "/api/links", { key }), { DB: {} as D1Database });
  expect(response.status).toBe(500);
  expect(rateLimitOf(response)).toEqual({ limit: 30, remaining: 29, reset: 60 });
  expect((await jsonOf<ErrorJson>(response)).code).toBe("internal");
});
