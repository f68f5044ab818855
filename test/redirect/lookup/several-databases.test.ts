import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { buildRequest, send } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";

const second = (env as unknown as { SECOND_DB: D1Database }).SECOND_DB;
const bindings = { DB_2: second } as unknown as Partial<Env>;

beforeEach(async () => {
  await second.prepare(env.SCHEMA).run();
});

/** Stores a link in the second database, and its entry in the directory. */
async function addLink(slug: string, maxClicks: number | null = null): Promise<void> {
  await second
    .prepare(
      `INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, max_clicks, created_at, updated_at)
       VALUES (1, 'link', '', ?1, 'https://example.com/second', 'active', 302, ?2, 1, 1)`,
    )
    .bind(slug, maxClicks)
    .run();
  await env.DB.prepare("INSERT INTO directory VALUES (?1, 1, 'token', 1)").bind(slug).run();
}

async function visit(path: string): Promise<number> {
  return (await send(buildRequest("GET", path), bindings)).status;
}

it("redirects by a link of the second database", async () => {
  await addLink("spring");
  const response = await send(buildRequest("GET", "/Spring"), bindings);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "https://example.com/second"]);
  expect(await visit("/summer")).toBe(404);
  memoryCache.clear();
  // From the edge cache.
  const { roundTrips } = await measureD1(() => visit("/spring"));
  expect(roundTrips).toBe(0);
});

it("claims the visits of a link with a limit in its database", async () => {
  await addLink("spring", 2);
  const statuses = [await visit("/spring"), await visit("/spring"), await visit("/spring")];
  expect(statuses).toEqual([302, 302, 410]);
  expect(await second.prepare("SELECT visits FROM links").first("visits")).toBe(2);
});
