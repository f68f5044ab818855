import { namesType } from "../../lib/accept.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import { OPEN_APP_TIMEOUT_MS } from "../../limits.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "./page.ts";

// The page for an app's URL. A browser without the app would show an error if it were redirected there.

/**
 * The same text on every page, because the policy allows it by its hash. The browser's dialog that asks whether to open
 * the app takes the focus, and the page then stays as it is: the visitor decides in the dialog or on the page.
 */
const SCRIPT = `
const app = document.getElementById("app"), web = document.getElementById("web");
function tryApp() {
  const timer = setTimeout(() => document.hidden || location.replace(web.href), ${OPEN_APP_TIMEOUT_MS});
  const stay = () => clearTimeout(timer);
  for (const event of ["blur", "pagehide", "click"]) addEventListener(event, stay);
  document.addEventListener("visibilitychange", stay);
  location.href = app.href;
}
addEventListener("load", () => {
  if (document.prerendering) document.addEventListener("prerenderingchange", tryApp, { once: true });
  else setTimeout(tryApp);
});
`;
const SCRIPT_HASH = "sha256-zPwhmW0s/N9b/yFgPdSgvihYJymawI7ZKuRjTy2pqak=";

const POLICY = `default-src 'none'; script-src '${SCRIPT_HASH}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const STYLE =
  ".go{display:block;margin:1rem 0 0;padding:.7rem 1.2rem;border:1px solid #0b5c8a;border-radius:.5rem;text-align:center;text-decoration:none}#app{background:#0b5c8a;color:#fff}@media(prefers-color-scheme:dark){.go{border-color:#7cc4ec}#app{background:#7cc4ec;color:#101a20}}";

/** Whether the client is a browser that can show a page. Crawlers that name themselves are not. */
export async function acceptsPages(request: Request): Promise<boolean> {
  if (!namesType(request.headers.get("Accept"), "text/html")) return false;
  // Imported on demand: only links with an app's URL need it.
  const { isCrawler } = await import("../../visitor/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

/** Tries the app and continues in the browser after a while. Both are links too, which work without scripts. */
export function openAppPage(incoming: PageRequest, app: string, web: string): Response {
  const html =
    "<p>You can also follow it in the browser.</p>" +
    `<a class="go" id="app" href="${escapeHtml(app)}">Open in the app</a>` +
    `<a class="go" id="web" href="${escapeHtml(web)}">Continue in the browser</a>` +
    `<script>${SCRIPT}</script>`;
  const page = { title: "This link opens an app", html, head: `<style>${STYLE}</style>` };
  return pageResponse(incoming, page, 200, { ...PRIVATE_HEADERS, "Content-Security-Policy": POLICY });
}
