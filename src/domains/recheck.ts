import type { ServiceContext } from "../context.ts";
import { mapLimit } from "../lib/map-limit.ts";
import { describeError, log } from "../lib/log.ts";
import { DOMAIN_CHECK_RETRY_MS, DOMAINS_AT_ONCE, DOMAINS_CHECKED_PER_RUN } from "../limits.ts";
import { originWithoutRequest } from "../lib/hosts.ts";
import { notifyWebhooks } from "../outbox/messages.ts";
import { registryOf } from "./custom-hostnames.ts";
import { lookUpProof } from "./dns-lookup.ts";
import { DOMAIN_COLUMNS, serviceHostOf, type DomainRow } from "./row.ts";
import { publishStatus } from "./publish-status.ts";
import { recordDnsResult, type Setting } from "./verification.ts";

/**
 * Looks up verified domains whose time it is, as many as one run does; answers how many. They are taken with a later
 * time, so one whose look-up fails is tried again then, and nothing is said of it.
 */
export async function recheckDomains({ env, now }: ServiceContext): Promise<number> {
  const { results } = await env.DB.prepare(
    `UPDATE domains SET check_at = ?2 WHERE id IN (SELECT id FROM domains INDEXED BY domains_to_check
       WHERE check_at IS NOT NULL AND check_at <= ?1 ORDER BY check_at LIMIT ?3) RETURNING ${DOMAIN_COLUMNS}`,
  )
    .bind(now, now + DOMAIN_CHECK_RETRY_MS, DOMAINS_CHECKED_PER_RUN)
    .all<DomainRow>();
  const serviceHost = serviceHostOf(originWithoutRequest(env.BASE_URL));
  const setting = { serviceHost, registers: registryOf(env) !== null };
  await mapLimit(results, DOMAINS_AT_ONCE, (row) => recheck(env, row, now, setting));
  return results.length;
}

async function recheck(env: Env, row: DomainRow, now: number, setting: Setting): Promise<void> {
  try {
    const found = await lookUpProof(env.DNS_OVER_HTTPS_URL, row, setting.serviceHost);
    const result = await recordDnsResult(env.DB, row, found, { now, chance: Math.random() }, setting);
    if (result.outcome !== "recorded") return;
    await publishStatus(row, result.row, now);
    await notifyWebhooks(env.DELIVERIES, result.webhookIds);
  } catch (error) {
    log("warn", "domain_not_checked", { domain: row.domain, ...describeError(error) });
  }
}
