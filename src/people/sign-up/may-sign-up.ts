import type { ServiceContext } from "../../context.ts";
import { isLoopbackName } from "../../lib/hosts.ts";
import { emailDomain } from "../email-address.ts";
import { isInvited } from "../invitations/store/invitations.ts";

/** Who may sign up, as `SIGN_UP` says. */
type SignUpPolicy = "open" | "invited" | "closed";

export function signUpPolicyOf({ env, baseUrl }: ServiceContext): SignUpPolicy {
  if (env.SIGN_UP === "open" || env.SIGN_UP === "invited" || env.SIGN_UP === "closed") return env.SIGN_UP;
  return env.SIGN_UP === "" && isLoopbackName(new URL(baseUrl).hostname) ? "open" : "invited";
}

/** Whether a person with this address may sign up. An invitation counts whatever the address's domain is. */
export async function maySignUp(context: ServiceContext, email: string): Promise<boolean> {
  const policy = signUpPolicyOf(context);
  const invited = await isInvited(context.env.DB, email, context.now);
  if (policy === "closed") return false;
  return invited || (policy === "open" && hasAllowedDomain(context.env, email));
}

/** Whether the operator knows who this is: the person was invited, or has an address of a domain that the operator chose. */
export async function isVouchedFor(context: ServiceContext, email: string): Promise<boolean> {
  const { env, now } = context;
  const isOpen = signUpPolicyOf(context) === "open" && !limitsEmailDomains(env);
  return !isOpen || isInvited(env.DB, email, now);
}

/** Whether `SIGN_UP_DOMAINS` permits the address. */
export function hasAllowedDomain(env: Env, email: string): boolean {
  const domains = env.SIGN_UP_DOMAINS.split(",").map((domain) => domain.trim().toLowerCase());
  return !limitsEmailDomains(env) || domains.includes(emailDomain(email));
}

/** Whether `SIGN_UP_DOMAINS` limits who may sign up without an invitation. */
export function limitsEmailDomains({ SIGN_UP_DOMAINS }: Env): boolean {
  return SIGN_UP_DOMAINS.trim() !== "";
}
