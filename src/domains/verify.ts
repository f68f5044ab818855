import { prepareChange, type AccountChange } from "../access/audit/change.ts";
import { accessChanged } from "../platform/auth/require-permissions.ts";
import type { ServiceContext } from "../platform/context.ts";
import { conflict, unavailable } from "../platform/http/errors.ts";
import { DnsLookupError } from "../platform/lib/dns.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { mapLimit } from "../platform/lib/map-limit.ts";
import { publishDomain, publishDomainLoss } from "../redirect/lookup/publish.ts";
import { customHostnameApiOf } from "./custom-hostname-api.ts";
import { syncCustomHostname } from "./custom-hostnames.ts";
import { lookUpDomain, type SeenRecords } from "./dns-lookup.ts";
import { domainNotFound, getDomainRow } from "./get-domain.ts";
import type { DomainRow } from "./store/row.ts";
import { claimDueDomains, recordDnsResult, type RecordOutcome } from "./store/verification.ts";
import type { DnsResult } from "./verification-state.ts";
import type { RequestContext } from "../platform/auth/principal.ts";
import { MAX_CONCURRENT_DOMAINS } from "./limits.ts";

/** Checks the records of the account's domain and updates its status. Returns the updated row, and what the DNS has. */
export async function verifyDomain(
  context: RequestContext,
  id: string,
): Promise<{ row: DomainRow; seen: SeenRecords }> {
  const row = await getDomainRow(context, id);
  const found = await lookUpOrFail(context, row);
  const result = await recordAndPublish(context, row, found, prepareChange(context, "domains:write"));
  if (result.outcome === "deleted") throw domainNotFound();
  if (result.outcome === "demoted") throw accessChanged(context.principal);
  if (result.outcome === "verified_elsewhere") throw conflict("verified_elsewhere", { value: row.domain });
  // The CNAME may be new: Cloudflare should validate the certificate now.
  const restart = found.cname === true && result.row.hostname_status !== "active";
  return { row: await syncCustomHostname(context, result.row, restart), seen: found.seen };
}

async function lookUpOrFail(
  context: RequestContext,
  row: DomainRow,
): Promise<Awaited<ReturnType<typeof lookUpDomain>>> {
  try {
    return await lookUpDomain(context, row, { cnameRequired: true });
  } catch (error) {
    if (!(error instanceof DnsLookupError)) throw error;
    log("warn", "domain_lookup_failed", { requestId: context.requestId, ...describeError(error) });
    throw unavailable("dns_failed", { value: row.domain });
  }
}

/** Checks the verified domains that are due. Returns their number. */
export async function recheckDomains(context: ServiceContext): Promise<number> {
  const due = await claimDueDomains(context.db, context.now);
  await mapLimit(due, MAX_CONCURRENT_DOMAINS, async (row) => {
    try {
      const found = await lookUpDomain(context, row, { cnameRequired: false });
      await recordAndPublish(context, row, found, null);
    } catch (error) {
      log("warn", "domain_check_failed", { domain: row.domain, ...describeError(error) });
    }
  });
  return due.length;
}

/** Records the result, and applies a change of the status to the redirects of this isolate and data centre. */
async function recordAndPublish(
  context: ServiceContext,
  before: DomainRow,
  found: DnsResult,
  caller: AccountChange | null,
): Promise<RecordOutcome> {
  const { env, now } = context;
  const usesCustomHostnames = customHostnameApiOf(env) !== null;
  const options = { now, jitter: Math.random(), usesCustomHostnames };
  const result = await recordDnsResult(context, before, found, options, caller);
  if (result.outcome !== "recorded") return result;
  if (result.row.status === "verified") await publishDomain(context, result.row);
  else if (before.status === "verified") await publishDomainLoss(context, before);
  return result;
}
