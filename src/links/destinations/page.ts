import { ENCODING_PRESCAN_BYTES, MAX_PAGE_TITLE_CHARS } from "./limits.ts";
import { MAX_OUTBOUND_URL_CHARS } from "../../platform/outbound/limits.ts";

/** What a page says about itself. */
export interface PageFacts {
  title: string | null;
  /** The URL of its social image. */
  image: string | null;
  /** The URL of its icon. */
  icon: string | null;
}

/** Reads the head of an HTML page. `url` is where it was found, `contentType` the header of the response. */
export async function readPage(bytes: Uint8Array, contentType: string, url: URL): Promise<PageFacts> {
  const text = decode(bytes, contentType);
  const meta = new Map<string, string>();
  let icon: string | null = null;
  let title = "";
  let titles = 0;
  const rewriter = new HTMLRewriter()
    .on("title", {
      element: () => void titles++,
      // Only the first one: an image in the page may have a title of its own.
      text: (chunk) => {
        if (titles === 1 && title.length < MAX_RAW_TITLE_CHARS) title += chunk.text;
      },
    })
    .on("meta[content]", {
      element: (element) => {
        const name = (element.getAttribute("property") ?? element.getAttribute("name") ?? "").toLowerCase();
        if (META.has(name) && !meta.has(name)) meta.set(name, element.getAttribute("content") ?? "");
      },
    })
    .on("link[rel][href]", {
      element: (element) => {
        const relations = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
        if (relations.includes("icon")) icon ??= element.getAttribute("href");
      },
    });
  await rewriter.transform(new Response(text)).arrayBuffer();
  return {
    title: toTitle(title) ?? toTitle(meta.get("og:title") ?? ""),
    image: toUrl(meta.get("og:image") ?? meta.get("twitter:image"), url),
    icon: toUrl(icon, url),
  };
}

const META = new Set(["og:title", "og:image", "twitter:image"]);

/** Character references take more space than what they stand for. */
const MAX_RAW_TITLE_CHARS = 10 * MAX_PAGE_TITLE_CHARS;

/** The encoding is that of the header, else that of the page, else UTF-8. An unknown one counts as UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, ENCODING_PRESCAN_BYTES));
  const label = CHARSET.exec(contentType)?.[1] ?? CHARSET.exec(beginning)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const CHARSET = /charset\s*=\s*["']?([\w.:-]{1,40})/i;

function toTitle(raw: string): string | null {
  const text = unescapeHtml(raw.slice(0, MAX_RAW_TITLE_CHARS))
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const cut = text.slice(0, MAX_PAGE_TITLE_CHARS).trim();
  // Half of a surrogate pair at the end is left out.
  return (cut.isWellFormed() ? cut : cut.slice(0, -1).toWellFormed()) || null;
}

function toUrl(raw: string | null | undefined, base: URL): string | null {
  if (raw == null || raw.length > MAX_OUTBOUND_URL_CHARS) return null;
  const url = URL.parse(unescapeHtml(raw).trim(), base.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length > MAX_OUTBOUND_URL_CHARS ? null : url.href;
}

const NAMED: Record<string, string> = {
  amp: "&",
  apos: "'",
  bull: "•",
  copy: "©",
  gt: ">",
  hellip: "…",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  reg: "®",
  rsquo: "’",
  trade: "™",
};

/** Replaces the character references of titles. Unknown ones stay as they are. */
function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name: string) => {
    if (name !== undefined) return NAMED[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
  });
}
