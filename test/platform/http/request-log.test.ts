import { expect, it, vi } from "vitest";
import { call, createAccount } from "../../support/api.ts";

const LINK = { url: "https://example.com/" };

it("each request is logged in one line without the query string and the key", async () => {
  const { key, keyId } = await createAccount();
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const response = await call("GET", "/api/links?search=private-words", { key });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    event: "request",
    requestId: response.headers.get("X-Request-Id"),
    method: "GET",
    path: "/api/links",
    status: 200,
    caller: keyId,
  });
  expect(lines[0]).not.toMatch(/private-words|svc_sk/);
});

it("a request that is refused is logged with the error's code, and with the caller if it is known", async () => {
  const { key, keyId } = await createAccount(["links:read"]);
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  await call("POST", "/api/links", { key, body: LINK });
  await call("GET", "/api/links", { key: `svc_sk_live_${"0".repeat(64)}` });
  await call("GET", "/api/links?unknown=1", { key });
  const logged = lines.map((line) => JSON.parse(line) as object);
  expect(logged).toMatchObject([
    { event: "request", method: "POST", path: "/api/links", status: 403, code: "forbidden", caller: keyId },
    { event: "request", status: 401, code: "unauthorized" },
    { event: "request", status: 400, code: "invalid_request", caller: keyId },
  ]);
  expect(logged[1]).not.toHaveProperty("caller");
});

it("a request is logged with the path of its route, without names and secrets", async () => {
  const { key, keyId } = await createAccount();
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=";
  for (const [method, path, logged] of [
    ["DELETE", `/api/keys/${key}`, "/api/keys/:id"],
    ["DELETE", `/api/keys/${key.replace("svc", "%73v%63")}`, "/api/keys/:id"],
    ["DELETE", "/api/tags/secret-launch", "/api/tags/:tag"],
    ["GET", "/api/slugs/secret-launch", "/api/slugs/:slug"],
    ["GET", `/api/webhooks/${encodeURIComponent(secret)}`, "/api/webhooks/:id"],
    ["DELETE", "/api/links/bulk", "/api/links/bulk"],
    ["POST", "/api/secret-launch", "/*"],
    ["PUT", `/api/keys/${keyId}`, "/*"],
  ] as const) {
    lines.length = 0;
    await call(method, path, { key });
    expect([method, path, (JSON.parse(lines.join("\n")) as { path: string }).path]).toEqual([method, path, logged]);
    expect(lines.join()).not.toMatch(/svc_sk|whsec|secret-launch/);
  }
});
