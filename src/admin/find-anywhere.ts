import { databasesOf } from "../database/databases.ts";
import { isId } from "../lib/uuid.ts";
import { parseShortUrl } from "../links/by-url.ts";
import { findAnyLink } from "../links/store/links.ts";
import { findLinkAtPrimary } from "../redirect/lookup/store/links.ts";
import { parseLinkPath } from "../redirect/path.ts";
import { findDomain, type FoundDomain } from "./store/takedowns.ts";

// What operators look for is in any database of the installation.

type AnyLink = NonNullable<Awaited<ReturnType<typeof findAnyLink>>>;

/** Finds a link of any account by its id or its short URL, and its database. */
export async function findLinkAnywhere(
  env: Env,
  value: string,
  baseUrl: string,
): Promise<{ link: AnyLink; db: D1Database } | null> {
  for (const db of databasesOf(env)) {
    const link = await findLink(env, db, value, baseUrl);
    if (link !== null) return { link, db };
  }
  return null;
}

async function findLink(env: Env, db: D1Database, value: string, baseUrl: string): Promise<AnyLink | null> {
  if (isId(value.toLowerCase())) return findAnyLink(db, value.toLowerCase());
  const { domain, path } = parseShortUrl(value, baseUrl, "value");
  const slug = parseLinkPath(path)?.slug;
  const found = slug === undefined ? null : await findLinkAtPrimary(env, db, domain, slug);
  return found === null ? null : findAnyLink(db, found.id);
}

/** The account that has verified the domain, or else one that has added it. */
export async function findDomainAnywhere(env: Env, domain: string): Promise<FoundDomain | null> {
  const found = await Promise.all(databasesOf(env).map((db) => findDomain(db, domain)));
  const all = found.filter((each) => each !== null);
  return all.find(({ status }) => status === "verified") ?? all[0] ?? null;
}
