import type { ServiceContext } from "../../platform/context.ts";
import { isLoopbackName } from "../../platform/lib/hosts.ts";

/** Whether persons can sign in: without `BASE_URL`, only on this machine. */
export function canSignIn({ env, baseUrl }: ServiceContext): boolean {
  return env.BASE_URL !== "" || isLoopbackName(new URL(baseUrl).hostname);
}
