import { queryOptions } from "@tanstack/react-query";
import { MAX_PAGE_SIZE_ITEMS } from "#src/limits.ts";
import { call } from "./client.ts";
import type { Account, Domain, Link, SecondFactors, Tag, Usage, UtmTemplate } from "./types.ts";

// What several pages read, so that each key of the cache has one shape.

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async ({ signal }) => (await call<{ account: Account }>("GET", "/api/account", { signal })).account,
});

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  queryFn: async ({ signal }) => (await call<{ usage: Usage }>("GET", "/api/usage", { signal })).usage,
});

/** The person's second factors. */
export const factorsQuery = queryOptions({
  queryKey: ["mfa"],
  queryFn: ({ signal }) => call<SecondFactors>("GET", "/api/auth/mfa", { signal }),
});

export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: ["links", "one", id],
    queryFn: ({ signal }) => readLink(id, signal),
  });

export async function readLink(id: string, signal: AbortSignal): Promise<Link> {
  return (await call<{ link: Link }>("GET", `/api/links/${id}`, { signal })).link;
}

/** Tags whose names begin with the text. A page of them is enough to choose from. */
export const tagsQuery = (prefix = "") =>
  queryOptions({
    queryKey: ["tags", "choices", prefix],
    // Code that waits for them learns at once that the browser is offline.
    networkMode: "always",
    queryFn: async ({ signal }) => {
      const query = { prefix, limit: MAX_PAGE_SIZE_ITEMS };
      return (await call<{ tags: Tag[] }>("GET", "/api/tags", { query, signal })).tags;
    },
  });

/** All domains of the account: it has at most a page of them. */
export const domainsQuery = queryOptions({
  queryKey: ["domains", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: MAX_PAGE_SIZE_ITEMS };
    return (await call<{ domains: Domain[] }>("GET", "/api/domains", { query, signal })).domains;
  },
});

/** The domains at which the account can have links, besides that of the service. */
export const verifiedDomainsQuery = queryOptions({
  ...domainsQuery,
  select: (domains: Domain[]) => domains.filter(({ status }) => status === "verified"),
});

/** The names of the domains that links can have. That of the service is the first. */
export function namesOfDomains(domains: readonly Domain[]): string[] {
  // Persons can use the pages at the service's own domain only.
  return [location.host, ...domains.filter(({ status }) => status === "verified").map(({ domain }) => domain)];
}

export const domainNamesQuery = queryOptions({ ...domainsQuery, select: namesOfDomains });

/** All UTM templates of the account: it has at most a page of them. */
export const utmTemplatesQuery = queryOptions({
  queryKey: ["utm-templates", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: MAX_PAGE_SIZE_ITEMS };
    return (await call<{ templates: UtmTemplate[] }>("GET", "/api/utm-templates", { query, signal })).templates;
  },
});
