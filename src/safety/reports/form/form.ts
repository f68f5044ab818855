import { parseRequestUrl } from "../../../redirect/request-url.ts";
import { parsePastedUrl, readLinkPath } from "../../../redirect/stray-characters.ts";
import { MAX_EMAIL_CHARS } from "../../../platform/mail/limits.ts";
import { MAX_DETAILS_CHARS, MAX_REPORTED_URL_CHARS, MAX_REPORTER_NAME_CHARS } from "./limits.ts";

// The fields of a report. No I/O.

export const REPORT_REASONS = ["phishing", "malware", "spam", "child_abuse", "illegal", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

const TEXT_FIELDS = ["url", "reason", "details", "name", "email"] as const;
type TextField = (typeof TEXT_FIELDS)[number];

/** What the visitor typed. */
export type ReportForm = Record<TextField, string> & { goodFaith: boolean };
export type FieldName = keyof ReportForm;
export type FieldError = "missing" | "too_long" | "no_link" | "no_email" | "no_good_faith";
export type FieldErrors = Partial<Record<FieldName, FieldError>>;

export const MAX_CHARS = {
  url: MAX_REPORTED_URL_CHARS,
  details: MAX_DETAILS_CHARS,
  name: MAX_REPORTER_NAME_CHARS,
  email: MAX_EMAIL_CHARS,
} as const;

/** A report whose fields are valid. It may name a link that does not exist. */
export interface ValidReport {
  domain: string;
  slug: string;
  reason: ReportReason;
  details: string | null;
  name: string | null;
  email: string | null;
}

/** Control characters other than the line break, and characters that no text needs and that hide or turn others. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The fields of the form as they are shown again: without controls, and with line breaks in the details only. */
export function readFields(fields: URLSearchParams): ReportForm {
  const texts = TEXT_FIELDS.map((name) => {
    const lines = (fields.get(name) ?? "").toWellFormed().replaceAll("\r\n", "\n").split("\n");
    const text = lines.map((line) => line.replaceAll(UNSEEN, "")).join(name === "details" ? "\n" : " ");
    return [name, text.trim()] as const;
  });
  return { ...(Object.fromEntries(texts) as Record<TextField, string>), goodFaith: fields.get("goodFaith") === "yes" };
}

/** `baseUrl` is the service's origin, or '' if every host is the service's own. */
export function validate(form: ReportForm, baseUrl: string): ValidReport | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  for (const name of ["url", "details", "name", "email"] as const)
    if (form[name].length > MAX_CHARS[name]) errors[name] = "too_long";
  const link = errors.url === undefined ? parseShortUrl(form.url, baseUrl) : null;
  if (form.url === "") errors.url = "missing";
  else if (link === null) errors.url ??= "no_link";
  const reason = REPORT_REASONS.find((known) => known === form.reason);
  if (reason === undefined) errors.reason = "missing";
  if (form.email !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email)) errors.email ??= "no_email";
  if (!form.goodFaith) errors.goodFaith = "no_good_faith";
  if (link === null || reason === undefined || Object.keys(errors).length > 0) return { errors };
  // Who reports child abuse may stay unknown, whatever the form has.
  const isAnonymous = reason === "child_abuse";
  return {
    ...link,
    reason,
    details: textOrNull(form.details),
    name: isAnonymous ? null : textOrNull(form.name),
    email: isAnonymous ? null : textOrNull(form.email),
  };
}

/** The link of a short URL, with or without a scheme and the plus of its preview. Null: no link can have this URL. */
function parseShortUrl(text: string, baseUrl: string): { domain: string; slug: string } | null {
  const url = parsePastedUrl(text);
  if (url === null) return null;
  const { domain, path } = parseRequestUrl(url.href, baseUrl);
  const slug = readLinkPath(path)?.slug;
  return slug === undefined ? null : { domain, slug };
}

function textOrNull(text: string): string | null {
  return text === "" ? null : text;
}
