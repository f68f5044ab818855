import { isId } from "../../platform/lib/uuid.ts";
import { parseShortUrl } from "../../links/by-url.ts";
import { findAnyLink } from "../../links/store/links.ts";
import { findLinkAtPrimary } from "../../redirect/lookup/store/links.ts";
import { readLinkPath } from "../../redirect/stray-characters.ts";

/** Finds a link of any account, or of none, by its id or its short URL. */
export async function findNamedLink(
  env: Env,
  name: string,
  baseUrl: string,
): Promise<Awaited<ReturnType<typeof findAnyLink>>> {
  if (isId(name.toLowerCase())) return findAnyLink(env.DB, name.toLowerCase());
  const { domain, path } = parseShortUrl(name, baseUrl, "value");
  const slug = readLinkPath(path)?.slug;
  const found = slug === undefined ? null : await findLinkAtPrimary(env, env.DB, domain, slug);
  return found === null ? null : findAnyLink(env.DB, found.id);
}
