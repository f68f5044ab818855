import type { RouteHandler } from "@hono/zod-openapi";
import { allowAnonymous } from "../../../access/guards/api-guards.ts";
import { route } from "../../../access/guards/route.ts";
import type { HttpEnv } from "../../../platform/http/context.ts";
import * as contract from "./contract.ts";
import { SERVICE_INFO_MAX_AGE_SECONDS } from "../limits.ts";
import { isClaimed } from "../../../platform/installation/claimed.ts";
import type { ServiceContext } from "../../../platform/context.ts";
import { SERVICE_VERSION } from "../../../platform/http/openapi.ts";
import { canSendMail } from "../../../platform/mail/send.ts";
import { canSignIn } from "../../../access/sessions/can-sign-in.ts";
import { limitsEmailDomains, signUpPolicyOf } from "../../people/sign-up/may-sign-up.ts";
import { allowsAnonymousLinks } from "../../../platform/rate-limit/creation-limits.ts";
import type { ServiceInfo } from "./contract.ts";

const getService: RouteHandler<typeof contract.getService, HttpEnv> = async (c) => {
  // While the database fails, nobody is led to the page that claims.
  const claimed = await isClaimed(c.env.DB).catch(() => null);
  c.header("Cache-Control", claimed === true ? `public, max-age=${SERVICE_INFO_MAX_AGE_SECONDS}` : "no-store");
  return c.json({ service: describeService(c.get("context"), claimed ?? true) }, 200);
};

export const ROUTES = [route(contract.getService, allowAnonymous, 60, getService)];

/** Everybody can read it, so it has only what calls without credentials find out too. */
function describeService(context: ServiceContext, claimed: boolean): ServiceInfo {
  const signIn = canSignIn(context);
  return {
    version: SERVICE_VERSION,
    claimed,
    signIn,
    signUp: signIn && claimed ? signUpPolicyOf(context) : "closed",
    emailDomainsLimited: limitsEmailDomains(context.env),
    mail: canSendMail(context),
    anonymousLinks: allowsAnonymousLinks(context.env),
  };
}
