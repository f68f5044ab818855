import type { DomainEntry } from "./lookup/domain-entry.ts";
import { OWN_VISITS_PATH } from "./own-visits.ts";
import { errorResponse } from "./pages/error-response.ts";
import type { IncomingRequest } from "./request-url.ts";
import { findDomain, noDomainResponse, redirectElsewhere } from "./visited-domain.ts";

/** Responds to a path of `isDomainPath`, or that of the own visits, of a verified domain or `ANONYMOUS_HOST`, and with 404 at any other host. */
export async function serveDomainPath(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const domain = await findDomain(incoming, env, ctx);
  if (domain.outcome !== "found") return noDomainResponse(incoming, domain);
  const { entry } = domain;
  switch (incoming.url.path) {
    case "":
      return redirectElsewhere(entry.rootLocation, incoming, env) ?? showRoot({ ...incoming, brand: entry });
    case "robots.txt":
      return (await import("./pages/fixed-files.ts")).robotsText(incoming, "");
    case "favicon.ico":
      return (await import("./pages/fixed-files.ts")).faviconResponse(incoming);
    case OWN_VISITS_PATH:
      return (await import("./pages/own-visits-page.ts")).ownVisitsPage({ ...incoming, brand: entry });
    default:
      return appFile(incoming, entry);
  }
}

async function showRoot(incoming: IncomingRequest): Promise<Response> {
  const { rootPage } = await import("./pages/root-page.ts");
  return rootPage(incoming);
}

/** The file itself: Apple and Google follow no redirects for it. */
async function appFile(incoming: IncomingRequest, entry: Partial<DomainEntry>): Promise<Response> {
  const { appleAppSiteAssociation, assetLinks } = entry;
  const file = incoming.url.path.endsWith("assetlinks.json") ? assetLinks : appleAppSiteAssociation;
  if (file == null) return errorResponse(incoming, "not_found");
  return (await import("./pages/fixed-files.ts")).jsonFile(incoming, file);
}
