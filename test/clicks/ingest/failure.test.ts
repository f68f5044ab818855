import { beforeEach, expect, it, vi } from "vitest";
import { buildRequest, createAccount, createLink, jsonOf, send, type ErrorJson } from "../../support/api.ts";

let key: string;
let id: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  ({ id } = await createLink(key));
});

/** ClickLogs whose every call fails like this. */
function failingLogs(error: Error): Partial<Env> {
  const fail = () => {
    throw error;
  };
  const log = new Proxy({}, { get: () => fail });
  return { CLICK_LOG: { getByName: () => log } as unknown as Env["CLICK_LOG"] };
}

const QUESTIONS = [
  () => "/api/clicks",
  () => "/api/clicks/records",
  () => `/api/links/${id}/clicks`,
  () => `/api/links/${id}/clicks/records`,
];

it.each([
  ["is overloaded", { overloaded: true }, 503, "unavailable"],
  ["is started anew", { retryable: true }, 503, "unavailable"],
  ["has a fault", {}, 500, "internal"],
])("answers questions in the form of every error while a ClickLog %s", async (_, mark, status, code) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const bindings = failingLogs(Object.assign(new Error("the inside of the object"), mark));
  for (const path of QUESTIONS) {
    const response = await send(buildRequest("GET", path(), { key }), bindings);
    expect(response.status, path()).toBe(status);
    expect(response.headers.has("Retry-After")).toBe(status === 503);
    expect(await jsonOf<ErrorJson>(response)).toEqual({ error: expect.not.stringContaining("inside"), code });
  }
  expect(log).toHaveBeenCalledTimes(QUESTIONS.length);
});

it("shows links with the counters that the database has while their ClickLog fails", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const bindings = failingLogs(Object.assign(new Error("busy"), { overloaded: true }));
  for (const path of ["/api/links", `/api/links/${id}`]) {
    expect((await send(buildRequest("GET", path, { key }), bindings)).status, path).toBe(200);
  }
});
