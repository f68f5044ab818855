import { useQuery } from "@tanstack/react-query";
import type { Domain } from "#src/domains/contract.ts";
import type { OrphanVisits } from "#src/domains/orphan-visits-contract.ts";
import { call } from "#dashboard/api/client.ts";
import { queryClient, readAgain } from "#dashboard/api/query-client.ts";
import { domainsQuery } from "#dashboard/api/resources.ts";
import { toListed, type Listed } from "../queries.ts";

export function useDomains(): Listed<Domain> {
  return toListed(useQuery(domainsQuery));
}

export function useDomain(id: string) {
  return useQuery({
    queryKey: ["domains", id],
    queryFn: ({ signal }) => call<{ domain: Domain }>("GET", `/api/domains/${id}`, { signal }),
  });
}

export function useOrphanVisits(id: string) {
  return useQuery({
    queryKey: ["domains", id, "orphan-visits"],
    queryFn: ({ signal }) =>
      call<{ orphanVisits: OrphanVisits }>("GET", `/api/domains/${id}/orphan-visits`, { signal }),
  });
}

/** Shows the domain as a response has it, and reads the list again. */
export function showDomain(domain: Domain): void {
  queryClient.setQueryData(["domains", domain.id], { domain });
  void queryClient.invalidateQueries({ queryKey: domainsQuery.queryKey });
}

export async function addDomain(domain: string, caseSensitive: boolean): Promise<Domain> {
  const added = await call<{ domain: Domain }>("POST", "/api/domains/add", { body: { domain, caseSensitive } });
  await readAgain("domains", "usage");
  return added.domain;
}

type DomainChanges = Partial<
  Pick<
    Domain,
    | "rootUrl"
    | "notFoundUrl"
    | "caseSensitive"
    | "pathForwarding"
    | "nestedSlugs"
    | "appleAppSiteAssociation"
    | "assetLinks"
    | "brandName"
    | "brandLogo"
    | "brandColor"
  >
>;

export async function updateDomain(id: string, changes: DomainChanges): Promise<Domain> {
  const { domain } = await call<{ domain: Domain }>("PATCH", `/api/domains/${id}`, { body: changes });
  showDomain(domain);
  return domain;
}

export async function updateFiles(
  id: string,
  files: Pick<Domain, "appleAppSiteAssociation" | "assetLinks">,
): Promise<void> {
  await call("PATCH", `/api/deep-links/domains/${id}`, { body: files });
  await readAgain("domains");
}

export async function deleteDomain(id: string, force: boolean): Promise<void> {
  await call("DELETE", `/api/domains/${id}`, { query: { force: force ? true : undefined } });
}
