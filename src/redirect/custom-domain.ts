import { parseRequestUrl, type Incoming } from "./request-url.ts";
import type { DomainEntry } from "./lookup/domain-entry.ts";
import { faviconResponse, jsonFile, message, redirectTo, robotsText, rootPage } from "./pages/pages.ts";
import { resolveDomain } from "./lookup/resolve.ts";
import { addQuery } from "./targets/query-params.ts";

const SITE_PATHS = new Set([
  "",
  "robots.txt",
  "favicon.ico",
  "apple-app-site-association",
  ".well-known/apple-app-site-association",
  ".well-known/assetlinks.json",
]);

/** Whether a custom domain has something else than a link at this path. */
export function isSitePath(path: string): boolean {
  return SITE_PATHS.has(path);
}

/** What a verified domain has at a {@link isSitePath}; any other host has nothing there. */
export async function serveSite(incoming: Incoming, env: Env, ctx: ExecutionContext): Promise<Response> {
  const domain = await resolve(incoming, env, ctx);
  if (domain.outcome !== "found") return message(incoming, domain.outcome);
  const { entry } = domain;
  switch (incoming.address.path) {
    case "":
      return goTo(entry.rootLocation, incoming, env) ?? rootPage(incoming);
    case "robots.txt":
      return robotsText(incoming, "");
    case "favicon.ico":
      return faviconResponse(incoming);
    default:
      return appFile(incoming, entry);
  }
}

/** Where nothing is: the domain's own page for that, or a 404. */
export function answerUnknown(incoming: Incoming, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  if (incoming.address.domain === "") return message(incoming, "unknown");
  return resolve(incoming, env, ctx).then((domain) => {
    if (domain.outcome !== "found") return message(incoming, domain.outcome);
    return goTo(domain.entry.notFoundLocation, incoming, env) ?? message(incoming, "unknown");
  });
}

function resolve({ requestId, address }: Incoming, env: Env, ctx: ExecutionContext) {
  return resolveDomain(env, ctx, { requestId, domain: address.domain, now: Date.now() });
}

/** Apple and Google follow no redirects for these files. */
function appFile(incoming: Incoming, entry: DomainEntry): Response {
  const { appleAppSiteAssociation, assetLinks } = entry;
  const file = incoming.address.path.endsWith("assetlinks.json") ? assetLinks : appleAppSiteAssociation;
  return file === null ? message(incoming, "unknown") : jsonFile(incoming, file);
}

/** A redirect with the visitor's parameters; null without a location, or where the visitor is there already. */
function goTo(location: string | null, { address, requestId }: Incoming, env: Env): Response | null {
  if (location === null) return null;
  const target = parseRequestUrl(location, env.BASE_URL);
  if (target.domain === address.domain && target.path === address.path) return null;
  return redirectTo(addQuery(location, address.query), 302, "no-store", requestId);
}
