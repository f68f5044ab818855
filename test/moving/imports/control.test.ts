import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fieldColumns } from "../../../src/moving/exports/source.ts";
import { jobRunnerOf } from "../../../src/jobs/runner-stub.ts";
import { insertUpload } from "../../../src/jobs/store/jobs.ts";
import { csvHeader, csvLines } from "../../../src/platform/lib/csv.ts";
import { MAX_JOBS_PER_WINDOW, MAX_UPLOADS_PER_WINDOW } from "../../../src/limits.ts";
import { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { act, csvOf, finish, prepare, readImport, sendFile, storedLinks } from "./support.ts";

const listLinks = async (key: string) =>
  (await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?archived=include&limit=100", { key }))).links;

/** What an import keeps of a link. */
const kept = (link: Link): Partial<Link> => ({ ...link, id: "", updatedAt: 0 });

const bySlug = (a: Link, b: Link) => a.slug.localeCompare(b.slug);

const rowsOf = (count: number, name = "row") =>
  Array.from({ length: count }, (_, n) => [`https://example.com/${name}/${n}`, `${name}-${n}`]);

describe("an import", () => {
  it.each(["CSV", "JSON"])("of an account's own links as %s makes the same links", async (format) => {
    const { key, accountId } = await createAccount();
    await createLink(key, { url: "https://example.com/1", slug: "-first", title: "'=1+1", tags: ["-x", "a, b|c"] });
    await createLink(key, {
      url: "https://example.com/2",
      slug: "Second",
      title: "Two",
      expiresAt: Date.now() + 1_000_000,
      expiredUrl: "https://example.com/over",
      maxClicks: 7,
      archived: true,
      ios: "acme://spring",
      geo: { DE: "https://example.com/de" },
      rules: [{ countries: ["AT"], percentage: 12.5, url: "https://example.com/at" }],
      preview: { title: "@home", description: null, image: null },
      redirectStatus: 308,
      externalId: "+49",
    });
    const { id } = (await listLinks(key)).find(({ slug }) => slug === "-first") as Link;
    await call("PATCH", `/api/links/${id}`, { key, body: { slug: "third", disabled: true } });
    await env.DB.prepare("UPDATE links SET imported_clicks = 12345, created_at = created_at - 1 WHERE id = ?1")
      .bind(id)
      .run();
    const before = await listLinks(key);
    const columns = fieldColumns<Link>(Object.keys(Link.shape));
    const file = format === "CSV" ? csvHeader(columns) + csvLines(columns, before) : JSON.stringify({ links: before });
    for (const link of before) await call("DELETE", `/api/links/${link.id}`, { key });
    expect(await storedLinks(accountId)).toEqual([]);

    const ready = await prepare(key, file);
    expect(ready).toMatchObject({ source: "tern", problems: [{ kind: "new_tag", count: 2 }] });
    expect(await finish(key, ready.id)).toMatchObject({ created: 2, skipped: 0, failed: 0 });
    const after = await listLinks(key);
    expect(after.toSorted(bySlug).map(kept)).toEqual(before.toSorted(bySlug).map(kept));
  });

  it("writes as many rows for a link as a bulk creation", async () => {
    const { key } = await createAccount();
    const links = rowsOf(100, "bulk").map(([url, slug]) => ({ url, slug }));
    const request = await measureD1(() => call("POST", "/api/links/bulk", { key, body: { links } }));
    const { id } = await prepare(key, csvOf(["url", "slug"], ...rowsOf(100)));
    const job = await measureD1(() => finish(key, id));
    console.log(`rows written for 100 links: ${request.rowsWritten} in bulk, ${job.rowsWritten} by an import`);
    // Uses of the key are recorded once a minute.
    expect(job.rowsWritten).toBeLessThanOrEqual(request.rowsWritten + 10);
  });

  it("writes two rows more for a link with imported clicks, for the lists in their order", async () => {
    const { key } = await createAccount();
    const rows = rowsOf(100).map((row, index) => row.concat(String(index + 1)));
    const [none, some] = [
      await prepare(key, csvOf(["url", "slug"], ...rowsOf(100, "none"))),
      await prepare(key, csvOf(["url", "slug", "clicks"], ...rows)),
    ];
    const before = await measureD1(() => finish(key, none.id));
    const after = await measureD1(() => finish(key, some.id));
    expect(after.rowsWritten).toBeLessThanOrEqual(before.rowsWritten + 200 + 10);
  });

  it("is paused, resumed, cancelled and undone, and no other account can see it", async () => {
    const [{ key, accountId }, stranger] = [await createAccount(), await createAccount()];
    const { id } = await prepare(key, csvOf(["url", "slug"], ...rowsOf(3_000)));
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["GET", "/failures"],
      ...["start", "pause", "resume", "cancel", "undo"].map((action) => ["POST", `/${action}`]),
    ] as [string, string][]) {
      const body = method === "PATCH" ? { dead: "skip" } : undefined;
      expect((await call(method, `/api/imports/${id}${path}`, { key: stranger.key, body })).status).toBe(403);
    }
    expect((await act(key, id, "pause")).status).toBe(409);
    expect((await act(key, id, "start")).status).toBe(202);
    const paused = await act(key, id, "pause");
    expect(paused).toMatchObject({ status: 202, import: { status: "paused" } });
    expect((await call("PATCH", `/api/imports/${id}`, { key, body: { dead: "skip" } })).status).toBe(409);
    expect((await act(key, id, "resume")).import.status).toBe("running");
    expect((await act(key, id, "cancel")).import.status).toBe("cancelled");
    // The page that was running is counted.
    const undone = await finish(key, id, "undo");
    expect(undone).toMatchObject({ status: "undone", notUndone: 0 });
    expect(await storedLinks(accountId)).toEqual([]);
  });

  it("needs the permission until its end", async () => {
    const { key, accountId } = await createAccount();
    const { id } = await prepare(key, csvOf(["url", "slug"], ...rowsOf(800)));
    expect((await act(key, id, "start")).status).toBe(202);
    await env.DB.prepare(`UPDATE api_keys SET permissions = '["bulk"]' WHERE account_id = ?1`).bind(accountId).run();
    await expect.poll(async () => (await readImport(key, id)).status).toBe("failed");
    expect(await readImport(key, id)).toMatchObject({ error: expect.any(String), fault: { code: "job_not_allowed" } });
  });

  it("counts as a job of the hour once it is started, and not for its upload", async () => {
    const { key } = await createAccount();
    const file = "url\nhttps://example.com/\n";
    const previews: string[] = [];
    for (let n = 0; n < MAX_JOBS_PER_WINDOW + 2; n++) previews.push((await prepare(key, file)).id);
    const [cancelled = "", ...ready] = previews;
    expect((await act(key, cancelled, "cancel")).import).toMatchObject({ status: "cancelled", startedAt: null });
    const last = ready.pop() as string;
    for (const id of ready) {
      const { status, startedAt } = await finish(key, id);
      expect([status, startedAt]).toEqual(["done", expect.any(Number)]);
    }
    const refused = await call("POST", `/api/imports/${last}/start`, { key });
    expect([refused.status, await jsonOf(refused)]).toEqual([
      429,
      expect.objectContaining({ error: expect.stringContaining(`started ${MAX_JOBS_PER_WINDOW} jobs`) }),
    ]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_000);
    // What was started can be undone.
    expect((await act(key, ready[0] ?? "", "undo")).status).toBe(202);
    expect((await readImport(key, last)).status).toBe("ready");
  });

  it("is one of the files that an account uploads in an hour", async () => {
    const { key, accountId } = await createAccount();
    await prepare(key, "url\nhttps://example.com/\n");
    await runInDurableObject(jobRunnerOf(env, accountId, "jobs"), (_, { storage: { sql } }) => {
      for (let n = 1; n < MAX_UPLOADS_PER_WINDOW; n++) insertUpload(sql, Date.now(), 0);
    });
    const refused = await sendFile(key, "url\nhttps://example.com/\n");
    expect([refused.status, await jsonOf(refused)]).toEqual([
      429,
      expect.objectContaining({ error: expect.stringContaining(`uploaded ${MAX_UPLOADS_PER_WINDOW} files`) }),
    ]);
  });

  it("reads compressed files", async () => {
    const { key } = await createAccount();
    const plain = new Response("url;Slug\nhttps://example.com/;packed\n").body as ReadableStream<Uint8Array>;
    const packed = await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const response = await sendFile(key, packed, "text/csv; charset=utf-8", "", { "Content-Encoding": "gzip" });
    expect(response.status).toBe(202);
    const { id } = (await jsonOf<{ import: { id: string } }>(response)).import;
    await expect.poll(async () => (await readImport(key, id)).status).toBe("ready");
    expect((await readImport(key, id)).columns).toEqual(["url", "Slug"]);
  });
});
