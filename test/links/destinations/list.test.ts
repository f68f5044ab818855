import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import { takeInLinks } from "#src/links/destinations/store/visits.ts";
import { NEW_LINK_SETTLE_MS } from "#src/links/destinations/limits.ts";
import { accountId, call, createAccount, createLink, key, startAccount } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { slugs } from "../support.ts";

/** Makes the destinations of all links of these slugs, as they are now, broken. */
async function breakDestinations(...broken: string[]): Promise<void> {
  await takeInLinks(createJobContext(env, createExecutionContext(), Date.now() + NEW_LINK_SETTLE_MS + 1_000));
  await env.DB.prepare(
    `UPDATE destinations SET outcome = 'failing', broken_since = 1, checked_at = 1, final_host = 'shop.dev', visited_hash = l.url_hash
     FROM links l, json_each(?1) s WHERE l.id = destinations.link_id AND l.slug = s.value`,
  )
    .bind(JSON.stringify(broken))
    .run();
}

beforeEach(startAccount);

it("lists links whose destination is broken, in each order and with other filters", async () => {
  const other = await createAccount();
  await createLink(other.key, { slug: "theirs" });
  const fields = { one: { tags: ["tea"] }, two: {}, three: { archived: true }, four: {}, works: {} };
  for (const [slug, more] of Object.entries(fields)) await createLink(key, { slug, url: "https://shop.dev/", ...more });
  await breakDestinations("theirs", "one", "two", "three", "four");
  await env.DB.prepare("UPDATE links SET clicks = 3, last_clicked_at = 9 WHERE slug = 'two'").run();

  expect(await slugs(key, "?destination=broken")).toEqual(["four", "two", "one"]);
  expect(await slugs(key, "?destination=broken&archived=include&order=asc")).toEqual(["one", "two", "three", "four"]);
  expect(await slugs(key, "?destination=broken&sort=clicks")).toEqual(["two", "four", "one"]);
  expect(await slugs(key, "?destination=broken&sort=lastClickedAt&status=active")).toEqual(["two", "four", "one"]);
  expect(await slugs(key, "?destination=broken&tag=tea")).toEqual(["one"]);
  expect(await slugs(key, "?destination=broken&search=shop&domain=tern.test")).toEqual(["four", "two", "one"]);
  expect(await slugs(key, "?destination=broken&tag=!tea&status=!disabled")).toEqual(["four", "two"]);
  expect(await slugs(key, "?destination=broken&sort=clicks&domain=tern.test&domain=x.dev&tag=!tea")).toEqual([
    "two",
    "four",
  ]);
  expect(await slugs(key, "?destination=broken&verdict=blocked")).toEqual([]);

  await call("PATCH", `/api/links/${(await createLink(key, { slug: "five" })).id}`, { key, body: { title: "Five" } });
  const [first] = await links("?destination=broken&limit=1&count=true");
  expect(first).toMatchObject({ slug: "four", destination: { state: "broken" } });
  await call("PATCH", `/api/links/${first?.id}`, { key, body: { url: "https://shop.dev/other" } });
  expect(await slugs(key, "?destination=broken")).toEqual(["two", "one"]);
});

async function links(query: string): Promise<{ id: string; slug: string; destination: object }[]> {
  const response = await call("GET", `/api/links${query}`, { key });
  const { nextCursor, links } = await response.json<{ nextCursor: string; links: [] }>();
  expect(await slugs(key, `${query.replace("&count=true", "")}&cursor=${nextCursor}`)).toEqual(["two"]);
  return links;
}

it("reads the broken ones only, however many links the account has", async () => {
  await insertManyLinks(env.DB, accountId, 500);
  await createLink(key, { slug: "one" });
  await createLink(key, { slug: "two" });
  await breakDestinations("one", "two");
  for (const sort of ["createdAt", "clicks"]) {
    const { rowsRead } = await measureD1(() => slugs(key, `?destination=broken&sort=${sort}`));
    expect(rowsRead).toBeLessThan(30);
  }
});
