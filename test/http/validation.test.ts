import { describe, expect, it } from "vitest";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";

describe("validation errors", () => {
  it.each([
    [{}, "url", "is required"],
    [{ url: 1 }, "url", "must be a string"],
    [{ url: "https://example.com/", title: 5 }, "title", "must be a string"],
    [{ url: "https://example.com/", tags: "x" }, "tags", "must be an array"],
    [{ url: "https://example.com/", tags: "a text that is longer than 20" }, "tags", "must be an array"],
    [{ url: "https://example.com/", tags: [1] }, "tags.0", "must be a string"],
    [{ url: "https://example.com/", maxClicks: "5" }, "maxClicks", "must be a number"],
    [{ url: "https://example.com/", maxClicks: 2e9 }, "maxClicks", "must be at most 1000000000"],
    [{ url: "https://example.com/", slug: null }, "slug", "must be a string"],
    [
      { url: "https://example.com/", expiresAt: "2030-01-01" },
      "expiresAt",
      "must be an integer (Unix milliseconds) or ISO 8601 with Z or an offset such as 2030-01-31T12:00:00Z, before the year 10000",
    ],
    [{ url: "https://example.com/", expiresAt: true }, "expiresAt", "must be a time: a number or a string"],
    [{ url: "https://example.com/", domain: "" }, "domain", "must have at least 1 character"],
    [[], "", "must be an object"],
  ])("explain what is wrong with %j", async (body, path, message) => {
    const { key } = await createAccount();
    const { error, details } = await jsonOf<ErrorJson>(await call("POST", "/api/links", { key, body }));
    expect(details).toEqual([{ path, message }]);
    expect(error).toBe(`${path || "body"}: ${message}`);
  });

  it.each([
    [[], "must have at least 1 item"],
    [Array.from({ length: 101 }, () => ({})), "must have at most 100 items"],
  ])("explain what is wrong with a list's length: %#", async (links, message) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/links/bulk", { key, body: { links } });
    expect((await jsonOf<ErrorJson>(response)).details).toEqual([{ path: "links", message }]);
  });

  it("explain what is wrong with a query", async () => {
    const { key } = await createAccount();
    const repeated = await jsonOf<ErrorJson>(await call("GET", "/api/links?tag=a&tag=b", { key }));
    expect(repeated.details).toEqual([{ path: "tag", message: "must be a single string, given once" }]);
    const unknown = await jsonOf<ErrorJson>(await call("GET", "/api/links?status=gone", { key }));
    expect(unknown.details).toEqual([{ path: "status", message: "must be one of active, expired" }]);
  });

  it("are limited to twenty", async () => {
    const { key } = await createAccount();
    const unknown = Array.from({ length: 1_000 }, (_, index) => [`unknown${index}`, 1]);
    const body = { name: "x", ...(Object.fromEntries(unknown) as object) };
    expect((await jsonOf<ErrorJson>(await call("POST", "/api/keys", { key, body }))).details).toHaveLength(20);
  });
});
