import { OPEN_APP_PATIENCE_MS } from "../../limits.ts";
import { answerPage, escapeHtml, PRIVATE, type Asked } from "./page.ts";

/** The page for an address of an app, which a browser without the app could only answer with an error. */

// The same text on every page, since the policy allows it by its hash. A dialog that asks whether to open the
// app takes the focus: whoever sees it decides there, or here.
const SCRIPT = `
const app = document.getElementById("app"), web = document.getElementById("web");
function tryApp() {
  const timer = setTimeout(() => document.hidden || location.replace(web.href), ${OPEN_APP_PATIENCE_MS});
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

/** Whether a page is of use to whoever asks: a browser, and no crawler that says it is one. */
export async function showsPages(request: Request): Promise<boolean> {
  if (!(request.headers.get("Accept") ?? "").includes("text/html")) return false;
  // Only addresses of apps need it; no other redirect evaluates it.
  const { isCrawler } = await import("../../visitor/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

/** Tries the app, and after a while goes on in the browser; both can be chosen, also without scripts. */
export function openAppPage(incoming: Asked, app: string, web: string): Response {
  const html =
    "<p>You can also follow it in the browser.</p>" +
    `<a class="go" id="app" href="${escapeHtml(app)}">Open in the app</a>` +
    `<a class="go" id="web" href="${escapeHtml(web)}">Continue in the browser</a>` +
    `<script>${SCRIPT}</script>`;
  const page = { title: "This link opens an app", html, head: `<style>${STYLE}</style>` };
  return answerPage(incoming, page, 200, { ...PRIVATE, "Content-Security-Policy": POLICY });
}
