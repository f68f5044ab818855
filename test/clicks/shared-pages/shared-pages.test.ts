import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { addKey, BASE_URL, createAccount, createLink } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { createPage, send } from "./support.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "../../../src/clicks/shared-pages/limits.ts";

const PASSWORD = "correct horse";

let account: Awaited<ReturnType<typeof createAccount>>;
beforeEach(async () => {
  account = await createAccount();
});

const api = (method: string, path: string, body?: unknown, key = account.key) => send(method, path, { key, body });

async function takeActions(): Promise<[action: unknown, targetId: unknown][]> {
  const { results } = await env.DB.prepare("SELECT action, target_id FROM audit_entries ORDER BY id").all();
  await env.DB.prepare("DELETE FROM audit_entries").run();
  return results.map(({ action, target_id }) => [action, target_id]);
}

it("creates, lists, reads, changes and deletes pages of links and tags, with an audit entry each", async () => {
  const link = await createLink(account.key, { tags: ["Sale"] });
  const page = await createPage(account.key, { linkId: link.id.toUpperCase(), title: " Spring ", password: PASSWORD });
  expect(page).toEqual({
    id: expect.any(String),
    linkId: link.id,
    tag: null,
    title: "Spring",
    url: expect.stringMatching(new RegExp(`^${BASE_URL}/app/shared/share_[\\w-]{43}$`)),
    hasPassword: true,
    showDestination: false,
    passwordAttackedAt: null,
    createdAt: page.createdAt,
    updatedAt: page.createdAt,
  });
  const path = `/api/shared-pages/${page.id}`;
  expect((await api("GET", path)).sharedPage).toEqual(page);
  // The tag is shown as the account writes it.
  const ofTag = await createPage(account.key, { tag: "sALE" });
  expect(ofTag).toMatchObject({ linkId: null, tag: "Sale", title: null, hasPassword: false });
  const first = await api("GET", "/api/shared-pages?limit=1");
  expect(first.sharedPages).toEqual([ofTag]);
  const second = await api("GET", `/api/shared-pages?limit=1&cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ sharedPages: [page], nextCursor: null });
  expect(await takeActions()).toEqual([
    ["shared_page.create", page.id],
    ["shared_page.create", ofTag.id],
  ]);

  const changed = await api("PATCH", path, { title: null, password: null, showDestination: true });
  expect(changed.sharedPage).toEqual({
    ...page,
    title: null,
    hasPassword: false,
    showDestination: true,
    updatedAt: changed.sharedPage.updatedAt,
  });
  expect(changed.sharedPage.updatedAt).toBeGreaterThan(page.updatedAt);
  const cleared = await api("PATCH", path, { showDestination: null });
  expect(cleared.sharedPage.showDestination).toBe(false);
  expect(cleared.sharedPage.updatedAt).toBeGreaterThan(changed.sharedPage.updatedAt);
  expect(await api("DELETE", path)).toMatchObject({ status: 200, success: true });
  expect(await takeActions()).toEqual([
    ["shared_page.update", page.id],
    ["shared_page.update", page.id],
    ["shared_page.delete", page.id],
  ]);
  for (const method of ["GET", "DELETE"]) expect((await api(method, path)).status).toBe(404);
  expect((await api("PATCH", path, { title: "x" })).status).toBe(404);
  expect((await api("GET", "/api/shared-pages/unknown")).status).toBe(404);
  expect(await takeActions()).toEqual([]);
});

it("refuses pages of links and tags that the account does not have, and fields that do not fit", async () => {
  const { id: linkId } = await createLink(account.key, { tags: ["sale"] });
  const other = await createAccount();
  const foreign = await createLink(other.key, { tags: ["theirs"] });
  const deleted = await createLink(account.key, { tags: ["gone"] });
  await api("DELETE", `/api/links/${deleted.id}`);
  for (const [body, path] of [
    [{}, "linkId"],
    [{ linkId, tag: "sale" }, "linkId"],
    [{ linkId: "1" }, "linkId"],
    [{ linkId: newId(Date.now()) }, "linkId"],
    [{ linkId: foreign.id }, "linkId"],
    [{ linkId: deleted.id }, "linkId"],
    [{ tag: "theirs" }, "tag"],
    [{ tag: "gone" }, "tag"],
    [{ tag: "" }, "tag"],
    [{ tag: "sale", showDestination: true }, "showDestination"],
    [{ linkId, password: "short" }, "password"],
    [{ linkId, title: "x".repeat(301) }, "title"],
    [{ linkId, url: "https://example.com/" }, "url"],
  ] as const) {
    const { status, details } = await api("POST", "/api/shared-pages", body);
    expect([body, status, details?.[0]?.path]).toEqual([body, 400, path]);
  }
  const { id } = await createPage(account.key, { tag: "sale", showDestination: false });
  for (const [body, path] of [
    [{}, ""],
    [{ showDestination: true }, "showDestination"],
    [{ tag: "other" }, "tag"],
  ] as const) {
    const { status, details } = await api("PATCH", `/api/shared-pages/${id}`, body);
    expect([body, status, details?.[0]?.path]).toEqual([body, 400, path]);
  }
  expect((await api("GET", "/api/shared-pages")).sharedPages).toHaveLength(1);
});

it("is closed to other accounts and to keys with fewer permissions", async () => {
  const { id: linkId } = await createLink(account.key);
  const page = await createPage(account.key, { linkId });
  const path = `/api/shared-pages/${page.id}`;
  const other = await createAccount();
  for (const [method, body] of [["GET"], ["PATCH", { title: "theirs" }], ["DELETE"]] as const) {
    const { status, details } = await api(method, path, body, other.key);
    expect([method, status, details]).toMatchObject([
      method,
      403,
      [{ code: "of_another_account", resource: "shared_page" }],
    ]);
  }
  expect((await api("GET", "/api/shared-pages", undefined, other.key)).sharedPages).toEqual([]);
  const [reader, writer] = [
    await addKey(account.accountId, ["clicks:read"]),
    await addKey(account.accountId, ["links:write"]),
  ];
  expect((await api("GET", path, undefined, reader.key)).sharedPage).toEqual(page);
  for (const [key, lacks] of [
    [reader.key, "links:write"],
    [writer.key, "clicks:read"],
  ] as const)
    for (const [method, target, body] of [
      ["POST", "/api/shared-pages", { linkId }],
      ["PATCH", path, { title: "x" }],
      ["DELETE", path, undefined],
    ] as const) {
      const { status, details } = await api(method, target, body, key);
      expect([method, status, details]).toMatchObject([method, 403, [{ code: "lacks_permission", allowed: [lacks] }]]);
    }
  expect((await api("GET", path, undefined, writer.key)).status).toBe(403);
  expect((await api("GET", path)).sharedPage).toEqual(page);
});

it("never has more than a hundred pages, also under parallel requests", async () => {
  const { id: linkId } = await createLink(account.key, { tags: ["sale"] });
  await createPage(account.key, { linkId });
  await env.DB.prepare(
    `WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?1)
     INSERT INTO shared_pages SELECT id || n, account_id, link_seq, link_id, tag, tag_key, title, token_hash || n, token,
       password_hash, password_attacked_at, show_destination, created_at, updated_at, NULL, NULL FROM shared_pages, copies`,
  )
    .bind(MAX_SHARED_PAGES_PER_ACCOUNT - 4)
    .run();
  const bodies = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? { linkId } : { tag: "sale" }));
  const answers = await Promise.all(bodies.map((body) => api("POST", "/api/shared-pages", body)));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(12 - 3);
  for (const { status, code } of refused) expect([status, code]).toEqual([409, "limit_reached"]);
  const count = () => env.DB.prepare("SELECT count(*) AS n FROM shared_pages").first("n");
  expect(await count()).toBe(MAX_SHARED_PAGES_PER_ACCOUNT);
  // An unknown link is named also at the limit, and a deletion makes room.
  expect((await api("POST", "/api/shared-pages", { tag: "none" })).status).toBe(400);
  const { sharedPages } = await api("GET", "/api/shared-pages?limit=1");
  await api("DELETE", `/api/shared-pages/${sharedPages[0]?.id}`);
  expect((await api("POST", "/api/shared-pages", { linkId })).status).toBe(201);
  expect((await takeActions()).filter(([action]) => action === "shared_page.create")).toHaveLength(5);
});

it("changes once if the database's response is lost", async () => {
  const { id: linkId } = await createLink(account.key);
  const page = await createPage(account.key, { linkId });
  const path = `/api/shared-pages/${page.id}`;
  await takeActions();
  for (const [text, run, action] of [
    ["INSERT INTO shared_pages", () => createPage(account.key, { linkId }), "shared_page.create"],
    ["UPDATE shared_pages", () => api("PATCH", path, { title: "x" }), "shared_page.update"],
    ["DELETE FROM shared_pages", () => api("DELETE", path), "shared_page.delete"],
  ] as const) {
    expect([action, await loseFirstResponse(text, run)]).toEqual([action, 2]);
    expect((await takeActions()).map(([action]) => action)).toEqual([action]);
  }
  expect((await api("GET", "/api/shared-pages")).sharedPages).toHaveLength(1);
});

it("reads and writes as few rows with many pages as with one", async () => {
  // The first use of the key in a second is recorded.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01") });
  const { id: linkId } = await createLink(account.key);
  const page = await createPage(account.key, { linkId });
  const path = `/api/shared-pages/${page.id}`;
  const measure = async () => {
    const costs = [];
    for (const [method, target, body] of [
      ["GET", path],
      ["PATCH", path, { title: "x" }],
    ] as const) {
      const { rowsRead, rowsWritten } = await measureD1(() => api(method, target, body));
      costs.push([method, target, rowsRead, rowsWritten]);
    }
    return costs;
  };
  const before = await measure();
  for (let n = 0; n < 12; n++) await createPage(account.key, { linkId });
  expect(await measure()).toEqual(before);
});
