import { escapeHtml } from "../../platform/lib/escape-html.ts";
import { UNCOUNTED_COOKIE_MAX_AGE_SECONDS } from "../limits.ts";
import { isUncounted, OWN_VISITS_PATH, uncountedCookieName } from "../own-visits.ts";
import { errorPage } from "./error-page.ts";
import { loadTexts, preferredLanguage } from "./language.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "./page.ts";

/** Shows whether the browser's visits are counted. A POST of the page's form changes it. */
export async function ownVisitsPage(incoming: PageRequest): Promise<Response> {
  const { request, requestId } = incoming;
  const isOff = isUncounted(request);
  if (request.method === "POST") {
    // Only the page itself may change it. The Origin of its form is null, because the page sends no referrer.
    if (request.headers.get("Sec-Fetch-Site") !== "same-origin") return errorPage(incoming, "invalid_request");
    const isLeftOut = new URL(request.url).searchParams.get("count") === "0";
    const cookie = choiceCookie(request.url, isLeftOut);
    const headers = { ...PRIVATE_HEADERS, Location: `/${OWN_VISITS_PATH}`, "Set-Cookie": cookie };
    return new Response(null, { status: 303, headers: { ...headers, "X-Request-Id": requestId } });
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    return errorPage(incoming, "method_not_allowed", { headers: { Allow: "GET, HEAD, POST" } });
  const language = preferredLanguage(request.headers.get("Accept-Language"));
  const { ownVisits } = await loadTexts(language);
  const text = (isOff ? ownVisits.uncounted : ownVisits.counted).replace("{host}", () => new URL(request.url).host);
  const html = `<p>${escapeHtml(text)}</p><form method="post" action="?count=${isOff ? 1 : 0}"><button>${isOff ? ownVisits.count : ownVisits.leaveOut}</button></form>`;
  return pageResponse(incoming, { language, title: ownVisits.title, html, hasForm: true }, 200, PRIVATE_HEADERS);
}

/** The value of `Set-Cookie` for the choice. */
function choiceCookie(url: string, isLeftOut: boolean): string {
  const maxAge = isLeftOut ? UNCOUNTED_COOKIE_MAX_AGE_SECONDS : 0;
  const name = uncountedCookieName(url);
  const secure = name.startsWith("__Host-") ? "; Secure" : "";
  return `${name}=1; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}
