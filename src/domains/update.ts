import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { invalidRequest } from "../http/errors.ts";
import { isVerifiedDomain } from "./verified.ts";
import { leadsBack } from "../links/destination.ts";
import { publishDomain } from "../redirect/lookup/resolve.ts";
import type { UpdateDomain } from "./contract.ts";
import { getDomainRow, domainNotFound } from "./get-domain.ts";
import type { DomainRow } from "./row.ts";
import * as store from "./store.ts";

/** Changes the account's domain by the fields that are given, for visitors too; answers it after that. */
export async function changeDomain(c: Context<AuthEnv>, id: string, input: UpdateDomain): Promise<DomainRow> {
  const { account_id, domain } = await getDomainRow(c.get("context"), id);
  const faults = [];
  for (const path of ["rootUrl", "notFoundUrl"] as const) {
    const url = input[path];
    if (url != null && (await comesBack(c, url, domain)))
      faults.push({ path, message: "must not lead back to this service" });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  const now = c.get("context").now;
  const row = await store.updateDomain(c.env.DB, account_id, id, toChanges(input), now);
  if (row === null) throw domainNotFound();
  if (row.status === "verified") await publishDomain(row, now);
  return row;
}

/** Whether a visitor of the domain would be sent back to it, or to another of the service's hosts. */
async function comesBack(c: Context<AuthEnv>, destination: string, domain: string): Promise<boolean> {
  const host = new URL(destination).hostname.replace(/\.$/, "");
  return (
    leadsBack(destination, c.get("context").baseUrl) || host === domain || (await isVerifiedDomain(c.env.DB, host))
  );
}

/** The columns of the fields that were given; null clears one. */
function toChanges(input: UpdateDomain): store.DomainChanges {
  const changes: Record<string, string | null | undefined> = {
    root_url: input.rootUrl,
    not_found_url: input.notFoundUrl,
    apple_app_site_association: toText(input.appleAppSiteAssociation),
    asset_links: toText(input.assetLinks),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function toText(value: object | null | undefined): string | null | undefined {
  return value == null ? value : JSON.stringify(value);
}
