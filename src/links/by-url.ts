import type { AccountContext } from "../platform/context.ts";
import { invalidField, notFound } from "../platform/http/errors.ts";
import { isOwnUrl, withoutRoot } from "../platform/lib/hosts.ts";
import { parsePastedUrl, readLinkPath } from "../redirect/stray-characters.ts";
import { findOwnLink } from "./store/links.ts";
import type { LinkRow } from "./store/row.ts";

/** Returns the account's link at a short URL. Throws a 400 for a text that is no short URL, and a 404 if the account has no such link. */
export async function getLinkRowByUrl(
  { db, principal, baseUrl }: Pick<AccountContext, "db" | "principal" | "baseUrl">,
  text: string,
): Promise<LinkRow> {
  const { domain, path } = parseShortUrl(text, baseUrl);
  const slug = readLinkPath(path)?.slug;
  const row = slug === undefined ? null : await findOwnLink(db, principal.accountId, domain, slug);
  if (row === null) throw notFound("no_link_at_url");
  return row;
}

/**
 * The domain as it is stored, and the path without its first slash, as redirects read them. `field` is the one of the request
 * that has the text.
 */
export function parseShortUrl(text: string, baseUrl: string, field = "url"): { domain: string; path: string } {
  const url = parsePastedUrl(text);
  const path = url?.pathname.slice(1) ?? "";
  if (url === null || path === "") throw invalidField(field, "not_a_short_url");
  return { domain: isOwnUrl(url, baseUrl) ? "" : withoutRoot(url.hostname), path };
}
