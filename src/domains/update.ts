import { prepareChange } from "../access/audit/change.ts";
import { accessChanged } from "../platform/auth/require-permissions.ts";
import { conflict, destinationBlocked, invalidField, invalidRequest } from "../platform/http/errors.ts";
import { DAY_MS, DELETED_LINK_KEPT_MS } from "../limits.ts";
import { leadsBack } from "../links/destination-url.ts";
import { findBlocked } from "../links/screening.ts";
import { publishDomain } from "../redirect/lookup/publish.ts";
import type { UpdateDomain } from "./contract.ts";
import { domainNotFound, getDomainRow } from "./get-domain.ts";
import { updateDomain, type DomainChanges, type DomainRefusal } from "./store/change.ts";
import type { DomainRow } from "./store/row.ts";
import { isVerifiedDomain } from "../platform/outbound/store.ts";
import type { RequestContext } from "../platform/auth/principal.ts";
import { fault, readBecause } from "../platform/http/faults.ts";

/** Changes the given fields of the account's domain, for visitors too. Returns the updated row. */
export async function changeDomain(context: RequestContext, id: string, input: UpdateDomain): Promise<DomainRow> {
  const { domain } = await getDomainRow(context, id);
  const faults = [];
  for (const path of ["rootUrl", "notFoundUrl"] as const) {
    const url = input[path];
    if (url != null && (await isLoop(context, url, domain))) faults.push(fault(path, "leads_back"));
  }
  if (faults.length > 0) throw invalidRequest(faults);
  await refuseBlocked(context, input);
  const row = await updateDomain(context.db, prepareChange(context, "domains:write"), id, toChanges(input));
  if (typeof row === "string") throw toError(row, context, domain, input);
  if (row.status === "verified") await publishDomain(context, row);
  return row;
}

async function refuseBlocked(context: RequestContext, { rootUrl, notFoundUrl }: UpdateDomain): Promise<void> {
  const urls = Object.entries({ rootUrl, notFoundUrl }).flatMap(([path, url]) => (url == null ? [] : [{ path, url }]));
  const blocked = await findBlocked(context, new Set(urls.map(({ url }) => url)));
  const faults = urls.flatMap(({ path, url }) => {
    const reason = blocked.get(url);
    return reason === undefined ? [] : [readBecause(path, reason)];
  });
  if (faults.length > 0) throw destinationBlocked(faults);
}

const KEPT_DAYS = DELETED_LINK_KEPT_MS / DAY_MS;

function toError(
  refusal: DomainRefusal,
  { principal }: RequestContext,
  domain: string,
  { nestedSlugs }: UpdateDomain,
): Error {
  if (refusal === "not_found") return domainNotFound();
  if (refusal === "demoted") return accessChanged(principal);
  // The links that a domain has decide it, because their slugs were compared in this way.
  if (refusal === "case_is_set") return conflict("case_is_set", { value: domain, days: KEPT_DAYS });
  if (refusal === "has_nested_slugs") return conflict("has_nested_slugs", { value: domain, days: KEPT_DAYS });
  const [path, field] =
    nestedSlugs === true ? (["nestedSlugs", "pathForwarding"] as const) : (["pathForwarding", "nestedSlugs"] as const);
  return invalidField(path, "on_together", { field });
}

/** Whether the destination is on the domain itself or on another host of the service. */
async function isLoop(context: RequestContext, destination: string, domain: string): Promise<boolean> {
  const host = new URL(destination).hostname.replace(/\.$/, "");
  return leadsBack(destination, context) || host === domain || isVerifiedDomain(context.db, host);
}

/** The columns of the given fields; null clears one. */
function toChanges(input: UpdateDomain): DomainChanges {
  const changes: Record<string, string | number | null | undefined> = {
    root_url: input.rootUrl,
    not_found_url: input.notFoundUrl,
    apple_app_site_association: toJson(input.appleAppSiteAssociation),
    asset_links: toJson(input.assetLinks),
    brand_name: input.brandName,
    brand_logo: input.brandLogo,
    brand_color: input.brandColor,
    case_sensitive: toNumber(input.caseSensitive),
    path_forwarding: toNumber(input.pathForwarding),
    nested_slugs: toNumber(input.nestedSlugs),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function toNumber(value: boolean | undefined): number | undefined {
  return value === undefined ? value : Number(value);
}

function toJson(value: object | null | undefined): string | null | undefined {
  return value == null ? value : JSON.stringify(value);
}
