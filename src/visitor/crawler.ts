import { isbot } from "isbot";
import { isPreviewFetcher } from "./preview-fetchers.ts";

// isbot takes HTTP libraries and command line clients for crawlers too. Here they are somebody's program, whose
// visits count: a user agent that begins with one of these names and names no crawler besides.
const LIBRARIES = [
  "aiohttp",
  "AdobeAIR",
  "Apache-HttpClient",
  "aria2",
  "axios",
  "Bun",
  "curl",
  "Dart",
  "Deno",
  "Faraday",
  "fetch",
  "Go-http-client",
  "go-resty",
  "got",
  "GuzzleHttp",
  "hackney",
  "http.rb",
  "HTTPie",
  "Insomnia",
  "Java",
  "Java-http-client",
  "Jersey",
  "k6",
  "libcurl",
  "libwww-perl",
  "lua-resty-http",
  "Needle",
  "node",
  "Node.js",
  "node-fetch",
  "node-superagent",
  "okhttp",
  "PHP",
  "PHP-SOAP",
  "PostmanRuntime",
  "PowerShell",
  "Python",
  "python-httpx",
  "python-requests",
  "Python-urllib",
  "python-urllib3",
  "reqwest",
  "rest-client",
  "RestSharp",
  "Ruby",
  "superagent",
  "Symfony",
  "undici",
  "Wget",
];
const NAMES = new Map(LIBRARIES.map((name) => [name.toLowerCase(), name])).set("node", "Node.js");
const LIBRARY = new RegExp(`^(${LIBRARIES.map((name) => name.replace(".", "\\.")).join("|")})\\b`, "i");
const PRODUCT = /^[\w.-]+/;
const CRAWLER_WORD = /bot\b|crawl|spider|preview|monitor|scan|archiv|index|mastodon|pleroma|misskey/i;

/** The HTTP library or command line client that the user agent names first, under its usual name. */
export function libraryOf(userAgent: string): string | null {
  if (/\bWindowsPowerShell\//.test(userAgent)) return "PowerShell";
  const [, name] = LIBRARY.exec(userAgent) ?? [];
  if (name === undefined || CRAWLER_WORD.test(userAgent)) return null;
  if (/^python\/\S+ aiohttp\b/i.test(userAgent)) return "aiohttp";
  const [product = name] = PRODUCT.exec(userAgent) ?? [];
  return NAMES.get(product.toLowerCase()) ?? NAMES.get(name.toLowerCase()) ?? null;
}

/** Whether the user agent is a crawler, a link preview or a monitor, whose visits do not count. An empty one is. */
export function isCrawler(userAgent: string): boolean {
  // Whoever may be shown a preview in place of the destination follows nothing.
  if (userAgent === "" || isPreviewFetcher(userAgent)) return true;
  return libraryOf(userAgent) === null && isbot(userAgent);
}
