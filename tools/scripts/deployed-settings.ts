import type { Unstable_Config } from "wrangler";
import { isSignUpSetting } from "../../src/identity/people/sign-up/may-sign-up.ts";
import { EmailInput } from "../../src/platform/mail/email-address.ts";
import { parseLinksPerMinute } from "../../src/platform/rate-limit/creation-limits.ts";
import { MAX_LINKS_PER_MINUTE_SETTING, MIN_ACCOUNT_LINKS_PER_MINUTE } from "../../src/platform/rate-limit/limits.ts";
import { parseContact } from "../../src/redirect/pages/security-text.ts";
import { parseMaxFailures } from "../../src/webhooks/config.ts";
import { checkClickRetention } from "./click-retention.ts";
import { Failure, WRONG_USAGE } from "./command.ts";
import { WRANGLER_DEV } from "./local-routes.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** What a variable may be, besides empty. */
interface Rule {
  accepts: (value: string) => boolean;
  /** After the name and the value in a sentence. */
  says: string;
  page?: string;
}

const isHttps = (value: string) => URL.parse(value)?.protocol === "https:";
const isEvery = (value: string, accepts: (part: string) => boolean) =>
  value.split(",").every((part) => accepts(part.trim()));

/** `Tern <tern@go.example>`, or the address alone. */
function isSender(value: string): boolean {
  const [, address = value] = /^[^<>]*<([^<>]*)>$/.exec(value) ?? [];
  return EmailInput.safeParse(address).success;
}

/** The service would take a wrong value for the default or for another one, or would fail when it first uses it. */
const RULES: Record<string, Rule> = {
  ACCOUNT_LINKS_PER_MINUTE: {
    accepts: (value) => parseLinksPerMinute(value, MIN_ACCOUNT_LINKS_PER_MINUTE) !== null,
    says: `must be a whole number from ${MIN_ACCOUNT_LINKS_PER_MINUTE} to ${MAX_LINKS_PER_MINUTE_SETTING}`,
  },
  ANONYMOUS_LINKS_PER_MINUTE: {
    accepts: (value) => parseLinksPerMinute(value, 0) !== null,
    says: `must be a whole number from 0 to ${MAX_LINKS_PER_MINUTE_SETTING}`,
  },
  CLOUDFLARE_SAAS_ZONE_ID: {
    accepts: (value) => /^[0-9a-f]{32}$/.test(value),
    says: "must be empty or the id of a zone: 32 hexadecimal digits",
  },
  DESTINATION_WATCH: {
    accepts: (value) => value === "on" || value === "off",
    says: "must be empty, on or off",
    page: "destination-watch.md",
  },
  DNS_OVER_HTTPS_URL: { accepts: isHttps, says: "must be a URL that begins with https://" },
  MAIL_FROM: {
    accepts: isSender,
    says: 'must be empty or a sender, such as "Tern <tern@go.example>"',
    page: "mail.md",
  },
  NOT_RECORDED: {
    accepts: (value) => isEvery(value, (name) => ["", "gpc", "orphan-visits", "requests"].includes(name)),
    says: "may name gpc, orphan-visits and requests, separated by commas",
  },
  PASSWORD_RANGE_URL: { accepts: isHttps, says: "must be empty or a URL that begins with https://" },
  SCREENING: {
    accepts: (value) => value === "on" || isHttps(value),
    says: 'must be empty, "on" or the URL of a DNS resolver that begins with https://',
    page: "screening.md",
  },
  SECURITY_CONTACT: {
    accepts: (value) => isEvery(value, (part) => parseContact(part) !== null),
    says: "must be empty, or e-mail addresses or URLs with https:, mailto: or tel:, separated by commas",
  },
  SIGN_UP: {
    accepts: isSignUpSetting,
    says: "must be empty, open, invited, closed or the domains of e-mail addresses, separated by commas",
    page: "accounts.md",
  },
  WEBHOOK_MAX_FAILURES: {
    accepts: (value) => parseMaxFailures(value) !== null,
    says: "must be a whole number from 1",
  },
};

/** A deployment would run its cron in requests, and allow private hosts to webhooks if it has no `BASE_URL`. */
const FOR_DEVELOPERS = [WRANGLER_DEV, "WEBHOOK_ALLOWED_PRIVATE_HOSTS"];

/** Throws for values that the service would not understand. */
export function checkSettings(variables: Variables): void {
  checkClickRetention(variables);
  for (const name of FOR_DEVELOPERS)
    if ((variables[name] ?? "") !== "")
      throw new Failure(
        `${name} is for your own machine. Remove it, or leave it empty (docs/configuration.md).`,
        WRONG_USAGE,
      );
  for (const [name, value] of Object.entries(variables)) {
    const { accepts, says, page = "configuration.md" } = RULES[name] ?? ANY_TEXT;
    const isOptional = name !== "DNS_OVER_HTTPS_URL";
    if (typeof value === "string" && ((value === "" && isOptional) || accepts(value))) continue;
    const problem = typeof value === "string" ? says : "must be text, in quotes";
    throw new Failure(`${name} ${JSON.stringify(value)} ${problem} (docs/${page}).`, WRONG_USAGE);
  }
}

const ANY_TEXT: Rule = { accepts: () => true, says: "" };

/** Throws for settings that do nothing without a binding or a secret. `secrets`: the names of those of the Worker; null: unknown. */
export function checkNeeds(
  { send_email }: Pick<Unstable_Config, "send_email">,
  { MAIL_FROM = "", CLOUDFLARE_SAAS_ZONE_ID = "" }: Variables,
  secrets: ReadonlySet<string> | null,
): void {
  if (MAIL_FROM !== "" && !hasMailBinding({ send_email }) && secrets?.has("MAIL_API_TOKEN") === false)
    throw new Failure(
      'MAIL_FROM is set, but nothing could send the mails. Add [[send_email]] with name = "EMAIL" to the settings,\n' +
        "or set the secret first: npm run wrangler -- secret put MAIL_API_TOKEN (docs/mail.md).",
      WRONG_USAGE,
    );
  if (CLOUDFLARE_SAAS_ZONE_ID !== "" && secrets?.has("CLOUDFLARE_SAAS_TOKEN") === false)
    throw new Failure(
      "CLOUDFLARE_SAAS_ZONE_ID is set, but no domain could be registered there without its secret. Set it first:\n" +
        "npm run wrangler -- secret put CLOUDFLARE_SAAS_TOKEN (docs/configuration.md).",
      WRONG_USAGE,
    );
}

/** Whether the Worker has the binding for Cloudflare Email Service. */
export function hasMailBinding({ send_email }: Pick<Unstable_Config, "send_email">): boolean {
  return send_email.some(({ name }) => name === "EMAIL");
}
