import type { ServiceContext } from "../../context.ts";
import { SERVICE_VERSION } from "../../http/openapi.ts";
import { canSendMail } from "../../people/mail/send.ts";
import { canSignIn } from "../../sessions/can-sign-in.ts";
import { limitsEmailDomains, signUpPolicyOf } from "../../people/sign-up/may-sign-up.ts";
import { allowsAnonymousLinks } from "../../rate-limit/creation-limits.ts";
import type { ServiceInfo } from "./contract.ts";

/** Everybody can read it, so it has only what calls without credentials find out too. */
export function describeService(context: ServiceContext): ServiceInfo {
  const signIn = canSignIn(context);
  return {
    version: SERVICE_VERSION,
    signIn,
    signUp: signIn ? signUpPolicyOf(context) : "closed",
    emailDomainsLimited: limitsEmailDomains(context.env),
    mail: canSendMail(context),
    anonymousLinks: allowsAnonymousLinks(context.env),
  };
}
