import { QR_PARAMETER } from "../platform/lib/qr-parameter.ts";
import { escapeHtml } from "../platform/lib/escape-html.ts";
import { isAdvisory, isUntrusted, verdictAt, type Verdict } from "./verdict.ts";
import type { LinkRequest } from "./link-request.ts";
import { renderUrl } from "./pages/destination.ts";
import { errorPage } from "./pages/error-page.ts";
import { loadTexts, preferredLanguage } from "./pages/language.ts";
import { jsonResponse, pageResponse, prefersJson, PRIVATE_HEADERS } from "./pages/page.ts";
import { renderReportLink } from "./pages/report-link.ts";
import type { PageTexts } from "./pages/texts/page-texts.ts";
import { parseLinkPath } from "./path.ts";
import type { IncomingRequest } from "./request-url.ts";
import { addQuery, handedOn } from "./targets/query-params.ts";
import { selectWebUrl } from "./targets/select-target.ts";

// Links with a verdict, and links without trust.

/** Parameters that links without trust hand on: others could complete a trusted site's open redirect. */
const HANDED_ON = /^utm_[a-z]+=/i;

/** The verdict on a link, and the request as it is answered once the verdict lets the visitor go on. */
export function judge(link: LinkRequest): { verdict: Verdict; restricted: LinkRequest } {
  const { entry, incoming, now } = link;
  const verdict = verdictAt(entry.verdict, now);
  const trusted = { ...entry, verdict: 0 };
  if (!isUntrusted(entry.verdict)) return { verdict, restricted: { ...link, entry: trusted } };
  const { query } = incoming.url;
  const kept = query.split("&").filter((parameter) => HANDED_ON.test(parameter) || parameter === QR_PARAMETER);
  const restricted = {
    ...link,
    // Browsers keep a 301 or 308, also after the link was blocked.
    entry: { ...trusted, redirectStatus: 302 as const },
    incoming: { ...incoming, url: { ...incoming.url, query: kept.join("&") } },
  };
  return { verdict, restricted };
}

/** The page of a blocked link, without the brand of its domain. */
export function blockedPage(incoming: IncomingRequest, { reason }: Verdict, env: Env): Promise<Response> {
  const { request, requestId } = incoming;
  return errorPage({ request, requestId }, reason === "legal_order" ? "blocked_by_law" : "blocked", {
    render: (texts) => renderReportLink(texts, incoming, env, null),
  });
}

/** Reasons with a text of their own. */
const EXPLAINED = ["phishing", "malware", "spam", "lookalike", "shortener"] as const;

/** Where Google describes what a warning of Web Risk is worth. Its terms demand that warnings name it and lead there. */
const ADVISORY_URL = "https://cloud.google.com/web-risk/docs/advisory";

/** Why visitors should look at a destination before they follow it. '': its link is allowed. */
export function renderWarning({ verdict: texts }: PageTexts, packed: number, now: number): string {
  const { state, reason } = verdictAt(packed, now);
  if (state === "allowed") return "";
  if (state === "pending") return `<p>${escapeHtml(texts.pending)}</p>`;
  const text = texts[EXPLAINED.find((name) => name === reason) ?? "other"];
  if (!isAdvisory(packed)) return `<p>${escapeHtml(text)}</p>`;
  const link = `<a href="${ADVISORY_URL}" rel="noreferrer">${escapeHtml(texts.advisory)}</a>`;
  return `<p>${escapeHtml(text)}</p><p>${link}. ${escapeHtml(texts.uncertain)}</p>`;
}

/** The page that says where a link leads and why it does not redirect at once, with a way on; or the same as JSON. */
export async function warningPage(
  { incoming, entry, now, env }: LinkRequest,
  packed: number,
  hasEnded: boolean,
): Promise<Response> {
  const { request, url } = incoming;
  const verdict = verdictAt(packed, now);
  const destination = hasEnded
    ? addQuery(entry.expiredLocation ?? "", handedOn(entry, incoming))
    : selectWebUrl(entry, incoming, now);
  if (prefersJson(request)) {
    const { state, reason } = verdict;
    const advisory = state === "warned" && isAdvisory(packed) ? { advisory: ADVISORY_URL } : {};
    return jsonResponse(incoming, { destination, verdict: { state, reason }, ...advisory }, 200, PRIVATE_HEADERS);
  }
  const language = preferredLanguage(request.headers.get("Accept-Language"));
  const texts = await loadTexts(language);
  const title = verdict.state === "pending" ? texts.destination.title : texts.verdict.title;
  const html = [
    renderWarning(texts, packed, now),
    await renderUrl(destination, texts.destination),
    `<p class="more"><a class="button plain" href="${escapeHtml(destination)}" rel="nofollow noreferrer noopener">${escapeHtml(texts.destination.follow)}</a></p>`,
    renderReportLink(texts, incoming, env, parseLinkPath(url.path)?.slug ?? null),
  ];
  return pageResponse(incoming, { language, title, html: html.join("") }, 200, PRIVATE_HEADERS);
}
