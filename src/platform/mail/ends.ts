import { isLoopbackName } from "../lib/hosts.ts";
import { print } from "../lib/log.ts";
import { leaveBody } from "../lib/read-limited.ts";
import type { Letter } from "./messages.ts";
import { MAIL_TIMEOUT_MS } from "./limits.ts";
import { findMailWay } from "./ways.ts";

interface OutgoingMail extends Letter {
  id: string;
  to: string;
}

/** A way to send mails. */
export interface MailEnd {
  /** Whether sent mails keep their content, to be shown. */
  keepsContent: boolean;
  /** Throws if the mail was not accepted. */
  send(mail: OutgoingMail): Promise<void>;
}

/** The binding or the secret that an operator adds. */
type MailEnv = Env & { EMAIL?: SendEmail; MAIL_API_TOKEN?: string };

/** The way that the operator has set up. Returns what is missing instead, as a sentence for the operator. */
export function mailEnd(env: MailEnv, baseUrl: string): MailEnd | string {
  const { EMAIL: binding, MAIL_API_TOKEN: token = "", MAIL_FROM: from } = env;
  const isLocal = isLoopbackName(new URL(baseUrl).hostname);
  const way = findMailWay({ hasBinding: binding !== undefined, hasToken: token !== "", from, isLocal });
  if (typeof way === "object") return way.missing;
  if (way === "outbox") return OUTBOX;
  return binding === undefined ? httpEnd(token, from) : cloudflareEnd(binding, from);
}

/** Keeps the mails for `GET /api/auth/outbox`, and shows each in the terminal. */
const OUTBOX: MailEnd = {
  keepsContent: true,
  send({ to, subject, link }) {
    print(`Mail to ${to}: ${subject}${link === null ? "" : ` ${link}`}`);
    return Promise.resolve();
  },
};

/** What lets a mail program end such mails by one click (RFC 8058). */
function headersOf(stopUrl: string | undefined): { headers?: Record<string, string> } {
  if (stopUrl === undefined) return {};
  return { headers: { "List-Unsubscribe": `<${stopUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } };
}

/** Cloudflare Email Service. */
function cloudflareEnd(binding: SendEmail, from: string): MailEnd {
  return {
    keepsContent: false,
    async send({ to, subject, text, html, stopUrl }) {
      await binding.send({ from, to, subject, text, html, ...headersOf(stopUrl) });
    },
  };
}

const RESEND_URL = "https://api.resend.com/emails";

/**
 * Resend, or a service with the same API. The id of a mail lets it recognise one that is sent again.
 *
 * @param secret A token of Resend; of another service: its URL, a space and its token.
 */
function httpEnd(secret: string, from: string): MailEnd {
  const [, url = RESEND_URL, token = secret] = /^(https?:\S+) +(\S+)$/.exec(secret) ?? [];
  return {
    keepsContent: false,
    async send({ id, to, subject, text, html, stopUrl }) {
      const response = await fetch(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ from, to: [to], subject, text, html, ...headersOf(stopUrl) }),
        redirect: "manual",
        signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
      });
      await leaveBody(response);
      if (!response.ok) throw new Error(`the mail service responded with ${response.status}`);
    },
  };
}
