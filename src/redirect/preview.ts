import type { Incoming } from "./address.ts";
import { webAddressFor } from "./choice.ts";
import type { RedirectEntry } from "./entry.ts";
import { answerPage, escapeHtml } from "./page.ts";

interface Preview {
  title: string | null;
  description: string | null;
  image: string | null;
}

/** For who fetches a link with a preview to show it: what the owner wants shown, in the tags of Open Graph and of X. */
export function previewPage(incoming: Incoming, entry: RedirectEntry, now: number): Response {
  const { title, description, image } = JSON.parse(entry.preview ?? "{}") as Preview;
  const { origin, host, pathname } = new URL(incoming.request.url);
  const picture = image === null ? null : new URL(image).href;
  const tags: [attribute: string, name: string, content: string | null][] = [
    ["name", "description", description],
    ["property", "og:type", "website"],
    ["property", "og:url", origin + pathname],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:image", picture],
    ["name", "twitter:card", picture === null ? "summary" : "summary_large_image"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ["name", "twitter:image", picture],
  ];
  const head = tags.map(([attribute, name, content]) =>
    content === null ? "" : `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`,
  );
  const html = description === null ? "" : `<p>${escapeHtml(description)}</p>`;
  const page = { title: title ?? host, html: html + linkTo(incoming, entry, now), head: head.join("") };
  return answerPage(incoming, page, 200, { "Cache-Control": "no-store" });
}

function linkTo(incoming: Incoming, entry: RedirectEntry, now: number): string {
  if (entry.passwordTag !== null) return "<p>This link has a password.</p>";
  const target = escapeHtml(webAddressFor(entry, incoming, now));
  return `<p><a href="${target}" rel="nofollow noreferrer">${target}</a></p>`;
}
