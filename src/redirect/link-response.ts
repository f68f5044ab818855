import { bufferClick } from "../click-log/capture/buffer.ts";
import { isClick, captureClick } from "../click-log/capture/click.ts";
import { isPreviewFetcher } from "../platform/visitor/preview-fetchers.ts";
import type { LinkRequest } from "./link-request.ts";
import type { RedirectEntry } from "./lookup/entry.ts";
import { errorResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import { isUncounted } from "./own-visits.ts";
import type { IncomingRequest } from "./request-url.ts";
import { addAppQuery, addQuery, handedOn } from "./targets/query-params.ts";
import type { Target } from "./targets/rules.ts";
import { selectTarget, selectWebTarget } from "./targets/select-target.ts";
import { isUnlocked } from "./uses-visit.ts";
import type { withBrand as addBrand } from "./visited-domain.ts";
import { PERMANENT_REDIRECT_MAX_AGE_SECONDS } from "./limits.ts";

/** The redirect, or the page in its place. Synchronous unless the link has ended or not begun, or has a password, a preview or an app's URL. */
export function linkResponse(link: LinkRequest): Response | Promise<Response> {
  const { incoming, entry, now } = link;
  if (entry.verdict !== 0) return judgedResponse(link, isExpired(entry, now));
  if (entry.startsAt > now) return scheduledResponse(link);
  if (isExpired(entry, now)) return expiredResponse(link);
  if (entry.preview !== null && isPreviewFetcher(incoming.request.headers.get("User-Agent") ?? ""))
    return previewResponse(link);
  return entry.passwordTag === null ? redirect(link) : redirectIfUnlocked(link);
}

function isExpired({ expiresAt }: RedirectEntry, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

// Imported on demand: only links with a verdict, a password or a preview need these modules, and only pages need a brand.

/** The response for a link that not every visitor may follow at once, or not as it is. */
async function judgedResponse(link: LinkRequest, hasEnded: boolean): Promise<Response> {
  const { incoming, entry, now, env, ctx } = link;
  const { blockedPage, judge, warningPage } = await import("./judged-link.ts");
  const { verdict, restricted } = judge(link);
  if (verdict.state === "blocked") return blockedPage(incoming, verdict, env);
  if (entry.startsAt > now && !hasEnded) return scheduledResponse(restricted);
  // Such an entry has no verdict.
  if (verdict.state === "allowed") return hasEnded ? expiredResponse(restricted) : linkResponse(restricted);
  if (hasEnded && entry.expiredLocation === null) return expiredResponse(restricted);
  if (!hasEnded && entry.passwordTag !== null && !(await isUnlocked(incoming.request, entry, now, env)))
    return redirectIfUnlocked(restricted);
  if (!hasEnded) recordClick(link, selectWebTarget(entry, incoming.request, now));
  return warningPage(
    { ...restricted, incoming: await withBrand(restricted.incoming, env, ctx) },
    entry.verdict,
    hasEnded,
  );
}

async function withBrand(...request: Parameters<typeof addBrand>): Promise<IncomingRequest> {
  const domain = await import("./visited-domain.ts");
  return domain.withBrand(...request);
}

async function redirectIfUnlocked(link: LinkRequest): Promise<Response> {
  const { incoming, entry, now, env, ctx } = link;
  if (await isUnlocked(incoming.request, entry, now, env)) return redirect(link);
  const { passwordPage } = await import("./password/password-page.ts");
  return passwordPage(await withBrand(incoming, env, ctx), "password_required");
}

async function previewResponse(link: LinkRequest): Promise<Response> {
  const { previewPage } = await import("./pages/link-preview.ts");
  recordClick(link, selectWebTarget(link.entry, link.incoming.request, link.now));
  return previewPage(await withBrand(link.incoming, link.env, link.ctx), link.entry, link.now);
}

function recordClick({ incoming, entry, now, env, ctx }: LinkRequest, target: Target): void {
  const { request, url } = incoming;
  if (isClick(request) && !isUncounted(request))
    bufferClick(captureClick(request, url.query, entry, target, now, env), env, ctx);
}

function redirect(link: LinkRequest): Response | Promise<Response> {
  const { incoming, entry, now } = link;
  const { request, requestId } = incoming;
  const { redirectStatus: status } = entry;
  const target: Target = entry.targets === null ? entry : selectTarget(entry, request, now);
  if (target.app === true) return appResponse(link, target);
  recordClick(link, target);
  const query = handedOn(entry, incoming);
  if (query !== "") return redirectTo(addQuery(target.location, query), status, cacheControl(entry, now), requestId);
  const headers = redirectHeaders(entry, target, now);
  headers.set("X-Request-Id", requestId);
  return new Response(null, { status, headers });
}

/** The response for an app's URL: browsers get a page that opens the app, all others the web URL. */
async function appResponse(link: LinkRequest, app: Target): Promise<Response> {
  const { incoming, entry, now, env, ctx } = link;
  const webTarget = selectWebTarget(entry, incoming.request, now);
  const query = handedOn(entry, incoming);
  const web = addQuery(webTarget.location, query);
  // Imported on demand, like the crawlers' names: only links with an app's URL need it.
  const { acceptsPages, openAppPage } = await import("./pages/open-app.ts");
  const isPage = await acceptsPages(incoming.request);
  recordClick(link, isPage ? app : webTarget);
  if (!isPage) return redirectTo(web, entry.redirectStatus, "no-store", incoming.requestId);
  return openAppPage(await withBrand(incoming, env, ctx), addAppQuery(app.location, query), web);
}

/** The headers of a target, made once. A response copies them. */
const headersByTarget = new WeakMap<Target, Headers>();

/** The headers of a redirect without query parameters. The caller sets the request id. */
function redirectHeaders(entry: RedirectEntry, target: Target, now: number): Headers {
  const known = headersByTarget.get(target);
  if (known !== undefined) return known;
  const headers = new Headers({ Location: target.location, "Cache-Control": cacheControl(entry, now) });
  // Towards the link's expiry, the max-age of a permanent redirect shrinks.
  if (entry.expiresAt === null || isTemporary(entry)) headersByTarget.set(target, headers);
  return headers;
}

/**
 * Browsers keep only a permanent redirect that is the same for every visitor, for a limited time and never past the
 * link's expiry.
 */
function cacheControl(entry: RedirectEntry, now: number): string {
  if (isTemporary(entry) || entry.bypassCache || entry.targets !== null || entry.passwordTag !== null)
    return "no-store";
  const left = entry.expiresAt === null ? Infinity : Math.floor((entry.expiresAt - now) / 1_000);
  return `private, max-age=${Math.min(PERMANENT_REDIRECT_MAX_AGE_SECONDS, left)}`;
}

function isTemporary(entry: RedirectEntry): boolean {
  return entry.redirectStatus === 302 || entry.redirectStatus === 307;
}

/** The response for a link that has not begun. */
async function scheduledResponse({ incoming, env, ctx }: LinkRequest): Promise<Response> {
  const { notStartedResponse } = await import("./visited-domain.ts");
  return notStartedResponse(incoming, env, ctx);
}

/** The response for a link that has expired or has no visits left. */
export function expiredResponse(link: LinkRequest): Response | Promise<Response> {
  const { incoming, entry, env, ctx } = link;
  if (entry.verdict !== 0) return judgedResponse(link, true);
  if (entry.expiredLocation === null)
    return withBrand(incoming, env, ctx).then((branded) => errorResponse(branded, "gone"));
  const location = addQuery(entry.expiredLocation, handedOn(entry, incoming));
  return redirectTo(location, 302, "no-store", incoming.requestId);
}
