import { escapeHtml } from "../../platform/lib/escape-html.ts";
import type { IncomingRequest } from "../request-url.ts";
import type { PageTexts } from "./texts/page-texts.ts";

/**
 * A line that leads to the form for reports, which is on the service domain only. `slug` is that of the link to report; null: any. '' if there
 * is no form.
 */
export function renderReportLink(
  { report }: PageTexts,
  { request, url, reportPath }: IncomingRequest,
  { BASE_URL }: Env,
  slug: string | null,
): string {
  if (reportPath === null) return "";
  const form = `${url.domain === "" ? "" : BASE_URL}/${reportPath}`;
  const query = slug === null ? "" : `?url=${encodeURIComponent(`${new URL(request.url).origin}/${slug}`)}`;
  return `<p class="more"><a href="${escapeHtml(form + query)}" rel="nofollow">${escapeHtml(report)}</a></p>`;
}
