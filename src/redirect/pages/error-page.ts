import { escapeHtml } from "../../platform/lib/escape-html.ts";
import { MAX_PASSWORD_FORM_BYTES, UNAVAILABLE_RETRY_SECONDS } from "../../limits.ts";
import { loadTexts, preferredLanguage, waitInWords, type Language } from "./language.ts";
import { jsonResponse, pageResponse, prefersJson, PRIVATE_HEADERS, type PageRequest } from "./page.ts";
import type { ErrorName, PageTexts } from "./texts/page-texts.ts";

interface ErrorKind {
  status: number;
  /** In the JSON; by default the name. */
  code?: string;
  headers?: Record<string, string>;
}

const ERRORS: Record<ErrorName, ErrorKind> = {
  not_found: { status: 404 },
  not_started: { status: 404, code: "not_found" },
  gone: { status: 410 },
  blocked: { status: 410 },
  blocked_by_law: { status: 451 },
  method_not_allowed: { status: 405, headers: { Allow: "GET, HEAD" } },
  internal: { status: 500 },
  unavailable: { status: 503, headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) } },
  password_required: { status: 401 },
  wrong_password: { status: 403 },
  rate_limited: { status: 429 },
  too_many_unknown: { status: 429, code: "rate_limited" },
  no_password: { status: 405, code: "method_not_allowed", headers: { Allow: "GET, HEAD" } },
  unsupported_media_type: { status: 415 },
  invalid_request: { status: 400 },
  payload_too_large: { status: 413 },
};

interface ErrorOptions {
  headers?: Record<string, string>;
  /** What the page has below its text. */
  render?: (texts: PageTexts) => string;
  /** What the head of the page has in addition. */
  head?: string;
  hasForm?: boolean;
  /** For `rate_limited` and `too_many_unknown`. */
  waitSeconds?: number;
}

/** A page that says why there is no redirect, or JSON in English for clients that ask for it. Never cached. */
export async function errorPage(
  incoming: PageRequest,
  name: ErrorName,
  { render, head = "", hasForm = false, waitSeconds = 0, ...options }: ErrorOptions = {},
): Promise<Response> {
  const { status, code = name, headers: own } = ERRORS[name];
  const headers = { ...PRIVATE_HEADERS, ...own, ...options.headers };
  const isJson = prefersJson(incoming.request);
  const language = isJson ? "en" : preferredLanguage(incoming.request.headers.get("Accept-Language"));
  const texts = await loadTexts(language);
  const { title } = texts.errors[name];
  const text = fill(texts.errors[name].text, language, waitSeconds);
  if (isJson) return jsonResponse(incoming, { error: `${title}. ${text}`, code }, status, headers);
  const html = `<p>${escapeHtml(text)}</p>${render?.(texts) ?? ""}`;
  return pageResponse(incoming, { language, title, html, head, hasForm }, status, headers);
}

function fill(text: string, language: Language, waitSeconds: number): string {
  return text
    .replace("{wait}", () => waitInWords(waitSeconds, language))
    .replace("{bytes}", () => String(MAX_PASSWORD_FORM_BYTES));
}
