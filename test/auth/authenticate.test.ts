import { describe, expect, it } from "vitest";
import { generateKey } from "../../src/auth/key.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const LINK = { url: "https://example.com/" };

/** Some routes that need a key. test/auth/permissions.test.ts has all of them. */
const ROUTES: [method: string, path: string, body?: unknown][] = [
  ["POST", "/api/links", LINK],
  ["GET", `/api/links/${SOME_ID}`],
  ["DELETE", "/api/links/bulk", { ids: [SOME_ID] }],
  ["POST", "/api/qr", { content: "content" }],
  ["GET", "/api/keys"],
];

describe.each(ROUTES)("%s %s", (method, path, body) => {
  it.each([
    ["no Authorization header", undefined],
    ["an empty Authorization header", ""],
    ["another scheme", "Basic YWRtaW46YWRtaW4="],
    ["the key without a scheme", generateKey()],
    ["a key of another form", "Bearer sk_live_123"],
    ["an unknown key", `Bearer ${generateKey()}`],
    ["two keys", `Bearer ${generateKey()} ${generateKey()}`],
  ])("answers 401 to %s", async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    const response = await call(method, path, { body, headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(await jsonOf<ErrorJson>(response)).toMatchObject({
      code: "unauthorized",
      error: expect.stringMatching(/\S/),
    });
  });
});

it("does not treat a caller of quick shorten with an invalid key as anonymous", async () => {
  const response = await call("POST", "/api/shorten", { key: generateKey(), body: LINK });
  expect(response.status).toBe(401);
  const { key } = await createAccount(["links:read"]);
  expect((await call("POST", "/api/shorten", { key, body: LINK })).status).toBe(403);
});

it("does not treat a caller of quick shorten with an empty Authorization header as anonymous", async () => {
  const response = await call("POST", "/api/shorten", { headers: { Authorization: "" }, body: LINK });
  expect(response.status).toBe(401);
});

it("accepts the scheme in upper and lower case", async () => {
  const { key } = await createAccount();
  expect((await call("GET", "/api/links", { headers: { Authorization: `bearer ${key}` } })).status).toBe(200);
});

it.each(["GET", "POST", "PUT", "DELETE"])(
  "answers 401 to %s on paths for browser sessions, with and without a key",
  async (method) => {
    const { key } = await createAccount();
    for (const path of ["/api/account", "/api/account/export", "/api/teams/1/members", "/api/auth/mfa/enroll"]) {
      for (const credentials of [{}, { key }]) {
        const response = await call(method, path, credentials);
        expect(response.status).toBe(401);
        expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "unauthorized" });
      }
    }
  },
);

it("answers 403 for a link of another account and 404 for a link that does not exist", async () => {
  const [mine, theirs] = [await createAccount(), await createAccount()];
  const link = await createLink(theirs.key);
  for (const [method, body] of [["GET"], ["PATCH", LINK], ["DELETE"]] as const) {
    expect((await call(method, `/api/links/${link.id}`, { key: mine.key, body })).status).toBe(403);
    expect((await call(method, `/api/links/${SOME_ID}`, { key: mine.key, body })).status).toBe(404);
    expect((await call(method, "/api/links/1", { key: mine.key, body })).status).toBe(404);
  }
  expect((await call("GET", `/api/links/${link.id}`, { key: theirs.key })).status).toBe(200);
});
