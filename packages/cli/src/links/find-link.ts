import type { Link, Tern } from "@tern/sdk";
import { RefusedError, UsageError } from "../errors.ts";

const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => ID.test(text);

/** For what only its id names. */
export function checkId(text: string): void {
  if (!isId(text)) throw new UsageError(`${text} is no id. An id is like 019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f.`);
}

/** A slug with slashes. The host of a short URL nearly always has a dot or a port. */
const NESTED_SLUG = /^[\w-]+(?:\/[\w-]+)+$/;

/** Finds a link by its id, its short URL (with or without `https://`), or its slug. Throws if there is not exactly one. */
export async function findLink(client: Tern, text: string): Promise<Link> {
  if (isId(text)) return client.links.get(text);
  const isNested = NESTED_SLUG.test(text);
  if (text.includes("/") && !isNested) return client.links.getByUrl(text);
  const { links } = await client.links.list({ slug: text, archived: "include", limit: MAX_SHOWN + 1 }).page();
  const [link] = links;
  if (link === undefined && isNested) return client.links.getByUrl(text);
  if (link === undefined) throw new RefusedError(`There is no link ${text} in this account.`);
  if (links.length === 1) return link;
  const choices = links.slice(0, MAX_SHOWN).map(({ shortUrl }) => `  ${shortUrl}`);
  throw new UsageError(`Several links have the slug ${text}. Name one by its short URL:\n${choices.join("\n")}`);
}

/** Returns the id; asks the service only if the text is none. */
export async function findLinkId(client: Tern, text: string): Promise<string> {
  return isId(text) ? text : (await findLink(client, text)).id;
}

/** How many links of the same slug an error names. */
const MAX_SHOWN = 10;
