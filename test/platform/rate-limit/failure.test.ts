import { beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { buildRequest, call, createAccount, jsonOf, send, type ErrorJson } from "../../support/api.ts";

type Namespace = Env["RATE_LIMITER"];

/** The binding of a limiter whose calls run `take`. */
function limiterThat(take: () => unknown): Partial<Env> {
  return { RATE_LIMITER: { getByName: () => ({ take }) } as unknown as Namespace };
}

const failures: [string, Partial<Env>][] = [
  ["rejects the call", limiterThat(() => Promise.reject(new Error("Network connection lost.")))],
  [
    "throws at once",
    limiterThat(() => {
      throw new Error("broken");
    }),
  ],
  [
    "cannot be reached",
    {
      RATE_LIMITER: {
        getByName: () => {
          throw new Error("overloaded");
        },
      } as unknown as Namespace,
    },
  ],
];

const body = { url: "https://example.com/" };
let warn: MockInstance<typeof console.warn>;

beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockReturnValue();
});

/** The one warning that was logged. */
function warning(): unknown {
  expect(warn).toHaveBeenCalledTimes(1);
  return JSON.parse(String(warn.mock.calls[0]?.[0]));
}

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(await jsonOf<ErrorJson>(response)).toEqual({ error: expect.stringMatching(/./), code: "unavailable" });
}

const limitHeaders = ({ headers }: Response) =>
  ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));

describe.each(failures)("when the limiter %s", (_, bindings) => {
  it("lets requests pass with a warning and without rate limit headers", async () => {
    const { key } = await createAccount();
    const response = await send(buildRequest("GET", "/api/links", { key }), bindings);
    expect(response.status).toBe(200);
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    expect(warning()).toMatchObject({
      event: "rate_limiter_failed",
      operation: "GET /api/links",
      requestId: response.headers.get("X-Request-Id"),
      error: expect.stringMatching(/^Error: /),
    });
  });

  it("lets shortening with a key pass, and checks the key", async () => {
    const { key } = await createAccount();
    expect((await send(buildRequest("POST", "/api/shorten", { key, body }), bindings)).status).toBe(201);
    expect((await send(buildRequest("POST", "/api/shorten", { key: "wrong", body }), bindings)).status).toBe(401);
  });

  it("has the rate limit headers on every answer of the shortening", async () => {
    const { key } = await createAccount();
    const shorten = async (options: Parameters<typeof buildRequest>[2]) =>
      limitHeaders(await send(buildRequest("POST", "/api/shorten", options), bindings));
    expect(await shorten({ key, body })).toEqual(["30", "30", "60"]);
    expect(await shorten({ key: "wrong", body })).toEqual(["30", "30", "60"]);
    expect(await shorten({ key, body: {} })).toEqual(["30", "30", "60"]);
    expect(await shorten({ body })).toEqual(["5", "0", "60"]);
  });

  it("refuses anonymous shortening with 503 and Retry-After", async () => {
    await expectRefused(await send(buildRequest("POST", "/api/shorten", { body }), bindings));
    expect(warning()).toMatchObject({
      event: "rate_limiter_failed",
      operation: "POST /api/shorten (anonymous)",
      error: expect.stringMatching(/^Error: /),
    });
  });
});

describe("when the limiter hangs", () => {
  /** The response to a request whose limiter never responds. It comes after the timeout, and not before. */
  async function sendToHanging(request: Parameters<typeof send>[0]): Promise<Response> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = Promise.withResolvers<void>();
    let answered = false;
    const response = send(
      request,
      limiterThat(() => {
        asked.resolve();
        return new Promise(() => {});
      }),
    ).finally(() => {
      answered = true;
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(500);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    return response;
  }

  it("lets requests pass after the timeout, with a warning", async () => {
    const { key } = await createAccount();
    const response = await sendToHanging(buildRequest("GET", "/api/links", { key }));
    expect(response.status).toBe(200);
    expect(warning()).toMatchObject({ event: "rate_limiter_failed", error: expect.stringMatching(/^TimeoutError: /) });
  });

  it("refuses anonymous shortening after the timeout", async () => {
    await expectRefused(await sendToHanging(buildRequest("POST", "/api/shorten", { body })));
    expect(warning()).toMatchObject({ event: "rate_limiter_failed", error: expect.stringMatching(/^TimeoutError: /) });
  });
});

it("logs no warning for accepted and refused calls", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const address = "192.0.2.1";
  for (let calls = 0; calls < 7; calls++) await call("POST", "/api/shorten", { address, body: {} });
  expect(warn).not.toHaveBeenCalled();
});

it("refuses a client that overloads its limiter", async () => {
  const { key } = await createAccount();
  const overloaded = Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
  const bindings = limiterThat(() => Promise.reject(overloaded));
  const response = await send(buildRequest("GET", "/api/links", { key }), bindings);
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe("60");
  expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "rate_limited" });
});
