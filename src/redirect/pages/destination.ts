import { escapeHtml } from "../../platform/lib/escape-html.ts";
import { isDistinct, toReadable } from "./readable-url.ts";
import type { PageTexts } from "./texts/page-texts.ts";

/**
 * A destination for visitors to read: its host, which is always visible, and the whole URL in a box that scrolls. A host name
 * that looks like no other is shown in Unicode; every other one in Punycode, with a sentence about its Unicode form.
 */
export async function renderUrl(destination: string, texts: PageTexts["destination"]): Promise<string> {
  const { hostname, host } = new URL(destination);
  const unicode = await toUnicodeName(hostname);
  const isShown = unicode !== null && isDistinct(unicode);
  const shownHost = isShown ? unicode + host.slice(hostname.length) : host;
  const url = escapeHtml(toReadable(destination));
  const box = `<div class="where" dir="ltr"><b><bdi>${escapeHtml(shownHost)}</bdi></b><div class="url" tabindex="0">${url}</div></div>`;
  if (unicode === null || isShown) return box;
  const sentence = texts.unicode
    .replace("{name}", () => `<code>${escapeHtml(hostname)}</code>`)
    .replace("{unicode}", () => `<bdi>${escapeHtml(unicode)}</bdi>`);
  return `${box}<p>${sentence}</p>`;
}

/** The Unicode form of a host name in Punycode; null for other names. */
async function toUnicodeName(hostname: string): Promise<string | null> {
  if (!hostname.includes("xn--")) return null;
  const { domainToUnicode } = await import("node:url");
  const unicode = domainToUnicode(hostname);
  return unicode === "" || unicode === hostname ? null : unicode;
}
