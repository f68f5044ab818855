import type { AccountContext } from "../context.ts";
import { invalidRequest, notFound } from "../http/errors.ts";
import { isOwnUrl, withoutRoot } from "../lib/hosts.ts";
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
  if (row === null) throw notFound("There is no link with this short URL in this account.");
  return row;
}

/**
 * The domain as it is stored, and the path without its first slash, as redirects read them. `field` is the one of the request
 * that has the text.
 */
export function parseShortUrl(text: string, baseUrl: string, field = "url"): { domain: string; path: string } {
  const url = parsePastedUrl(text);
  if (url === null) throw invalidUrl(field, "must be a short URL, such as go.example/spring");
  const path = url.pathname.slice(1);
  if (path === "")
    throw invalidUrl(
      field,
      "must have a host and a slug, such as go.example/spring; GET /api/links?slug=… finds a slug alone",
    );
  return { domain: isOwnUrl(url, baseUrl) ? "" : withoutRoot(url.hostname), path };
}

const invalidUrl = (path: string, message: string) => invalidRequest([{ path, message }]);
