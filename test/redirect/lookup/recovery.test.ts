import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { buildRequest, call, createAccount, createLink, send } from "../../support/api.ts";

const MINUTE_MS = 60_000;

it("serves what the database has after it was restored to an earlier state", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key } = await createAccount();
  const { id } = await createLink(key, { slug: "restored", url: "https://example.com/first" });
  await call("PATCH", `/api/links/${id}`, { key, body: { url: "https://example.com/second" } });
  expect((await call("GET", "/restored")).headers.get("Location")).toBe("https://example.com/second");
  await env.DB.prepare("UPDATE links SET url = 'https://example.com/first', updated_at = created_at").run();
  vi.setSystemTime(Date.now() + MINUTE_MS);
  for (let visit = 0; visit < 3; visit++) {
    expect((await call("GET", "/restored")).headers.get("Location")).toBe("https://example.com/first");
    vi.setSystemTime(Date.now() + MINUTE_MS);
  }
});

it("logs the request id and cache key of a failed redirect, and responds 500 to an unexpected error", async () => {
  const lines: string[] = [];
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  const { DB } = env;
  const failing = new Proxy(DB, {
    get: () => () => {
      throw new Error("D1 is down");
    },
  });
  const unavailable = await send(buildRequest("GET", "/Unseen?token=private"), { DB: failing });
  expect(unavailable.status).toBe(503);
  const requestId = unavailable.headers.get("X-Request-Id");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    event: "link_read_failed",
    requestId,
    served: "503",
  });
  const unexpected = await send(buildRequest("GET", "/any"), { BASE_URL: "not a URL" });
  expect(unexpected.status).toBe(500);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({
    event: "request_failed",
    requestId: unexpected.headers.get("X-Request-Id"),
  });
  expect(await unexpected.text()).not.toMatch(/Invalid URL|TypeError/);
  expect(lines.join("")).not.toContain("private");
});
