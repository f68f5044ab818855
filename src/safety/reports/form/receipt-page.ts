import { escapeHtml } from "../../../platform/lib/escape-html.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "../../../redirect/pages/page.ts";
import { loadReportTexts } from "./language.ts";
import type { Receipt } from "./store.ts";

/** The page on which the reporter sees the decision. It does not say who reported, or what else was written. */
export async function receiptPage(incoming: PageRequest, receipt: Receipt): Promise<Response> {
  const { language, texts } = await loadReportTexts(incoming.request);
  const { title, keep, sent, open, ...decisions } = texts.receipt;
  const { created_at: createdAt, decided_at: decidedAt, decision } = receipt;
  const day = (time: number) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));
  const state = decision === null ? open : decisions[decision];
  const html = [
    `<p>${escapeHtml(sent.replace("{date}", () => day(createdAt)))}</p>`,
    `<div class="where" dir="ltr"><div class="url" tabindex="0">${escapeHtml(receipt.short_url)}</div></div>`,
    `<p>${escapeHtml(texts.reasons[receipt.reason])}</p>`,
    `<p><strong>${escapeHtml(state.replace("{date}", () => day(decidedAt ?? createdAt)))}</strong></p>`,
    `<p>${escapeHtml(keep)}</p>`,
  ];
  return pageResponse(incoming, { language, title, html: html.join("") }, 200, PRIVATE_HEADERS);
}

/** A page that says why there is no report. */
export async function noReportPage(incoming: PageRequest, name: "blocked" | "enough" | "unknown"): Promise<Response> {
  const { language, texts } = await loadReportTexts(incoming.request);
  const { title, text } = texts[name];
  const page = { language, title, html: `<p>${escapeHtml(text)}</p>` };
  return pageResponse(incoming, page, name === "unknown" ? 404 : 200, PRIVATE_HEADERS);
}
