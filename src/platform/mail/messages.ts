import type { AppLanguage } from "../languages.ts";
import { escapeHtml } from "../lib/escape-html.ts";
import type { MailTexts } from "./texts/en.ts";

/**
 * The mails contain no name and no other text that a stranger can choose, because anybody can have them sent
 * to any address. Only the opening of an invitation has names (../invitations/send.ts), those of takedowns and appeals what was
 * taken down, that of screening the account, hosts and short URLs, that of broken destinations the account and short URLs, and reports of clicks also where visitors came from; their subjects have none.
 */
export type MailKind = keyof MailTexts["letters"];

type ReadTexts = () => Promise<{ texts: MailTexts }>;

// The texts of a language are evaluated when a mail first needs them. Mails in a language of the dashboard without texts here are in English.
const TEXTS = {
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  es: () => import("./texts/es.ts"),
} satisfies Partial<Record<AppLanguage, ReadTexts>>;

type MailLanguage = keyof typeof TEXTS;

const toMailLanguage = (preferred: AppLanguage) => (preferred in TEXTS ? (preferred as MailLanguage) : "en");

const RESET_PASSWORD = "/app/reset-password";
/** With which the owner gets rid of a stranger's second factors. */
const UNDO_FACTOR = "/app/undo-factor";

/** Where the links of mails lead. The others are mere notices. */
const PATHS = {
  verify_email: "/app/verify-email",
  reset_password: RESET_PASSWORD,
  confirm_email: "/app/confirm-email",
  email_change_requested: "/app/undo-email",
  email_restored: RESET_PASSWORD,
  first_totp_added: UNDO_FACTOR,
  first_passkey_added: UNDO_FACTOR,
  recovery_codes_replaced: UNDO_FACTOR,
  factors_undone: RESET_PASSWORD,
  invitation: "/app/invitation",
} satisfies Partial<Record<MailKind, string>>;

type LinkKind = keyof typeof PATHS;

/** The link of a mail of the kind, which somebody hands over where no mail can be sent. */
export const linkOf = (kind: LinkKind, baseUrl: string, token: string) => `${baseUrl}${PATHS[kind]}#token=${token}`;

/**
 * What a person has in a mail only: links to use, invitations, and reports that the person asked for. Where no mail can be sent,
 * the dashboard shows all others to the person.
 */
const WITHOUT_NOTICE: ReadonlySet<MailKind> = new Set<MailKind>([
  "verify_email",
  "account_exists",
  "reset_password",
  "confirm_email",
  "email_in_use",
  "email_change_requested",
  "invitation",
  "weekly_report",
  "monthly_report",
]);

/** The kinds of which a person has notices. A newer version may have stored others. */
export async function kindsOfNotices(): Promise<MailKind[]> {
  const kinds = Object.keys((await TEXTS.en()).texts.letters) as MailKind[];
  return kinds.filter((kind) => !WITHOUT_NOTICE.has(kind));
}

/** What a mail of the kind is about, in the language if mails have it. */
export async function summarize(kind: MailKind, preferred: AppLanguage): Promise<{ title: string; text: string }> {
  const { subject: title, paragraphs } = (await TEXTS[toMailLanguage(preferred)]()).texts.letters[kind];
  return { title, text: paragraphs[0] ?? "" };
}

/** A mail as it is sent. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  link: string | null;
  /** The URL that ends mails of this kind by a POST (RFC 8058). */
  stopUrl?: string | undefined;
}

/** What a mail has besides the texts of its kind. */
export interface LetterOptions {
  /** Its link ends with the token. */
  token?: string | null;
  /** What it says first, of this one case: lines, or paragraphs with an empty line between them. */
  opening?: (texts: MailTexts, language: AppLanguage) => string;
  /** Ends such mails. */
  stopUrl?: string;
}

/** Writes the mail of this kind as text and HTML, in the language if mails have it. `baseUrl` is the service's origin. */
export async function writeLetter(
  kind: MailKind,
  preferred: AppLanguage,
  baseUrl: string,
  { token = null, opening, stopUrl }: LetterOptions = {},
): Promise<Letter> {
  const language = toMailLanguage(preferred);
  const { texts } = await TEXTS[language]();
  const { subject, label, paragraphs: usual } = texts.letters[kind];
  const paragraphs = opening === undefined ? usual : [...opening(texts, language).split("\n\n"), ...usual];
  const url = token === null || !(kind in PATHS) ? null : linkOf(kind as LinkKind, baseUrl, token);
  const signature = texts.from(baseUrl);
  const body = paragraphs.map((text) => `<p>${escapeHtml(text).replaceAll("\n", "<br>")}</p>`);
  if (url !== null) body.push(`<p><a href="${escapeHtml(url)}">${escapeHtml(label ?? url)}</a></p>`);
  if (stopUrl !== undefined) body.push(`<p><a href="${escapeHtml(stopUrl)}">${escapeHtml(texts.stop)}</a></p>`);
  const stop = stopUrl === undefined ? [] : [`${texts.stop}: ${stopUrl}`];
  return {
    subject,
    text: [...paragraphs, ...(url === null ? [] : [url]), ...stop, signature].join("\n\n"),
    html: `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>${body.join("")}<p>${escapeHtml(signature)}</p></html>`,
    link: url,
    stopUrl,
  };
}
