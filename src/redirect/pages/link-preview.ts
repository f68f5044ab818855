import { escapeHtml } from "../../platform/lib/escape-html.ts";
import type { RedirectEntry } from "../lookup/entry.ts";
import type { IncomingRequest } from "../request-url.ts";
import { selectWebUrl } from "../targets/select-target.ts";
import { loadTexts, preferredLanguage } from "./language.ts";
import { pageResponse } from "./page.ts";
import type { PageTexts } from "./texts/page-texts.ts";

type LinkPreview = Record<"title" | "description" | "image", string | null>;

/** The link's `preview` setting. Fields that cannot be read are null. */
export function parseLinkPreview({ preview }: RedirectEntry): LinkPreview {
  const { title, description, image } = parseObject(preview ?? "{}");
  return {
    title: toText(title),
    description: toText(description),
    image: URL.parse(toText(image) ?? "")?.href ?? null,
  };
}

function parseObject(json: string): Partial<Record<keyof LinkPreview, unknown>> {
  try {
    return Object(JSON.parse(json)) as object;
  } catch {
    return {};
  }
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The page for preview fetchers: the owner's title, description and image as Open Graph and X tags. */
export async function previewPage(incoming: IncomingRequest, entry: RedirectEntry, now: number): Promise<Response> {
  const language = preferredLanguage(incoming.request.headers.get("Accept-Language"));
  const texts = await loadTexts(language);
  const { title, description, image } = parseLinkPreview(entry);
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
  const page = {
    language,
    title: title ?? host,
    html: html + renderDestination(texts, incoming, entry, now),
    head: head.join(""),
  };
  return pageResponse(incoming, page, 200, { "Cache-Control": "no-store" });
}

function renderDestination(texts: PageTexts, incoming: IncomingRequest, entry: RedirectEntry, now: number): string {
  if (entry.passwordTag !== null) return `<p>${texts.errors.password_required.title}</p>`;
  const destination = escapeHtml(selectWebUrl(entry, incoming, now));
  return `<p><a href="${destination}" rel="nofollow noreferrer">${destination}</a></p>`;
}
