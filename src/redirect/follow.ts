import { bufferClick } from "../clicks/capture/buffer.ts";
import { isClick, captureClick } from "../clicks/capture/click.ts";
import { isPreviewFetcher } from "../visitor/preview-fetchers.ts";
import { PERMANENT_REDIRECT_MAX_AGE_SECONDS } from "../limits.ts";
import type { Incoming } from "./request-url.ts";
import { targetFor, webAddressFor } from "./targets/select-target.ts";
import type { RedirectEntry } from "./lookup/entry.ts";
import { openAppPage, showsPages } from "./pages/open-app.ts";
import { message, redirectTo } from "./pages/pages.ts";
import type { Target } from "./targets/rules.ts";
import { addAppQuery, addQuery } from "./targets/query-params.ts";

/** Somebody at a link that was found. */
interface Following {
  incoming: Incoming;
  entry: RedirectEntry;
  now: number;
  env: Env;
  ctx: ExecutionContext;
}

/** Sends the visitor on, or answers why not. Without a password, a preview and addresses of apps it waits for nothing. */
export function follow(following: Following): Response | Promise<Response> {
  const { incoming, entry, now } = following;
  if (entry.expiresAt !== null && entry.expiresAt <= now) return end(incoming, entry);
  if (entry.preview !== null && isPreviewFetcher(incoming.request.headers.get("User-Agent") ?? ""))
    return showPreview(following);
  return entry.passwordTag === null ? redirect(following) : redirectIfPermitted(following);
}

// What only links with a password or a preview need is behind import(): no other redirect evaluates it.

async function redirectIfPermitted(following: Following): Promise<Response> {
  const { incoming, entry, now, env } = following;
  if (await isPermitted(incoming.request, entry, now, env)) return redirect(following);
  const { passwordPage } = await import("./password/password-page.ts");
  return passwordPage(incoming, "required");
}

/** Whether the visitor has given the link's password. */
export async function isPermitted(request: Request, entry: RedirectEntry, now: number, env: Env): Promise<boolean> {
  const permission = await import("./password/password-cookie.ts");
  return permission.hasPasswordCookie(env, request, entry, now);
}

async function showPreview(following: Following): Promise<Response> {
  const { previewPage } = await import("./pages/link-preview.ts");
  record(following);
  return previewPage(following.incoming, following.entry, following.now);
}

function record({ incoming, entry, now, env, ctx }: Following): void {
  const { request, address } = incoming;
  if (isClick(request)) bufferClick(captureClick(request, address.query, entry, now), env, ctx);
}

function redirect(following: Following): Response | Promise<Response> {
  record(following);
  const { incoming, entry, now } = following;
  const { request, requestId, address } = incoming;
  const { redirectStatus: status } = entry;
  const target: Target = entry.targets === null ? entry : targetFor(entry, request, now);
  if (target.app === true) return offerApp(incoming, entry, target, now);
  if (address.query !== "") {
    return redirectTo(addQuery(target.location, address.query), status, cacheControl(entry, now), requestId);
  }
  const headers = headersOf(entry, target, now);
  headers.set("X-Request-Id", requestId);
  return new Response(null, { status, headers });
}

/** An address of an app: a browser gets a page that opens it, anybody else the web address. */
async function offerApp(incoming: Incoming, entry: RedirectEntry, app: Target, now: number): Promise<Response> {
  const web = webAddressFor(entry, incoming, now);
  if (!(await showsPages(incoming.request))) {
    return redirectTo(web, entry.redirectStatus, "no-store", incoming.requestId);
  }
  return openAppPage(incoming, addAppQuery(app.location, incoming.address.query), web);
}

// Made once for a target; a response copies them.
const madeHeaders = new WeakMap<Target, Headers>();

/** The headers for a visitor without parameters, but for the request id, which the caller sets. */
function headersOf(entry: RedirectEntry, target: Target, now: number): Headers {
  const made = madeHeaders.get(target);
  if (made !== undefined) return made;
  const headers = new Headers({ Location: target.location, "Cache-Control": cacheControl(entry, now) });
  // How long a permanent redirect may be kept grows shorter towards the link's end.
  if (entry.expiresAt === null || isTemporary(entry)) madeHeaders.set(target, headers);
  return headers;
}

/**
 * A temporary redirect is asked for anew each time, and one that is chosen for a visitor; a permanent one may be
 * kept for a while, never past the link's end.
 */
function cacheControl(entry: RedirectEntry, now: number): string {
  if (isTemporary(entry) || entry.askDatabase || entry.targets !== null || entry.passwordTag !== null)
    return "no-store";
  const left = entry.expiresAt === null ? Infinity : Math.floor((entry.expiresAt - now) / 1_000);
  return `private, max-age=${Math.min(PERMANENT_REDIRECT_MAX_AGE_SECONDS, left)}`;
}

function isTemporary(entry: RedirectEntry): boolean {
  return entry.redirectStatus === 302 || entry.redirectStatus === 307;
}

/** Expired or used up. */
export function end(incoming: Incoming, entry: RedirectEntry): Response {
  if (entry.expiredLocation === null) return message(incoming, "gone");
  const location = addQuery(entry.expiredLocation, incoming.address.query);
  return redirectTo(location, 302, "no-store", incoming.requestId);
}
