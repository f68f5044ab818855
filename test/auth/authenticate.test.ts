import { describe, expect, it } from "vitest";
import type { Permission } from "../../src/auth/permissions.ts";
import { PERMISSIONS } from "../../src/auth/permissions.ts";
import { generateKey } from "../../src/auth/key.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";

const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
const LINK = { url: "https://example.com/" };

/** Routes that need a key, with the permission; null if any key is accepted. */
const ROUTES: [method: string, path: string, body: unknown, permission: Permission | null][] = [
  ["POST", "/api/links", LINK, "links:write"],
  ["GET", "/api/links", undefined, "links:read"],
  ["GET", `/api/links/${SOME_ID}`, undefined, "links:read"],
  ["PATCH", `/api/links/${SOME_ID}`, LINK, "links:write"],
  ["DELETE", `/api/links/${SOME_ID}`, undefined, "links:write"],
  ["POST", "/api/links/bulk", { links: [LINK] }, "links:write"],
  ["PATCH", "/api/links/bulk", { ids: [SOME_ID], changes: LINK }, "links:write"],
  ["DELETE", "/api/links/bulk", { ids: [SOME_ID] }, "links:write"],
  ["PUT", "/api/links/upsert", { ...LINK, slug: "x" }, "links:write"],
  ["GET", `/api/links/${SOME_ID}/qr`, undefined, "links:read"],
  ["POST", "/api/qr", { content: "content" }, null],
  ["POST", "/api/keys", { name: "key" }, "keys:write"],
  ["GET", "/api/keys", undefined, "keys:read"],
  ["DELETE", `/api/keys/${SOME_ID}`, undefined, "keys:write"],
];

describe.each(ROUTES)("%s %s", (method, path, body, permission) => {
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

  if (permission === null) {
    it("accepts a key with any permission", async () => {
      for (const only of PERMISSIONS) {
        const { key } = await createAccount([only]);
        expect((await call(method, path, { key, body })).status).toBe(200);
      }
    });
    return;
  }
  it(`needs the permission ${permission} and no other`, async () => {
    const others = await createAccount(PERMISSIONS.filter((name) => name !== permission));
    const refused = await call(method, path, { key: others.key, body });
    expect(refused.status).toBe(403);
    expect(await jsonOf<ErrorJson>(refused)).toMatchObject({
      code: "forbidden",
      error: expect.stringContaining(permission),
    });
    const { key } = await createAccount([permission]);
    expect([200, 201, 404]).toContain((await call(method, path, { key, body })).status);
  });
});

it("does not treat a caller of quick shorten with an invalid key as anonymous", async () => {
  const response = await call("POST", "/api/shorten", { key: generateKey(), body: LINK });
  expect(response.status).toBe(401);
  const { key } = await createAccount(["links:read"]);
  expect((await call("POST", "/api/shorten", { key, body: LINK })).status).toBe(403);
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
