import { describe, expect, it } from "vitest";
import { HINTED_RESOURCES } from "../../src/api-hint.ts";
import { RATE_LIMITS } from "../../src/app.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { itWithSafety } from "../support/safety.ts";

const ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

describe("a call of the API without /api", () => {
  it.each([
    ["GET", "/links", 404, "There is no such link. The API is under /api: GET /api/links."],
    ["GET", "/links/?limit=5", 404, "There is no such link. The API is under /api: GET /api/links."],
    ["GET", `/links/${ID}/clicks`, 404, `There is no such link. The API is under /api: GET /api/links/${ID}/clicks.`],
    ["GET", "/shorten", 404, "There is no such link. The API is under /api: /api/shorten takes POST."],
    ["GET", "/v1/keys", 404, "There is no such link. The API is under /api: GET /api/keys."],
    ["POST", "/links", 405, "A short link does not support this method. The API is under /api: POST /api/links."],
    [
      "DELETE",
      `/links/${ID}`,
      405,
      `A short link does not support this method. The API is under /api: DELETE /api/links/${ID}.`,
    ],
  ])("is told the path: %s %s", async (method, path, status, error) => {
    const response = await call(method, path, { headers: { Accept: "*/*" }, ...(method === "POST" && { body: {} }) });
    expect([response.status, await jsonOf<ErrorJson>(response)]).toEqual([
      status,
      { error, code: status === 404 ? "not_found" : "method_not_allowed" },
    ]);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control") ?? "no-store").toBe("no-store");
  });

  it("is told the path below another version of the API", async () => {
    const response = await call("GET", "/api/v1/links");
    const fault = { code: "no_such_path", value: "/api/v1/links", example: "The API is under /api: GET /api/links." };
    expect([response.status, await jsonOf<ErrorJson>(response)]).toMatchObject([
      404,
      { code: "not_found", details: [fault] },
    ]);
  });

  it("keeps the page for browsers, other paths and custom domains", async () => {
    const accept = (Accept: string) => ({ headers: { Accept } });
    for (const [url, options] of [
      ["/links", accept("text/html,application/xhtml+xml,*/*;q=0.8")],
      ["/no-such-link", accept("*/*")],
      ["https://go.example/links", accept("*/*")],
    ] as const) {
      const response = await call("GET", url, options);
      expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining("/api/")]);
    }
  });

  it("never stands before a short link", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "shorten", url: "https://example.com/sale" });
    const response = await call("GET", "/shorten", { headers: { Accept: "application/json" }, key });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "https://example.com/sale"]);
  });

  itWithSafety("can be one of each resource", () => {
    const names = Object.keys(RATE_LIMITS).flatMap((operation) => /\/api\/([\w-]+)/.exec(operation)?.slice(1) ?? []);
    expect(HINTED_RESOURCES).toEqual(new Set(names));
  });
});
