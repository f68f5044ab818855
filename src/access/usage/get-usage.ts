import {
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_DOMAINS_PER_ACCOUNT,
  MAX_UTM_TEMPLATES_PER_ACCOUNT,
  MAX_WEBHOOKS_PER_ACCOUNT,
} from "../../limits.ts";
import type { Usage } from "./contract.ts";
import { countResources } from "./store.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

export async function getUsage({ db, principal, now }: RequestContext): Promise<Usage> {
  const counts = await countResources(db, principal.accountId, now);
  return {
    links: { used: counts.links, limit: counts.max_links },
    linkBytes: { used: counts.link_bytes, limit: counts.max_link_bytes },
    keys: { used: counts.keys, limit: MAX_ACTIVE_KEYS_PER_ACCOUNT },
    domains: { used: counts.domains, limit: MAX_DOMAINS_PER_ACCOUNT },
    webhooks: { used: counts.webhooks, limit: MAX_WEBHOOKS_PER_ACCOUNT },
    utmTemplates: { used: counts.utm_templates, limit: MAX_UTM_TEMPLATES_PER_ACCOUNT },
  };
}
