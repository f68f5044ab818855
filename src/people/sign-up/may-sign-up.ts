import type { ServiceContext } from "../../context.ts";
import { isLoopbackName } from "../../lib/hosts.ts";
import { emailDomain } from "../email.ts";
import { isInvited } from "../invitations/store.ts";

/** Who may sign up, as `SIGN_UP` says. */
type SignUpPolicy = "open" | "invited" | "closed";

function policyOf({ env, baseUrl }: ServiceContext): SignUpPolicy {
  if (env.SIGN_UP === "open" || env.SIGN_UP === "invited" || env.SIGN_UP === "closed") return env.SIGN_UP;
  return env.SIGN_UP === "" && isLoopbackName(new URL(baseUrl).hostname) ? "open" : "invited";
}

/** Whether a person with this address may sign up. An invitation counts whatever the address's domain is. */
export async function maySignUp(context: ServiceContext, email: string): Promise<boolean> {
  const policy = policyOf(context);
  const invited = await isInvited(context.env.DB, email, context.now);
  if (policy === "closed") return false;
  return invited || (policy === "open" && hasAllowedDomain(context.env, email));
}

function hasAllowedDomain({ SIGN_UP_DOMAINS }: Env, email: string): boolean {
  const domains = SIGN_UP_DOMAINS.split(",").map((domain) => domain.trim().toLowerCase());
  return SIGN_UP_DOMAINS.trim() === "" || domains.includes(emailDomain(email));
}
