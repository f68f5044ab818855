import { isbot } from "isbot";

// isbot takes HTTP libraries and command line clients for crawlers too. Here they are somebody's program, whose
// visits count: a user agent that begins with one of these names and names no crawler besides.
const LIBRARY =
  /^(apache-httpclient|aria2|axios|bun|curl|dart|deno|faraday|fetch|go-http-client|go-resty|got|guzzlehttp|http\.rb|httpie|insomnia|java|jersey|k6|libcurl|libwww-perl|lua-resty-http|node|node-fetch|okhttp|postmanruntime|powershell|python|python-httpx|python-requests|python-urllib|reqwest|restsharp|ruby|superagent|symfony|undici|wget)\b/i;
const CRAWLER_WORD = /bot\b|crawl|spider|preview|monitor|scan|archiv|index/i;

/** Whether the user agent is a crawler, a link preview or a monitor, whose visits do not count. An empty one is. */
export function isCrawler(userAgent: string): boolean {
  if (userAgent === "") return true;
  if (LIBRARY.test(userAgent) && !CRAWLER_WORD.test(userAgent)) return false;
  return isbot(userAgent);
}
