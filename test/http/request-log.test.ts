import { expect, it, vi } from "vitest";
import { call, createAccount } from "../support/api.ts";

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

it("a request is logged without a key in the path", async () => {
  const { key } = await createAccount();
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const hex = key.slice("svc_sk_live_".length);
  const encodedHex = hex.replaceAll(/./g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
  const paths = [
    key,
    key.toUpperCase(),
    key.replaceAll("_", "%5F"),
    key.replaceAll("_", "%5f").replace("svc", "%73v%63"),
    key.replaceAll("_", "%25255F"),
    `svc_sk_live_${encodedHex}`,
    `svc%5Fsk_live_${encodedHex.replaceAll("%", "%25")}`,
  ];
  for (const path of paths) {
    lines.length = 0;
    await call("DELETE", `/api/keys/${path}`, { key });
    expect(JSON.parse(lines.join("\n"))).toMatchObject({ path: "/api/keys/svc_sk_live_…" });
  }
  lines.length = 0;
  await call("GET", "/api/webhooks/whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE%3D", { key });
  expect(JSON.parse(lines.join("\n"))).toMatchObject({ path: "/api/webhooks/whsec_…" });
});
