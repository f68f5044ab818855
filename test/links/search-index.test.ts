import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { SEARCHED_URL_CHARS } from "../../src/links/limits.ts";
import { fnv1a } from "../../src/platform/lib/fnv1a.ts";
import { call, createAccount, createLink } from "../support/api.ts";
import { exportFile } from "../moving/exports/file-support.ts";
import { slugs } from "./support.ts";

// A column is added to links by ALTER TABLE alone: no other table, view, index or trigger names all columns of a link.

it("with a column more, links that are there and new ones are listed, searched, changed and exported as before", async () => {
  const { key } = await createAccount();
  const old = await createLink(key, {
    slug: "old",
    url: "https://example.com/spring",
    title: "Before",
    tags: ["kept"],
  });
  await env.DB.exec("ALTER TABLE links ADD COLUMN campaign_code TEXT");
  const made = await createLink(key, {
    slug: "new",
    url: "https://example.com/spring",
    title: "After",
    tags: ["kept"],
  });
  const changed = await call("PATCH", `/api/links/${old.id}`, {
    key,
    body: { title: "Changed", tags: ["kept", "also"] },
  });
  expect(changed.status).toBe(200);
  for (const query of [
    "?",
    "?search=spring",
    "?tag=kept",
    "?status=active",
    "?sort=clicks",
    "?domain=tern.test",
    "?count=true",
  ])
    expect([query, await slugs(key, query)]).toEqual([query, ["new", "old"]]);
  expect(await slugs(key, "?search=changed&tag=also")).toEqual(["old"]);
  expect(await slugs(key, "?slug=old")).toEqual(["old"]);
  expect(await slugs(key, `?url=${encodeURIComponent("https://example.com/spring")}&status=disabled`)).toEqual([]);

  const { text } = await exportFile({ key }, { kind: "links", format: "json" });
  expect((JSON.parse(text) as { links: { slug: string }[] }).links.map(({ slug }) => slug)).toEqual(["new", "old"]);
  expect((await call("DELETE", `/api/links/${made.id}`, { key })).status).toBe(200);
  expect((await call("POST", `/api/links/${made.id}/restore`, { key })).status).toBe(200);
  expect(await slugs(key, "?tag=kept")).toEqual(["new", "old"]);
  await env.DB.prepare("INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)").run();
});

/** The number that a term of three private-use characters stands for. */
const numberOf = (term: string) =>
  Array.from(term).reduce((number, character) => number * 6_400 + (character.codePointAt(0) ?? 0) - 57_344, 0);

it("the terms of a link in the search index are what searchable_links makes", async () => {
  const { key, accountId } = await createAccount();
  const url = "https://example.com/terms";
  const { id } = await createLink(key, { slug: "Indexed", url, tags: ["Spring"], startsAt: Date.now() + 60_000 });
  const row = await env.DB.prepare("SELECT v.* FROM searchable_links v JOIN links l ON l.seq = v.seq WHERE l.id = ?1")
    .bind(id)
    .first<Record<string, string>>();
  const { account_term = "", status_term = "", domain_term = "", url_term = "", creator_term = "" } = row ?? {};
  const kind = (number: number) => number * 530 * 6_400 * 6_400;
  expect([account_term, status_term, domain_term].map(numberOf)).toEqual([
    accountId,
    accountId + kind(10), // stored as active, with a start
    accountId + kind(8), // at the service domain
  ]);
  expect(numberOf(url_term)).toBe(fnv1a(url));
  expect(creator_term).toHaveLength(3);
  expect(row).toMatchObject({ slug: "Indexed", url_start: "//example.com/terms", title: null, external_id: null });
});

it.each(["https:", "http:"])("the search index holds SEARCHED_URL_CHARS of a URL with %s", async (scheme) => {
  const { key } = await createAccount();
  const url = `${scheme}//example.com/`.padEnd(SEARCHED_URL_CHARS + 10, "0123456789");
  const { id } = await createLink(key, { url });
  const start = await env.DB.prepare(
    "SELECT v.url_start FROM searchable_links v JOIN links l ON l.seq = v.seq WHERE l.id = ?1",
  )
    .bind(id)
    .first<string>("url_start");
  // The index has no terms for "https:".
  expect(start).toBe(url.slice(scheme === "https:" ? scheme.length : 0, SEARCHED_URL_CHARS));
});
