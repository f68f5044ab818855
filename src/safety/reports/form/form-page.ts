import { escapeHtml } from "../../../platform/lib/escape-html.ts";
import { waitInWords } from "../../../redirect/pages/language.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "../../../redirect/pages/page.ts";
import { MAX_CHARS, REPORT_REASONS, type FieldErrors, type FieldName, type ReportForm } from "./form.ts";
import { loadReportTexts } from "./language.ts";
import type { Failure, ReportTexts } from "./texts/report-texts.ts";

/** Rules that only this page needs, in the colours of the others. */
const FORM_STYLE =
  "<style>form{color-scheme:light dark}select,textarea{display:block;width:100%;box-sizing:border-box;font:inherit;color:inherit;background:#fff;border:1px solid #8a989b;border-radius:.5rem;padding:.5rem .75rem;margin:.25rem 0 1rem}textarea{min-height:7em;resize:vertical}" +
  "label.check{display:flex;gap:.6rem;font-weight:400;margin:0 0 1rem}input[type=checkbox]{width:1.25em;height:1.25em;flex:none;margin:.2em 0 0}" +
  ".bad{color:#a3241b}p.bad{margin:-.75rem 0 1rem}p.bad[role]{margin:0 0 .75rem;font-weight:600}" +
  "@media(prefers-color-scheme:dark){select,textarea{background:#142027;border-color:#60757f}.bad{color:#ff9d92}}</style>";

/** Browsers send `Origin: null` with a form of a page that has the other pages' `no-referrer`. */
const HEADERS = { ...PRIVATE_HEADERS, "Referrer-Policy": "same-origin" };

export const EMPTY_FORM: ReportForm = { url: "", reason: "", details: "", name: "", email: "", goodFaith: false };

interface Refusal {
  status: number;
  errors?: FieldErrors;
  failure?: Failure;
  /** For `rate_limited`. */
  waitSeconds?: number;
}

/** The page with the form, as the visitor filled it in. `refusal` says why it was not accepted. */
export async function reportFormPage(
  incoming: PageRequest,
  form: ReportForm,
  { status, errors = {}, failure, waitSeconds = 0 }: Refusal = { status: 200 },
): Promise<Response> {
  const { language, texts } = await loadReportTexts(incoming.request);
  const problem = failure === undefined ? texts.invalid : texts.failures[failure];
  const alert = problem.replace("{wait}", () => waitInWords(waitSeconds, language));
  const html = [
    `<p>${escapeHtml(texts.intro)}</p>`,
    status === 200 ? "" : `<p class="bad" role="alert">${escapeHtml(alert)}</p>`,
    renderForm(texts, form, errors),
  ];
  const headers = { ...HEADERS, ...(failure === "rate_limited" && { "Retry-After": String(waitSeconds) }) };
  const page = { language, title: texts.title, html: html.join(""), head: FORM_STYLE, hasForm: true };
  return pageResponse(incoming, page, status, headers);
}

function renderForm(texts: ReportTexts, form: ReportForm, errors: FieldErrors): string {
  const attributes = (name: FieldName) =>
    `id="${name}" name="${name}"${errors[name] === undefined ? "" : ` aria-invalid="true" aria-describedby="${name}-error"`}`;
  const label = (name: FieldName & keyof ReportTexts) => `<label for="${name}">${escapeHtml(texts[name])}</label>`;
  const error = (name: FieldName) => {
    const kind = errors[name];
    return kind === undefined ? "" : `<p class="bad" id="${name}-error">${escapeHtml(texts.errors[kind])}</p>`;
  };
  const input = (name: "url" | "name" | "email", more: string) =>
    `${label(name)}<input ${attributes(name)} value="${escapeHtml(form[name])}" maxlength="${MAX_CHARS[name]}" ${more}>${error(name)}`;
  const options = REPORT_REASONS.map(
    (reason) =>
      `<option value="${reason}"${form.reason === reason ? " selected" : ""}>${escapeHtml(texts.reasons[reason])}</option>`,
  );
  return [
    '<form method="post" action="/abuse">',
    input("url", 'dir="ltr" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false" required'),
    `${label("reason")}<select ${attributes("reason")} required><option value="">${escapeHtml(texts.choose)}</option>${options.join("")}</select>${error("reason")}`,
    `${label("details")}<textarea ${attributes("details")} dir="auto" maxlength="${MAX_CHARS.details}">\n${escapeHtml(form.details)}</textarea>${error("details")}`,
    input("name", 'dir="auto" autocomplete="name"'),
    input("email", 'type="email" dir="ltr" autocomplete="email"'),
    `<p>${escapeHtml(texts.contact)}</p>`,
    `<label class="check"><input type="checkbox" ${attributes("goodFaith")} value="yes" required${form.goodFaith ? " checked" : ""}>${escapeHtml(texts.goodFaith)}</label>${error("goodFaith")}`,
    `<button>${escapeHtml(texts.submit)}</button></form>`,
  ].join("");
}
