import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { readIfMatch } from "../../src/platform/http/if-match.ts";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf, runCron, type ErrorJson } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { countRows } from "../webhooks/support.ts";
import { URL_OK } from "./support.ts";

type Answer = { status: number; tag: string | null; link: Link } & ErrorJson;

async function ask(key: string, method: string, path: string, body?: unknown, ifMatch?: string): Promise<Answer> {
  const headers = ifMatch === undefined ? {} : { "If-Match": ifMatch };
  const response = await call(method, path, { key, body, headers });
  return {
    status: response.status,
    tag: response.headers.get("ETag"),
    ...(await jsonOf<Omit<Answer, "status" | "tag">>(response)),
  };
}

describe("the ETag of a link", () => {
  it("is in every response with one link, strong, kept from compression, and the link's updatedAt", async () => {
    const { key } = await createAccount();
    const created = await ask(key, "POST", "/api/links", { url: URL_OK, slug: "tagged" });
    const path = `/api/links/${created.link.id}`;
    const answers = [
      created,
      await ask(key, "GET", path),
      await ask(key, "PATCH", path, { title: "1" }),
      await ask(key, "PUT", "/api/links/upsert", { url: URL_OK, slug: "tagged", title: "2" }),
      await ask(key, "PUT", "/api/links/upsert", { url: URL_OK, slug: "other" }),
      await ask(key, "POST", "/api/shorten", { url: URL_OK }),
    ];
    for (const { tag, link } of answers) expect(tag).toBe(`"${link.updatedAt}"`);
    const current = (await ask(key, "GET", path)).tag;
    const deepLinks = await call("GET", `/api/deep-links/links/${created.link.id}`, { key });
    expect(deepLinks.headers.get("ETag")).toBe(current);
    expect(deepLinks.headers.get("Cache-Control")).toBe("no-store, no-transform");
    const changed = await call("PATCH", `/api/deep-links/links/${created.link.id}`, { key, body: { ios: "acme://x" } });
    expect(changed.headers.get("ETag")).toBe((await ask(key, "GET", path)).tag);
    expect(changed.headers.get("ETag")).not.toBe(current);
  });

  it("changes with every change of a setting, and neither with clicks nor with expiry", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.now();
    const { id } = await createLink(key, { expiresAt: now + 1_000, maxClicks: 5, slug: "clicked" });
    const path = `/api/links/${id}`;
    const { tag } = await ask(key, "GET", path);
    await call("GET", "/clicked");
    await env.DB.prepare("UPDATE links SET clicks = 7, last_clicked_at = 9").run();
    vi.setSystemTime(now + 2_000);
    await runCron(now + 2_000);
    const expired = await ask(key, "GET", path);
    expect([expired.link.status, expired.link.clicks, expired.tag]).toEqual(["expired", 7, tag]);
    vi.setSystemTime(now);
    const tags = new Set([tag]);
    for (const body of [{ title: "a" }, { password: "secret word" }, { password: null }, { expiresAt: null }])
      tags.add((await ask(key, "PATCH", path, body)).tag);
    expect(tags.size).toBe(5);
  });

  it("answers no GET with a 304, because it does not cover the clicks in the body", async () => {
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key);
    const headers = { "If-None-Match": `"${updatedAt}"`, "If-Match": '"1"' };
    expect((await call("GET", `/api/links/${id}`, { key, headers })).status).toBe(200);
  });
});

describe("If-Match", () => {
  it("lets a change or deletion pass only while the link is as the client knows it", async () => {
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key);
    const path = `/api/links/${id}`;
    const first = `"${updatedAt}"`;
    const changed = await ask(key, "PATCH", path, { title: "mine" }, first);
    expect(changed.status).toBe(200);
    const deepPath = `/api/deep-links/links/${id}`;
    for (const refused of [
      await ask(key, "PATCH", path, { title: "late" }, first),
      await ask(key, "PATCH", path, { utm: { source: "late" } }, first),
      await ask(key, "PATCH", deepPath, { ios: null }, first),
      await ask(key, "DELETE", path, undefined, first),
    ]) {
      expect(refused).toMatchObject({ status: 412, code: "precondition_failed", tag: null });
      expect(refused.details).toMatchObject([{ code: "changed_since_read", resource: "link" }]);
    }
    expect((await ask(key, "GET", path)).link).toEqual(changed.link);
    const deep = await ask(key, "PATCH", deepPath, { android: "acme://x" }, changed.tag ?? "");
    expect(deep.status).toBe(200);
    const utm = await ask(key, "PATCH", path, { utm: { source: "now" } }, deep.tag ?? "");
    expect(utm).toMatchObject({ status: 200, link: { url: `${URL_OK}?utm_source=now` } });
    expect((await ask(key, "DELETE", path, undefined, utm.tag ?? "")).status).toBe(200);
    expect((await ask(key, "DELETE", path, undefined, utm.tag ?? "")).status).toBe(404);
    expect((await ask(key, "PATCH", path, { title: "x" }, "*")).status).toBe(404);
  });

  it("passes and fails for a change that changes nothing too, and a restored link has an ETag", async () => {
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key, { title: "same" });
    const path = `/api/links/${id}`;
    const first = `"${updatedAt}"`;
    expect(await ask(key, "PATCH", path, { title: "same" }, first)).toMatchObject({ status: 200, tag: first });
    expect(await ask(key, "PATCH", path, { title: "same" }, '"1"')).toMatchObject({ status: 412 });
    expect((await ask(key, "DELETE", path, undefined, first)).status).toBe(200);
    const restored = await ask(key, "POST", `${path}/restore`);
    expect([restored.status, restored.tag]).toEqual([200, `"${restored.link.updatedAt}"`]);
    expect((await ask(key, "PATCH", path, { title: "new" }, restored.tag ?? "")).status).toBe(200);
  });

  it("decides before a conflict, and after the owner of the link", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    await createLink(mine.key, { slug: "taken" });
    const { id, updatedAt } = await createLink(mine.key);
    const path = `/api/links/${id}`;
    expect((await ask(mine.key, "PATCH", path, { slug: "taken" }, '"1"')).status).toBe(412);
    expect((await ask(mine.key, "PATCH", path, { slug: "taken" }, `"${updatedAt}"`)).status).toBe(409);
    expect((await ask(theirs.key, "PATCH", path, { title: "x" }, '"1"')).status).toBe(403);
    expect((await ask(theirs.key, "DELETE", path, undefined, '"1"')).status).toBe(403);
  });

  it("lets exactly one of 40 parallel changes with the same ETag pass, with one event", async () => {
    vi.useFakeTimers({ toFake: ["Date"] }); // All changes are made in the same millisecond.
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key);
    await call("POST", "/api/webhooks", {
      key,
      body: { url: "https://hooks.receiver.dev/in", events: ["link.update", "link.delete"] },
    });
    const path = `/api/links/${id}`;
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => ask(key, "PATCH", path, { title: `${n}` }, `"${updatedAt}"`)),
    );
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(39);
    const winner = responses.find(({ status }) => status === 200);
    expect((await ask(key, "GET", path)).link).toEqual(winner?.link);
    expect(await countRows("deliveries")).toBe(1);
    await ask(key, "DELETE", path, undefined, `"${updatedAt}"`);
    expect(await countRows("deliveries")).toBe(1);
    expect(await countRows("deleted_links")).toBe(0);
    const deletions = await Promise.all(
      Array.from({ length: 10 }, () => ask(key, "DELETE", path, undefined, winner?.tag ?? "")),
    );
    expect(deletions.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 404),
    ]);
    expect(await countRows("deliveries")).toBe(2);
  });

  it("costs no round trip and no written row more", async () => {
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key);
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    const path = `/api/links/${id}`;
    let tag = `"${updatedAt}"`;
    const pass = await measureD1(async () => (tag = (await ask(key, "PATCH", path, { title: "x" }, tag)).tag ?? ""));
    expect([pass.roundTrips, pass.rowsWritten]).toEqual([3, 4]);
    const fail = await measureD1(() => ask(key, "PATCH", path, { title: "y" }, '"1"'));
    expect([fail.roundTrips, fail.rowsWritten]).toEqual([2, 0]);
  });

  it.each([
    ["*", null],
    [" * ", null],
    ['"17"', [17]],
    ['"1", "17"', [1, 17]],
    ['"1","17" , "x,y"', [1, 17]],
    [',, "17" ,', [17]],
    ['W/"17"', []],
    ['W/"17", "18"', [18]],
    ['"017"', []],
    ['""', []],
    ['"17-gzip"', []],
  ])("names versions: %s", (text, versions) => expect(readIfMatch(text)).toEqual(versions));

  it.each(["", "17", '"17', '17"', '"1" "2"', '*, "17"', 'w/"17"', "'17'"])(
    "is refused if it is no list of ETags: %s",
    async (text) => {
      const { key } = await createAccount();
      const { id } = await createLink(key);
      const refused = await ask(key, "PATCH", `/api/links/${id}`, { title: "x" }, text);
      expect(refused).toMatchObject({ status: 400, details: [{ path: "if-match" }] });
    },
  );

  it("may be a long list with empty elements", async () => {
    const { key } = await createAccount();
    const { id, updatedAt } = await createLink(key);
    const commas = " ,  ".repeat(500);
    const change = (ifMatch: string) => ask(key, "PATCH", `/api/links/${id}`, { title: "x" }, ifMatch);
    expect((await change(`"1"${commas}x`)).status).toBe(400);
    expect((await change(`,${commas}"1"${commas}"${updatedAt}"${commas}`)).status).toBe(200);
  });
});

describe("a header that promises safety", () => {
  const ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
  it.each([
    ["If-Match", "POST", "/api/links"],
    ["If-Match", "PATCH", "/api/links/bulk"],
    ["If-Match", "DELETE", "/api/links/bulk"],
    ["If-Match", "PUT", "/api/links/upsert"],
    ["If-None-Match", "PUT", "/api/links/upsert"],
    ["If-None-Match", "PATCH", `/api/links/${ID}`],
    ["If-Match", "PATCH", `/api/domains/${ID}`],
    ["If-Match", "DELETE", `/api/domains/${ID}`],
    ["If-Match", "PATCH", `/api/webhooks/${ID}`],
    ["If-Match", "PATCH", `/api/deep-links/domains/${ID}`],
    ["Idempotency-Key", "POST", "/api/keys"],
    ["Idempotency-Key", "POST", "/api/webhooks"],
    ["Idempotency-Key", "POST", `/api/webhooks/${ID}`],
    ["Idempotency-Key", "POST", `/api/webhooks/${ID}/deliveries/retry`],
    ["Idempotency-Key", "POST", `/api/webhooks/${ID}/deliveries/${ID}/retry`],
    ["Idempotency-Key", "POST", `/api/webhooks/${ID}/rotate-secret`],
    ["Idempotency-Key", "POST", `/api/domains/${ID}/verify`],
    ["Idempotency-Key", "POST", "/api/qr"],
  ])("is refused where it would be ignored: %s with %s %s", async (name, method, path) => {
    const { key } = await createAccount();
    const response = await call(method, path, { key, body: {}, headers: { [name]: '"1"' } });
    const { code, error } = await jsonOf<ErrorJson>(response);
    expect([response.status, code]).toEqual([400, "invalid_request"]);
    expect(error).toContain(`does not support the header ${name}`);
  });

  it("is ignored where a repetition does nothing more", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    const headers = { "Idempotency-Key": "k" };
    expect((await call("PATCH", `/api/links/${id}`, { key, body: { title: "x" }, headers })).status).toBe(200);
    expect((await call("DELETE", `/api/links/${id}`, { key, headers })).status).toBe(200);
  });
});
