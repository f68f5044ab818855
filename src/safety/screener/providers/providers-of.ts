import type { Provider } from "./provider.ts";
import { BlockingResolver } from "./resolver.ts";
import { SafeBrowsing } from "./safe-browsing.ts";
import { WebRisk } from "./web-risk.ts";

/** Secrets that an operator may add. */
type Keys = { WEB_RISK_KEY?: string; SAFE_BROWSING_KEY?: string };

/** The providers that the operator has configured, the most exact one first. */
export function providersOf(env: Env & Keys): Provider[] {
  const { WEB_RISK_KEY: webRiskKey = "", SAFE_BROWSING_KEY: safeBrowsingKey = "" } = env;
  const { SCREENING_RESOLVER_URL: resolverUrl, DNS_OVER_HTTPS_URL: otherUrl } = env;
  return [
    ...(webRiskKey === "" ? [] : [new WebRisk(webRiskKey)]),
    ...(safeBrowsingKey === "" ? [] : [new SafeBrowsing(safeBrowsingKey)]),
    ...(resolverUrl === "" ? [] : [new BlockingResolver(resolverUrl, otherUrl)]),
  ];
}

/** Whether anyone besides the operators' lists is asked about destinations. */
export function hasProvider(env: Env): boolean {
  return providersOf(env).length > 0;
}
