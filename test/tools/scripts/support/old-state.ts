import { expect } from "vitest";
import { sequenceOf } from "../../../../src/links/store/sequence.ts";
import { newId } from "../../../../src/platform/lib/uuid.ts";
import { demoKey } from "../../../../tools/scripts/demo-key.ts";
import { withLocalDatabase } from "../../../../tools/scripts/local-database.ts";
import { readSchema } from "../../../../tools/scripts/migrations.ts";
import { versionOf } from "./migrations.ts";
import { schemaAt } from "./versions.ts";

const withVersion = <T>(state: string, version: number, use: (database: D1Database) => Promise<T>): Promise<T> =>
  withLocalDatabase(state, use, undefined, undefined, schemaAt(version));

const link = { slug: "from-version-1", url: "https://example.com/kept", title: "Kept" };

/** Makes a state folder with the tables of version 1, the demo account and a link. Returns the key of the account. */
export function makeState(state: string, keyFile: string): Promise<string> {
  return withVersion(state, 1, async (database) => {
    const now = Date.now();
    const key = await demoKey(database, keyFile, now);
    await database.prepare("UPDATE installation SET claimed_at = ?1").bind(now).run();
    const id = newId(now);
    await database
      .prepare(
        `INSERT INTO links (seq, id, account_id, domain, slug, url, title, status, redirect_status, created_at, updated_at)
         SELECT CAST(?1 AS INTEGER), ?2, id, '', ?3, ?4, ?5, 'active', 302, ?6, ?6 FROM accounts`,
      )
      .bind(sequenceOf(id), id, link.slug, link.url, link.title, now)
      .run();
    expect(await versionOf(database)).toBe(1);
    return key;
  });
}

/** The service has the link of version 1, makes another one, and has the newest tables once it is stopped. */
export async function expectUpgraded(
  { origin, stop }: { origin: string; stop: () => Promise<void> },
  state: string,
  key: string,
): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await response.json()) as unknown;
  };
  const visit = (slug: string) => fetch(`${origin}/${slug}`, { redirect: "manual" });
  expect((await visit(link.slug)).headers.get("Location")).toBe(link.url);
  expect(await call("GET", "/api/links?search=kept")).toMatchObject({ links: [link] });
  expect(await call("POST", "/api/links", { url: link.url, slug: "new" })).toMatchObject({ link: { slug: "new" } });
  expect((await visit("new")).status).toBe(302);
  await stop();
  const { version } = readSchema();
  expect(await withVersion(state, version, versionOf)).toBe(version);
}
