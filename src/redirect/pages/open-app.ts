import { namesType } from "../../platform/lib/accept.ts";
import { escapeHtml } from "../../platform/lib/escape-html.ts";
import { loadTexts, preferredLanguage } from "./language.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "./page.ts";
import { OPEN_APP_TIMEOUT_MS } from "../limits.ts";

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

/** Whether the client is a browser that can show a page. Crawlers that name themselves are not. */
export async function acceptsPages(request: Request): Promise<boolean> {
  if (!namesType(request.headers.get("Accept"), "text/html")) return false;
  // Imported on demand: only links with an app's URL need it.
  const { isCrawler } = await import("../../platform/visitor/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

/** Tries the app and continues in the browser after a while. Both are links too, which work without scripts. */
export async function openAppPage(incoming: PageRequest, app: string, web: string): Promise<Response> {
  const language = preferredLanguage(incoming.request.headers.get("Accept-Language"));
  const { title, text, open, stay } = (await loadTexts(language)).app;
  const html =
    `<p>${text}</p>` +
    `<a class="button wide" id="app" href="${escapeHtml(app)}">${open}</a>` +
    `<a class="button plain wide" id="web" href="${escapeHtml(web)}">${stay}</a>` +
    `<script>${SCRIPT}</script>`;
  return pageResponse(incoming, { language, title, html, scriptHash: SCRIPT_HASH }, 200, PRIVATE_HEADERS);
}
