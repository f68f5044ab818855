import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_SCREENING_ENTRIES, MAX_SCREENING_FILES } from "#src/safety/limits.ts";
import { enrolled, stopClock } from "../../identity/people/factors.ts";
import type { Browser } from "../../identity/people/support.ts";
import { call, createAccount, runCron } from "../../support/api.ts";
import { screener, useScreening } from "./support.ts";
import { internet } from "../../webhooks/support.ts";

useScreening();

let operator: { browser: Browser; userId: string };
beforeEach(async () => {
  await internet.reset();
  stopClock();
  operator = await enrolled();
  await env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(operator.userId).run();
});
afterEach(() => vi.useRealTimers());

const RULES = "/api/admin/screening";

const send = (method: string, path: string, body?: unknown) =>
  operator.browser.send(method, path, { body: body ?? (method === "POST" ? {} : undefined) });

const block = (value: string) => send("POST", RULES, { kind: "entry", value, reason: "phishing" });

async function isBlocked(url: string): Promise<boolean> {
  return (await screener().screen([url]))[0] !== null;
}

describe("the paths of screening", () => {
  const OPERATIONS: [method: string, path: string][] = [
    ["GET", RULES],
    ["POST", RULES],
    ["DELETE", `${RULES}/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f`],
  ];

  it.each(OPERATIONS)("%s %s exists only for operators", async (method, path) => {
    const { key } = await createAccount();
    expect((await call(method, path, { key })).status).toBe(404);
    await env.DB.prepare("DELETE FROM operators").run();
    expect((await send(method, path)).status).toBe(404);
  });

  it.each(OPERATIONS)("%s %s is a conflict while screening is off", async (method, path) => {
    const body = method === "POST" ? { kind: "entry", value: "evil.dev" } : undefined;
    const reply = await operator.browser.send(method, path, { body, bindings: { SCREENING: "" } });
    expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
  });
});

describe("an entry", () => {
  it("holds at once, is listed, and ends when it is deleted, with a record of both", async () => {
    const created = await block("*.Evil.DEV");
    expect(created).toMatchObject({
      status: 201,
      body: { rule: { kind: "entry", value: "evil.dev", verdict: "block", reason: "phishing", file: null } },
    });
    const { id } = created.body["rule"] as { id: string };
    expect(await isBlocked("https://a.evil.dev/")).toBe(true);
    const listed = (await send("GET", RULES)).body;
    expect(listed).toEqual({ rules: [created.body["rule"]], nextCursor: null });
    vi.setSystemTime(Date.now() + 1);
    expect((await send("DELETE", `${RULES}/${id}`)).status).toBe(200);
    expect((await send("DELETE", `${RULES}/${id}`)).status).toBe(404);
    expect(await isBlocked("https://a.evil.dev/")).toBe(false);
    expect((await send("GET", "/api/admin/audit")).body["entries"]).toMatchObject([
      { action: "screening.remove", subject: "evil.dev", details: { kind: "entry" } },
      { action: "screening.add", subject: "evil.dev", details: { verdict: "block", reason: "phishing" } },
    ]);
  });

  it("may be a URL, which is stored in its canonical form", async () => {
    const { body } = await block("http://Shared.dev:80/a/../b%2Fc?x#y");
    expect(body["rule"]).toMatchObject({ value: "http://shared.dev/b/c?x" });
    expect(await isBlocked("https://shared.dev/b/c?x")).toBe(true);
    expect(await isBlocked("https://shared.dev/b/c")).toBe(false);
  });

  it("that allows has no reason, and there is one of a host", async () => {
    const { body } = await send("POST", RULES, { kind: "entry", value: "good.dev", verdict: "allow" });
    expect(body["rule"]).toMatchObject({ verdict: "allow", reason: null });
    expect(await block("GOOD.dev.")).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it.each(["com", "co.uk", "evil.dev/page", "a b.dev", "javascript:alert(1)", "localhost"])(
    "%j is refused",
    async (value) => {
      expect(await block(value)).toMatchObject({ status: 400, body: { details: [{ path: "value" }] } });
    },
  );

  it("is refused when there are too many", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO screening_rules SELECT i, 'entry', i, i, 'block', 'spam', NULL, 0, '' FROM n`,
    )
      .bind(MAX_SCREENING_ENTRIES)
      .run();
    expect(await block("evil.dev")).toMatchObject({ status: 409, body: { code: "limit_reached" } });
  });
});

describe("a list file", () => {
  const add = (value: string, verdict = "block") =>
    send("POST", RULES, { kind: "hosts", value, verdict, reason: "malware", note: "CC0" });

  it("is read by the cron and shows its state, and what it blocked ends with it", async () => {
    const created = await add("https://lists.test/a.txt");
    expect(created).toMatchObject({
      status: 201,
      body: { rule: { file: { entries: 0, refreshedAt: null, fault: null }, note: "CC0" } },
    });
    await internet.answers({ "lists.test": { body: "evil.dev\n" } });
    await runCron(Date.now());
    expect((await send("GET", RULES)).body).toMatchObject({
      rules: [{ value: "https://lists.test/a.txt", file: { entries: 1, refreshedAt: Date.now(), fault: null } }],
    });
    expect(await isBlocked("https://evil.dev/")).toBe(true);
    const { id } = created.body["rule"] as { id: string };
    vi.setSystemTime(Date.now() + 1);
    expect((await send("DELETE", `${RULES}/${id}`)).status).toBe(200);
    expect(await isBlocked("https://evil.dev/")).toBe(false);
    const { entries } = (await send("GET", "/api/admin/audit")).body as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(["screening.remove", "screening.add"]);
  });

  it("is refused twice, without https, and beyond the limit", async () => {
    for (let number = 0; number < MAX_SCREENING_FILES; number++)
      expect((await add(`https://lists.test/${number}`)).status).toBe(201);
    expect(await add("https://lists.test/0")).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await add("https://lists.test/new")).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    expect((await add("http://lists.test/http")).status).toBe(400);
    expect((await add("https://lists.test/allowed", "allow")).status).toBe(400);
  });
});
