import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_IMPORT_FILE_BYTES } from "../../../src/moving/imports/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import {
  act,
  configure,
  csvOf,
  failuresOf,
  finish,
  prepare,
  problemsOf,
  readImport,
  sendFile,
  storedLinks,
} from "./support.ts";

const HOOK = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.delete", "link.expired"] };

const countEvents = () => env.DB.prepare("SELECT count(*) AS n FROM deliveries").first<number>("n");

const BITLY = ["Link", "Custom Link", "Date created", "Title", "Destination URL", "Engagements", "Status"];

describe("an import", () => {
  it("shows what it recognised, creates the links with their dates and clicks, and undoes them as a whole", async () => {
    const { accountId, key } = await createAccount();
    await call("POST", "/api/webhooks", { key, body: HOOK });
    await createLink(key, { url: "https://example.com/mine", slug: "Mine", tags: ["mine"] });
    const before = await storedLinks(accountId);
    const file = csvOf(
      BITLY,
      [
        "https://bit.ly/3abc",
        "https://bit.ly/Spring",
        "2020-01-02 03:04:05",
        "Spring",
        "https://example.com/1",
        "1,234",
        "Active",
      ],
      ["https://bit.ly/3abd", "", "2020-01-02 03:04:06", "Two\r\nlines", "https://example.com/2", "7", "Active"],
      ["https://bit.ly/spring", "", "2021-01-02", "Case", "https://example.com/3", "0", "Active"],
      ["https://bit.ly/mine", "", "2021-01-02", "Taken", "https://example.com/4", "0", "Active"],
      ["https://bit.ly/login", "", "2021-01-02", "Reserved", "https://example.com/5", "0", "Active"],
      ["https://bit.ly/3abe", "", "2021-01-02", "Dead", "https://example.com/6", "0", "Deleted"],
      ["https://bit.ly/3abf", "", "2021-01-02", "Bad", "javascript:alert(1)", "0", "Active"],
      ["https://bit.ly/3abg", "", "2021-01-02", "=1+1", "https://tern.test/loop", "0", "Active"],
    );
    const ready = await prepare(key, `\u{FEFF}${file}`);
    expect(ready).toMatchObject({
      source: "bitly",
      status: "ready",
      rows: 8,
      columns: BITLY,
      mapping: { Link: "aliasUrl", "Custom Link": "shortUrl", "Destination URL": "url", Engagements: "importedClicks" },
      hosts: [{ host: "bit.ly", links: 8, domain: "tern.test" }],
      progress: { done: 8, total: 8 },
      created: 0,
    });
    expect(ready.sample[0]).toEqual({ line: 2, cells: expect.arrayContaining(["Spring", "1,234"]) });
    expect(problemsOf(ready)).toEqual({
      foreign_domain: 4,
      dead: 1,
      invalid_url: 2,
      taken: 2,
      differs_in_case: 1,
    });
    expect(await storedLinks(accountId)).toEqual(before);

    const done = await finish(key, ready.id);
    expect(done).toMatchObject({ status: "done", created: 2, skipped: 4, failed: 2, progress: { done: 8, total: 8 } });
    const { link } = await jsonOf<{ links: Link[]; link: Link }>(
      await call("GET", `/api/links?slug=spring`, { key }),
    ).then(({ links: [found] }) => ({ link: found as Link }));
    expect(link).toMatchObject({
      slug: "Spring",
      aliases: ["3abc"],
      title: "Spring",
      createdAt: Date.UTC(2020, 0, 2, 3, 4, 5),
      clicks: 0,
      importedClicks: 1_234,
      redirectStatus: 302,
    });
    expect((await call("GET", "/3ABC")).headers.get("Location")).toBe("https://example.com/1");
    expect((await call("GET", "/3abd")).headers.get("Location")).toBe("https://example.com/2");
    expect(await countEvents()).toBe(1);
    const failures = await failuresOf(key, ready.id);
    expect(failures[0]).toBe(`line,reason,fault,${BITLY.map((name) => `"${name}"`).join(",")}`);
    expect(failures.slice(1).map((line) => line.replace(/^(\d+),(\w+)[^,]*,(\w+),.*/, "$1 $2 $3"))).toEqual([
      "5 Skipped taken",
      "6 Skipped taken",
      "7 Skipped reserved",
      "8 Skipped dead",
      "9 Not not_http",
      "10 Not leads_back",
    ]);
    expect(failures.at(-1)).toContain(',"=1+1",');

    const undone = await finish(key, ready.id, "undo");
    expect(undone).toMatchObject({ status: "undone", undone: 2, notUndone: 0 });
    expect(await storedLinks(accountId)).toEqual(before);
    expect(await countEvents()).toBe(1);
    expect((await call("GET", "/spring")).status).toBe(404);
  });

  it("takes another mapping and other choices, counts anew, and can rename, disable and emit events", async () => {
    const { key, accountId } = await createAccount();
    await call("POST", "/api/webhooks", { key, body: HOOK });
    await insertDomain(accountId, "go.own.dev");
    await createLink(key, { url: "https://example.com/mine", slug: "sale" });
    const rows = [
      ["where to", "short", "note", "state"],
      ["example.com/1", "x.dev/sale", "First", "active"],
      ["https://example.com/2", "x.dev/login", "=HYPERLINK()", "banned"],
      ["https://example.com/3", "y.dev/three", "Third", "paused"],
      ["https://example.com/4", "z.dev/four", "x".repeat(400), ""],
    ];
    const ready = await prepare(key, csvOf(...rows));
    expect(ready).toMatchObject({
      source: "csv",
      mapping: { "where to": null, short: null, note: "title", state: "status" },
    });
    const { status, import: refused } = await act(key, ready.id, "start");
    expect([status, refused]).toEqual([409, undefined]);

    const wrong = await call("PATCH", `/api/imports/${ready.id}`, { key, body: { mapping: { note: "x" } } });
    expect((await jsonOf<ErrorJson>(wrong)).details).toMatchObject([{ path: "mapping.note", code: "not_one_of" }]);

    const mapping = { "where to": "url", short: "shortUrl" };
    expect((await configure(key, ready.id, { mapping })).mapping).toMatchObject(mapping);
    const domains = { "y.dev": "go.own.dev", "z.dev": "skip" };
    const configured = await configure(key, ready.id, { domains, dead: "disable", taken: "rename", events: true });
    expect(problemsOf(configured)).toEqual({ taken: 2, foreign_domain: 4 });
    expect(configured.hosts).toEqual([
      { host: "x.dev", links: 2, domain: "tern.test" },
      { host: "y.dev", links: 1, domain: "go.own.dev" },
      { host: "z.dev", links: 1, domain: null },
    ]);

    const done = await finish(key, ready.id);
    expect(done).toMatchObject({ created: 3, skipped: 1, failed: 0 });
    const stored = await storedLinks(accountId);
    expect(stored.map(({ domain, slug, title, disabled }) => [domain, slug, title, disabled])).toEqual([
      ["", "login-2", "=HYPERLINK()", 1],
      ["", "sale", null, 0],
      ["", "sale-2", "First", 0],
      ["go.own.dev", "three", "Third", 1],
    ]);
    expect(await countEvents()).toBe(4);
    await finish(key, ready.id, "undo");
    expect(await countEvents()).toBe(7);
  });

  it("keeps links that were changed since, and lists them; clicks are no change", async () => {
    const { key } = await createAccount();
    const ready = await prepare(
      key,
      csvOf(["url", "slug"], ["https://example.com/1", "one"], ["https://example.com/2", "two"]),
    );
    await finish(key, ready.id);
    const { links } = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }));
    const one = links.find(({ slug }) => slug === "one");
    await call("PATCH", `/api/links/${one?.id}`, { key, body: { title: "Changed" } });
    await call("GET", "/two");
    const undone = await finish(key, ready.id, "undo");
    expect(undone).toMatchObject({ status: "undone", undone: 1, notUndone: 1 });
    const failures = await failuresOf(key, ready.id);
    expect(failures.slice(1)).toEqual([expect.stringMatching(/^2,Kept .*,changed_since_job,"https:/)]);
    const left = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }));
    expect(left.links.map(({ slug }) => slug)).toEqual(["one"]);
  });

  it("imports each row once, also of thousands with one date, and leaves out repeated slugs", async () => {
    const { key, accountId } = await createAccount();
    const rows = Array.from({ length: 1_300 }, (_, n) => [
      `https://example.com/${n}`,
      n === 1_200 ? "s7" : n % 2 === 0 ? `s${n}` : "",
      "2021-05-06",
      n < 3 ? "old" : "",
    ]);
    const ready = await prepare(key, csvOf(["url", "slug", "created at", "tags"], ...rows));
    expect(problemsOf(ready)).toEqual({ new_tag: 1 });
    const done = await finish(key, ready.id);
    expect(done).toMatchObject({ created: 1_300, skipped: 0, failed: 0 });
    const stored = await storedLinks(accountId);
    expect(new Set(stored.map(({ url }) => url)).size).toBe(1_300);
    expect(new Set(stored.map(({ created_at }) => created_at))).toEqual(new Set([Date.UTC(2021, 4, 6)]));
    expect(await env.DB.prepare("SELECT links FROM tags WHERE key = 'old'").first("links")).toBe(3);
    expect(
      await env.DB.prepare("SELECT links FROM account_usage WHERE account_id = ?1").bind(accountId).first("links"),
    ).toBe(1_300);
  });

  it("imports as many links as the quota allows, and lists the others", async () => {
    const { key, accountId } = await createAccount();
    await env.DB.prepare("UPDATE account_usage SET max_links = 37 WHERE account_id = ?1").bind(accountId).run();
    const rows = Array.from({ length: 600 }, (_, n) => [`https://example.com/${n}`, `s${n}`]);
    const ready = await prepare(key, csvOf(["url", "slug"], ...rows));
    expect(await finish(key, ready.id)).toMatchObject({ status: "done", created: 37, skipped: 0, failed: 563 });
    const failures = await failuresOf(key, ready.id);
    expect(failures).toHaveLength(564);
    expect(failures[1]).toContain(',too_many_links,"https://example.com/37",');

    // The list of failures can be imported itself.
    await env.DB.prepare("UPDATE account_usage SET max_links = 1000 WHERE account_id = ?1").bind(accountId).run();
    const again = await prepare(key, `${failures.join("\r\n")}\r\n`);
    expect(again).toMatchObject({ rows: 563, problems: [] });
    expect(await finish(key, again.id)).toMatchObject({ created: 563, failed: 0 });
  });

  it("fails with a fault if the file cannot be read to its end", async () => {
    const { key } = await createAccount();
    const failed = await prepare(key, '[{"url":"https://example.com"},{"url', { type: "application/json" });
    expect(failed).toMatchObject({ status: "failed", fault: { code: "file_json_cut", actual: 1 } });
    const other = await prepare(key, csvOf(["url"], ["https://example.com"]), { source: "bitly" });
    expect(other).toMatchObject({ status: "failed", fault: { code: "file_of_other_source", value: "Bitly" } });
    expect((await act(key, other.id, "start")).status).toBe(409);
  });

  it("refuses what is no file of links, before it takes one of the imports of the hour", async () => {
    const { key } = await createAccount();
    const refused = async (...options: Parameters<typeof sendFile> extends [string, ...infer R] ? R : never) => {
      const response = await sendFile(key, ...options);
      const { code, details } = await jsonOf<ErrorJson>(response);
      return [response.status, details?.[0]?.code ?? code];
    };
    expect(await refused("")).toEqual([400, "file_empty"]);
    expect(await refused("PK\u{3}\u{4}")).toEqual([400, "file_is_archive"]);
    expect(await refused(new Uint8Array([0x75, 0x72, 0x6c, 0xff]))).toEqual([400, "file_not_readable"]);
    const workbook = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    expect(await refused(workbook, SHEET)).toEqual([400, "file_is_workbook"]);
    expect(await refused("url", "multipart/form-data")).toEqual([415, "unsupported_media_type"]);
    expect(await refused("url", "text/csv", "?source=tinyurl")).toEqual([400, "not_one_of"]);
    expect(await refused("url", "text/csv", "", { "Content-Encoding": "gzip" })).toEqual([400, "file_not_whole"]);
    const { imports } = await jsonOf<{ imports: unknown[] }>(await call("GET", "/api/imports", { key }));
    expect(imports.length).toBeLessThanOrEqual(1);
  });

  it("refuses a file that is too large while it arrives, without reading the rest", async () => {
    const { key } = await createAccount();
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(1_000_000).fill(0x61));
      },
    });
    const response = await sendFile(key, endless);
    expect([response.status, await jsonOf(response)]).toMatchObject([
      413,
      { code: "payload_too_large", details: [{ code: "file_too_large", max: MAX_IMPORT_FILE_BYTES }] },
    ]);
    expect(chunks).toBeLessThan(60);
    const { imports } = await jsonOf<{ imports: { id: string; status: string }[] }>(
      await call("GET", "/api/imports", { key }),
    );
    expect(imports).toMatchObject([{ status: "cancelled" }]);
    const found = await readImport(key, imports[0]?.id ?? "");
    expect(found.rows).toBe(0);
  });
});
