import type { Unstable_Config } from "wrangler";
import { isSignUpSetting } from "../../src/identity/people/sign-up/may-sign-up.ts";
import { checkClickRetention } from "./click-retention.ts";
import { Failure, WRONG_USAGE } from "./command.ts";
import { WRANGLER_DEV } from "./local-routes.ts";

type Variables = Readonly<Record<string, unknown>>;

/** Throws for values that the service would take for others. */
export function checkSettings(variables: Variables): void {
  checkClickRetention(variables);
  checkScreening(variables);
  checkNotRecorded(variables);
  checkSignUp(variables);
  refuseWranglerDev(variables);
}

/** What the end of a deployment says about strangers and screening. `secrets`: the names of those of the Worker; null: unknown. */
export function describeSettings(
  { vars, alias }: Unstable_Config,
  anonymousHost: string,
  secrets: ReadonlySet<string> | null,
): string[] {
  if (alias?.["#safety"] !== undefined) return [WITHOUT_SAFETY];
  return [...describeSafety(vars, anonymousHost), ...describeScreening(vars, secrets)];
}

const WITHOUT_SAFETY =
  "Built without src/safety: nothing is screened, and links of strangers redirect at once (docs/abuse.md).";

/** Who can make links at this service, and what their visitors see. */
function describeSafety(vars: Unstable_Config["vars"], anonymousHost: string): string[] {
  const { SIGN_UP, ANONYMOUS_LINKS_PER_MINUTE } = vars;
  const strangers = ANONYMOUS_LINKS_PER_MINUTE === "0" ? "cannot shorten URLs" : "can shorten URLs without a key";
  const shown = "Visitors of their links see the destination first";
  const isOpen = SIGN_UP === "open";
  return [
    `Strangers ${strangers}${isOpen ? " and can sign up" : ""} (docs/abuse.md).`,
    ...(ANONYMOUS_LINKS_PER_MINUTE === "0" ? [] : [`${shown}, until an account claims them.`]),
    ...(isOpen ? ["Links of new accounts do the same until the account is trusted."] : []),
    ...(anonymousHost === "" ? [] : [`Links without an account are at https://${anonymousHost}.`]),
  ];
}

/** Whether this is a value of `SCREENING` that turns it on. */
export function isOn(screening: unknown): screening is string {
  return typeof screening === "string" && screening !== "";
}

/** `SCREENING` is empty, "on" or a URL. The service would take any other value for empty. */
function checkScreening({ SCREENING = "" }: Variables): void {
  if (typeof SCREENING === "string" && /^(on|https:\/\/.+)?$/.test(SCREENING)) return;
  throw new Failure(
    `SCREENING ${JSON.stringify(SCREENING)} must be empty, "on" or the URL of a DNS resolver that begins with https:// (docs/screening.md).`,
    WRONG_USAGE,
  );
}

/** The service ignores other names, and would record what the operator wants left out. */
function checkNotRecorded({ NOT_RECORDED = "" }: Variables): void {
  const names = typeof NOT_RECORDED === "string" ? NOT_RECORDED.split(",").map((name) => name.trim()) : [NOT_RECORDED];
  if (names.every((name) => ["", "gpc", "orphan-visits", "requests"].includes(name as string))) return;
  throw new Failure(
    `NOT_RECORDED ${JSON.stringify(NOT_RECORDED)} may name gpc, orphan-visits and requests, separated by commas (docs/configuration.md).`,
    WRONG_USAGE,
  );
}

/** The service would take another value for "invited". */
function checkSignUp({ SIGN_UP = "" }: Variables): void {
  if (typeof SIGN_UP === "string" && isSignUpSetting(SIGN_UP)) return;
  throw new Failure(
    `SIGN_UP ${JSON.stringify(SIGN_UP)} must be empty, open, invited, closed or the domains of e-mail addresses, separated by commas (docs/accounts.md).`,
    WRONG_USAGE,
  );
}

/** A deployment would run its cron in requests, and allow private hosts to webhooks if it has no `BASE_URL`. */
function refuseWranglerDev({ [WRANGLER_DEV]: value = "" }: Variables): void {
  if (value === "") return;
  throw new Failure(
    `${WRANGLER_DEV} is for your own machine. Remove it, or leave it empty (docs/configuration.md).`,
    WRONG_USAGE,
  );
}

/** With what destinations are compared (docs/screening.md). */
function describeScreening(vars: Unstable_Config["vars"], secrets: ReadonlySet<string> | null): string[] {
  const { SCREENING } = vars;
  if (!isOn(SCREENING)) return ["Destinations are not screened (docs/screening.md)."];
  const providers = [
    ...(SCREENING === "on" ? [] : [`the resolver ${SCREENING}`]),
    ...(secrets?.has("WEB_RISK_KEY") === true ? ["Google Web Risk"] : []),
    ...(secrets === null ? ["those whose keys could not be listed"] : []),
  ];
  const asked = providers.length === 0 ? "No provider is asked" : `Asked besides: ${providers.join(", ")}`;
  return [`Destinations are compared with your entries and list files. ${asked} (docs/screening.md).`];
}
