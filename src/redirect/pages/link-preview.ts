import type { Incoming } from "../request-url.ts";
import { webAddressFor } from "../targets/select-target.ts";
import type { RedirectEntry } from "../lookup/entry.ts";
import { answerPage, escapeHtml } from "./page.ts";

type Preview = Record<"title" | "description" | "image", string | null>;

/** The setting of a link; what cannot be read of it is left out. */
export function readPreview({ preview }: RedirectEntry): Preview {
  const { title, description, image } = parse(preview ?? "{}");
  return {
    title: textOf(title),
    description: textOf(description),
    image: URL.parse(textOf(image) ?? "")?.href ?? null,
  };
}

function parse(json: string): Partial<Record<keyof Preview, unknown>> {
  try {
    return Object(JSON.parse(json)) as object;
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** For who fetches a link with a preview to show it: what the owner wants shown, in the tags of Open Graph and of X. */
export function previewPage(incoming: Incoming, entry: RedirectEntry, now: number): Response {
  const { title, description, image } = readPreview(entry);
  const { origin, host, pathname } = new URL(incoming.request.url);
  const tags: [attribute: string, name: string, content: string | null][] = [
    ["name", "description", description],
    ["property", "og:type", "website"],
    ["property", "og:url", origin + pathname],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:image", image],
    ["name", "twitter:card", image === null ? "summary" : "summary_large_image"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ["name", "twitter:image", image],
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
