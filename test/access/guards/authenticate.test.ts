import { describe, expect, it } from "vitest";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const LINK = { url: "https://example.com/" };

/** Some routes that need a key. test/platform/auth/permissions.test.ts has all of them. */
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

const KEY = generateKey();
it.each([
  ["an empty header", "", "The Authorization header is empty. Send Authorization: Bearer <key>."],
  ["no key", "Bearer", "The Authorization header has no key after Bearer. Is the variable with the key empty?"],
  ["two schemes", `Bearer Bearer ${KEY}`, "The Authorization header says Bearer twice. Once is enough."],
  [
    "no scheme",
    KEY,
    "The Authorization header lacks the word Bearer before the key. Send Authorization: Bearer <key>.",
  ],
  [
    "Basic",
    "Basic eDp5",
    "An API key is not sent with Basic. The Authorization header must have the form: Bearer <key>.",
  ],
  ["another scheme", `Token ${KEY}`, "The Authorization header must have the form: Bearer <key>."],
  ["quotes", `Bearer "${KEY}"`, "The key in the Authorization header is in quotes or brackets. Send it without."],
  ["brackets", `Bearer <${KEY}>`, "The key in the Authorization header is in quotes or brackets. Send it without."],
  [
    "a header in quotes",
    `"Bearer ${KEY}"`,
    "The Authorization header is in quotes. Send it without: Authorization: Bearer <key>.",
  ],
  [
    "a variable",
    "Bearer $TERN_API_KEY",
    "The Authorization header has the name of a variable in place of the key. In a shell, write the header in double quotes.",
  ],
  ["a secret", "Bearer whsec_abc", "This API key is not valid. It is the secret of a webhook."],
  ["another key", "Bearer sk_live_123", "This API key is not valid. A key begins with svc_sk_live_."],
  [
    "a part of a key",
    `Bearer ${KEY.slice(0, -3)}`,
    "This API key is not valid. It has 73 characters in place of 76. Check that it was copied completely.",
  ],
  ["an unknown key", `Bearer ${KEY}`, "This API key is not valid. Check that it was copied completely."],
])("says what is wrong with the Authorization header: %s", async (_, authorization, message) => {
  const response = await call("GET", "/api/links", { headers: { Authorization: authorization } });
  expect([response.status, (await jsonOf<ErrorJson>(response)).error]).toEqual([401, message]);
});

it.each(["X-API-Key", "Api-Key", "x-auth-token"])(
  "says where a key belongs that comes in the header %s, and does not count the call as anonymous",
  async (name) => {
    const { key } = await createAccount();
    for (const [method, path] of [
      ["POST", "/api/shorten"],
      ["POST", "/api/links"],
    ] as const) {
      const response = await call(method, path, { headers: { [name]: key }, body: LINK });
      expect([response.status, (await jsonOf<ErrorJson>(response)).error]).toEqual([
        401,
        expect.stringMatching(/^A key in the header \S+ is not read\. Send the header Authorization: Bearer <key>\.$/),
      ]);
      const both = { headers: { [name]: "x" }, key, body: LINK };
      expect((await call(method, path, both)).status).toBe(201);
    }
  },
);

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
