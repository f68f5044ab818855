import type { ServiceContext } from "../../../platform/context.ts";
import { isLoopbackName } from "../../../platform/lib/hosts.ts";
import { emailDomain } from "../../../platform/mail/email-address.ts";
import { isInvited } from "../invitations/store/invitations.ts";

const POLICIES = ["open", "invited", "closed"] as const;

/** Who may sign up, as `SIGN_UP` says. It is also open if only addresses of some domains may sign up. */
type SignUpPolicy = (typeof POLICIES)[number];

const DOMAIN = /^[a-z\d-]+(\.[a-z\d-]+)+$/;

export function signUpPolicyOf({ env, baseUrl }: Pick<ServiceContext, "env" | "baseUrl">): SignUpPolicy {
  if (limitsEmailDomains(env)) return "open";
  const isDefaultOpen = env.SIGN_UP === "" && isLoopbackName(new URL(baseUrl).hostname);
  return POLICIES.find((policy) => policy === env.SIGN_UP) ?? (isDefaultOpen ? "open" : "invited");
}

/** Whether this is a value of `SIGN_UP`. The service takes any other one for "invited". */
export function isSignUpSetting(value: string): boolean {
  return ["", ...POLICIES].includes(value) || domainsIn(value).length > 0;
}

/** Whether a person with this address may sign up. An invitation counts whatever the address's domain is. */
export async function maySignUp(context: ServiceContext, email: string): Promise<boolean> {
  const policy = signUpPolicyOf(context);
  const invited = await isInvited(context.db, email, context.now);
  if (policy === "closed") return false;
  return invited || (policy === "open" && hasAllowedDomain(context.env, email));
}

/** Whether the operator knows who this is: the person was invited, or has an address of a domain that the operator chose. */
export async function isVouchedFor(context: ServiceContext, email: string): Promise<boolean> {
  const { env, db, now } = context;
  const isOpen = signUpPolicyOf(context) === "open" && !limitsEmailDomains(env);
  return !isOpen || isInvited(db, email, now);
}

/** Whether `SIGN_UP` permits addresses of this one's domain. */
export function hasAllowedDomain(env: Env, email: string): boolean {
  return !limitsEmailDomains(env) || domainsIn(env.SIGN_UP).includes(emailDomain(email));
}

/** Whether `SIGN_UP` lists the domains whose addresses may sign up without an invitation. */
export function limitsEmailDomains({ SIGN_UP }: Env): boolean {
  return domainsIn(SIGN_UP).length > 0;
}

/** The domains that `SIGN_UP` lists, in lower case; none if it has another value. */
function domainsIn(setting: string): string[] {
  const parts = setting.split(",").map((part) => part.trim().toLowerCase());
  return parts.every((part) => DOMAIN.test(part)) ? parts : [];
}
