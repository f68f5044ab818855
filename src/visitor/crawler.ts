import { isbot } from "isbot";
import { isPreviewFetcher } from "./preview-fetchers.ts";

// isbot also reports HTTP libraries and command line clients. Here they count as visitors: a user agent that starts with
// one of these names and contains no word of a crawler.
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

/** The usual name of the HTTP library or command line client that the user agent starts with; null if there is none. */
export function libraryOf(userAgent: string): string | null {
  if (/\bWindowsPowerShell\//.test(userAgent)) return "PowerShell";
  const [, name] = LIBRARY.exec(userAgent) ?? [];
  if (name === undefined || CRAWLER_WORD.test(userAgent)) return null;
  if (/^python\/\S+ aiohttp\b/i.test(userAgent)) return "aiohttp";
  const [product = name] = PRODUCT.exec(userAgent) ?? [];
  return NAMES.get(product.toLowerCase()) ?? NAMES.get(name.toLowerCase()) ?? null;
}

/** Whether the user agent is a crawler, a link preview or a monitor, whose visits are no clicks. An empty one counts as a crawler. */
export function isCrawler(userAgent: string): boolean {
  // A preview fetcher may get a preview in place of the destination, so its visit must never count.
  if (userAgent === "" || isPreviewFetcher(userAgent)) return true;
  return libraryOf(userAgent) === null && isbot(userAgent);
}
