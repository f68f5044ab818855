import { toLink, type LinkRow } from "../store/row.ts";
import type { AccountContext } from "../../platform/context.ts";
import { guardOf } from "../../platform/outbound/url-guard.ts";
import { ICON_TTL_SECONDS, MAX_ICON_BYTES, NO_ICON_TTL_SECONDS } from "./limits.ts";
import { fetchImage, type FetchedImage } from "./visit.ts";
import { isWatching } from "./watch.ts";

const CACHE_NAME = "icons";

/** The first bytes of images as text, a byte a character. */
const FIRST_BYTES: readonly (readonly [type: string, first: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/x-icon", "\0\0\x01\0"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "RIFF"],
];
const LONGEST_FIRST_BYTES = 8;

/** An SVG is an image of this origin too, so it may not run or load anything. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * The icon of the destination as a response: 200 with the image, 204 if there is none. It is fetched by the service, so its host
 * sees no person, and kept in the edge cache.
 */
export async function iconResponse(context: AccountContext, row: LinkRow): Promise<Response> {
  const url = iconOf(context, row);
  if (url === null || !isWatching(context.env)) return noIcon();
  const cache = await caches.open(CACHE_NAME);
  const key = `https://icons.invalid/${encodeURIComponent(url)}`;
  const cached = await cache.match(key);
  if (cached !== undefined) return cached.headers.get("Content-Type") === NOTHING ? noIcon() : toPrivate(cached);
  const image = await fetchImage(url, guardOf(context.env, context.baseUrl), MAX_ICON_BYTES);
  const type = image === null ? null : typeOf(image);
  const stored =
    image === null || type === null
      ? new Response("-", { headers: { "Content-Type": NOTHING, "Cache-Control": `max-age=${NO_ICON_TTL_SECONDS}` } })
      : new Response(image.bytes as Uint8Array<ArrayBuffer>, {
          headers: { "Content-Type": type, "Cache-Control": `max-age=${ICON_TTL_SECONDS}` },
        });
  context.waitUntil(cache.put(key, stored.clone()));
  return type === null ? noIcon() : toPrivate(stored);
}

/** The type of the entry that says that there is no icon: the cache keeps no 204. */
const NOTHING = "text/plain";

/** A page that names no icon may have one at the usual place. */
function iconOf({ baseUrl, now }: AccountContext, row: LinkRow): string | null {
  const { destination } = toLink(row, baseUrl, now);
  if (destination === null) return null;
  return destination.icon ?? `https://${destination.host}/favicon.ico`;
}

/** By the first bytes, whatever the server says; only a text can be an SVG by what the server says. Null: no image that browsers show. */
function typeOf({ bytes, contentType }: FetchedImage): string | null {
  const beginning = String.fromCharCode(...bytes.subarray(0, LONGEST_FIRST_BYTES));
  const [type] = FIRST_BYTES.find(([, first]) => beginning.startsWith(first)) ?? [];
  if (type !== undefined) return type;
  return /^\s*image\/svg\+xml\b/i.test(contentType) ? "image/svg+xml" : null;
}

function toPrivate({ body, headers }: Response): Response {
  const type = headers.get("Content-Type") ?? "";
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `private, max-age=${ICON_TTL_SECONDS}`,
      "Content-Security-Policy": POLICY,
    },
  });
}

function noIcon(): Response {
  return new Response(null, { status: 204, headers: { "Cache-Control": `private, max-age=${NO_ICON_TTL_SECONDS}` } });
}
