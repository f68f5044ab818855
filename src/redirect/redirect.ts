import { isClick } from "../clicks/capture/click.ts";
import type { Incoming } from "./request-url.ts";
import { answerUnknown, isSitePath, serveSite } from "./custom-domain.ts";
import type { RedirectEntry } from "./lookup/entry.ts";
import { end, follow, isPermitted } from "./follow.ts";
import { claimRefresh, recall } from "./lookup/memory-cache.ts";
import { faviconResponse, homePage, message, robotsText } from "./pages/pages.ts";
import { readPath } from "./path.ts";
import { linkCacheKey } from "./lookup/cache-key.ts";
import { isCutOff, resolveLink, type LinkQuestion } from "./lookup/resolve.ts";

/** Everything outside the API: short links, and the few fixed paths of a short domain. */
export function serveShortDomain(incoming: Incoming, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  const { request, requestId, address } = incoming;
  const { domain, path } = address;
  if (request.method === "POST")
    return import("./password/password-form.ts").then(({ answerPasswordForm }) =>
      answerPasswordForm(incoming, env, ctx),
    );
  if (request.method !== "GET" && request.method !== "HEAD") return message(incoming, "method_not_allowed");
  if (domain !== "" && isSitePath(path)) return serveSite(incoming, env, ctx);
  if (path === "") return homePage(incoming);
  if (path === "robots.txt") return robotsText(incoming, "/api/");
  if (path === "favicon.ico") return faviconResponse(incoming);
  const asked = readPath(path);
  if (asked === null) return answerUnknown(incoming, env, ctx);
  const { slug } = asked;
  if (asked.plus)
    return import("./pages/destination-preview.ts").then(({ showDestination }) =>
      showDestination(incoming, slug, env, ctx),
    );

  const now = Date.now();
  const place = linkCacheKey(domain, slug);
  const entry = recall(place, now);
  if (entry === undefined || isCutOff(domain, entry, now)) {
    const counts = (read: RedirectEntry) => takesVisit(request, read, now, env);
    return resolveAndAnswer(incoming, env, ctx, { requestId, domain, slug, now, counts });
  }
  if (claimRefresh(place, now)) ctx.waitUntil(resolveLink(env, ctx, { requestId, domain, slug, now, counts: never }));
  return follow({ incoming, entry, now, env, ctx });
}

async function resolveAndAnswer(
  incoming: Incoming,
  env: Env,
  ctx: ExecutionContext,
  asked: LinkQuestion,
): Promise<Response> {
  const resolution = await resolveLink(env, ctx, asked);
  if (resolution.outcome === "found") return follow({ incoming, entry: resolution.entry, now: asked.now, env, ctx });
  if (resolution.outcome === "used_up") return end(incoming, resolution.entry);
  if (resolution.outcome === "unknown") return answerUnknown(incoming, env, ctx);
  return message(incoming, resolution.outcome);
}

/** Whether it takes one of the visits of a link that has a limit: crawlers, link previews and who lacks the password do not. */
async function takesVisit(request: Request, entry: RedirectEntry, now: number, env: Env): Promise<boolean> {
  if (!isClick(request)) return false;
  if (entry.passwordTag !== null && !(await isPermitted(request, entry, now, env))) return false;
  // Only links with a limit need it; no other redirect evaluates it.
  const { isCrawler } = await import("../visitor/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

const never = () => Promise.resolve(false);
