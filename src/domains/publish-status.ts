import { publishDomain, publishDomainLoss } from "../redirect/lookup/resolve.ts";
import type { DomainRow } from "./row.ts";

/** Has the redirects here answer by what a look-up has made of a domain. */
export async function publishStatus(before: DomainRow, after: DomainRow, now: number): Promise<void> {
  if (after.status === "verified") await publishDomain(after, now);
  else if (before.status === "verified") await publishDomainLoss(before, now);
}
