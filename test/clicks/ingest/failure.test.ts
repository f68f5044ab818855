import { beforeEach, expect, it, vi } from "vitest";
import { buildRequest, createAccount, createLink, jsonOf, send, type ErrorJson } from "../../support/api.ts";

let key: string;
let id: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  ({ id } = await createLink(key));
});

/** ClickLogs whose calls all fail with this error. */
function failingLogs(error: Error): Partial<Env> {
  const fail = () => {
    throw error;
  };
  const log = new Proxy({}, { get: () => fail });
  return { CLICK_LOG: { getByName: () => log } as unknown as Env["CLICK_LOG"] };
}

const PATHS = [
  () => "/api/clicks",
  () => "/api/clicks/records",
  () => `/api/links/${id}/clicks`,
  () => `/api/links/${id}/clicks/records`,
];

it.each([
  ["is overloaded", { overloaded: true }, 503, "unavailable"],
  ["restarts", { retryable: true }, 503, "unavailable"],
  ["has a bug", {}, 500, "internal"],
])("returns the common form of an error if a ClickLog %s", async (_, mark, status, code) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const bindings = failingLogs(Object.assign(new Error("the inside of the object"), mark));
  for (const path of PATHS) {
    const response = await send(buildRequest("GET", path(), { key }), bindings);
    expect(response.status, path()).toBe(status);
    expect(response.headers.has("Retry-After")).toBe(status === 503);
    expect(await jsonOf<ErrorJson>(response)).toEqual({ error: expect.not.stringContaining("inside"), code });
  }
  expect(log).toHaveBeenCalledTimes(PATHS.length);
});

it("returns links with the counters of the database if their ClickLog fails", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const bindings = failingLogs(Object.assign(new Error("busy"), { overloaded: true }));
  for (const path of ["/api/links", `/api/links/${id}`]) {
    expect((await send(buildRequest("GET", path, { key }), bindings)).status, path).toBe(200);
  }
});
