import type { Provider } from "./provider.ts";
import { BlockingResolver } from "./resolver.ts";
import { WebRisk } from "./web-risk.ts";

/** The resolver that `SCREENING` names; null: none. */
export function resolverUrlOf(screening: string): string | null {
  return /^https?:\/\//.test(screening) ? screening : null;
}

/** The providers that the operator has configured, the most exact one first. */
export function providersOf(env: Env & { WEB_RISK_KEY?: string }): Provider[] {
  const { WEB_RISK_KEY: webRiskKey = "" } = env;
  const resolverUrl = resolverUrlOf(env.SCREENING);
  return [
    ...(webRiskKey === "" ? [] : [new WebRisk(webRiskKey)]),
    ...(resolverUrl === null ? [] : [new BlockingResolver(resolverUrl, env.DNS_OVER_HTTPS_URL)]),
  ];
}

/** Whether anyone besides the operators' lists is asked about destinations. */
export function hasProvider(env: Env): boolean {
  return providersOf(env).length > 0;
}
