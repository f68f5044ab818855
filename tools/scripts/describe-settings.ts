import type { Unstable_Config } from "wrangler";
import { limitsEmailDomains, signUpPolicyOf } from "../../src/identity/people/sign-up/may-sign-up.ts";
import { isWatching } from "../../src/links/destinations/watch.ts";
import { allowsAnonymousLinks } from "../../src/platform/rate-limit/creation-limits.ts";
import { resolverUrlOf } from "../../src/safety/screening/providers/providers-of.ts";
import { isScreeningOn } from "../../src/safety/screening/screen-urls.ts";
import { hasMailBinding, type Variables } from "./deployed-settings.ts";

type Secrets = ReadonlySet<string> | null;

/**
 * What a deployment says about strangers, mails and screening. The variables have passed `checkSettings`. `secrets`: the
 * names of those of the Worker; null: unknown.
 */
export function describeSettings(config: Unstable_Config, variables: Variables, secrets: Secrets): string[] {
  const { BASE_URL } = variables;
  // Without one, the service gets its URL when it is claimed.
  const env = { ...variables, BASE_URL: BASE_URL === "" ? "https://claimed.invalid" : BASE_URL } as unknown as Env;
  const isWithoutSafety = config.alias?.["#safety"] !== undefined;
  return [
    ...describeStrangers(env, isWithoutSafety),
    ...(isWithoutSafety ? [WITHOUT_SAFETY] : describeScreening(env, secrets)),
    isWatching(env)
      ? "The destinations of links are visited, to find those that are broken (docs/destination-watch.md)."
      : "The destinations of links are not visited (docs/destination-watch.md).",
    describeMail(config, env, secrets),
    ...(secrets === null ? [UNKNOWN_SECRETS] : []),
  ];
}

const WITHOUT_SAFETY =
  "Built without src/safety: nothing is screened, and links of strangers redirect at once (docs/abuse.md).";
const UNKNOWN_SECRETS =
  "The secrets of the Worker could not be listed (npx wrangler login), so this does not say which of them it has.";

/** Who can make links at this service, and what their visitors see. */
function describeStrangers(env: Env, isWithoutSafety: boolean): string[] {
  const canShorten = allowsAnonymousLinks(env);
  const signUp = describeSignUp(env);
  const strangers = `Strangers ${canShorten ? "can shorten URLs without a key" : "cannot shorten URLs"}`;
  const isHeld = !isWithoutSafety;
  return [
    `${strangers}${signUp === null ? " and can sign up" : ""} (docs/abuse.md).`,
    ...(signUp === null ? [] : [`${signUp} (docs/accounts.md).`]),
    ...(canShorten && isHeld
      ? ["Visitors of their links see the destination first, until an account claims them."]
      : []),
    ...(signUp === null && isHeld
      ? ["Visitors of links of new accounts see the destination first, until the account is trusted."]
      : []),
    ...(env.ANONYMOUS_HOST === "" ? [] : [`Links without an account are at https://${env.ANONYMOUS_HOST}.`]),
  ];
}

/** Null: everybody may sign up. */
function describeSignUp(env: Env): string | null {
  if (limitsEmailDomains(env)) return `Addresses at ${env.SIGN_UP} can sign up, and who is invited`;
  const policy = signUpPolicyOf({ env, baseUrl: env.BASE_URL });
  if (policy === "open") return null;
  return policy === "closed" ? "Nobody can sign up" : "Only who is invited can sign up";
}

/** With what destinations are compared. */
function describeScreening(env: Env, secrets: Secrets): string[] {
  if (!isScreeningOn(env)) return ["Destinations are not screened (docs/screening.md)."];
  const resolver = resolverUrlOf(env.SCREENING);
  const providers = [
    ...(resolver === null ? [] : [`the resolver ${resolver}`]),
    ...(secrets?.has("WEB_RISK_KEY") === true ? ["Google Web Risk"] : []),
    ...(secrets === null ? ["Google Web Risk, if the Worker has the secret WEB_RISK_KEY"] : []),
  ];
  const asked = providers.length === 0 ? "No provider is asked" : `Asked besides: ${providers.join(", ")}`;
  return [`Destinations are compared with your entries and list files. ${asked} (docs/screening.md).`];
}

function describeMail(config: Unstable_Config, { MAIL_FROM }: Env, secrets: Secrets): string {
  if (MAIL_FROM === "")
    return "No mails are sent: links of invitations and for new passwords are passed on by hand (docs/mail.md).";
  if (hasMailBinding(config)) return `Mails are sent by Cloudflare Email Service, from ${MAIL_FROM} (docs/mail.md).`;
  const condition = secrets === null ? ", if the Worker has this secret" : "";
  return `Mails are sent by the service of MAIL_API_TOKEN, from ${MAIL_FROM}${condition} (docs/mail.md).`;
}
