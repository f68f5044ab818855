import { escapeHtml } from "../platform/lib/escape-html.ts";
import type { Verdict } from "./verdict.ts";
import { blockedPage, judge, renderWarning } from "./judged-link.ts";
import type { RedirectEntry } from "./lookup/entry.ts";
import { peekLink } from "./lookup/peek-link.ts";
import { parseLinkPreview } from "./pages/link-preview.ts";
import { renderUrl } from "./pages/destination.ts";
import { errorPage } from "./pages/error-page.ts";
import { failedLookupPage } from "./pages/failed-lookup.ts";
import { loadTexts, preferredLanguage } from "./pages/language.ts";
import { jsonResponse, pageResponse, prefersJson, PRIVATE_HEADERS } from "./pages/page.ts";
import { toReadable } from "./pages/readable-url.ts";
import { renderReportLink } from "./pages/report-link.ts";
import type { PageTexts } from "./pages/texts/page-texts.ts";
import type { IncomingRequest } from "./request-url.ts";
import { addAppQuery, addQuery, handedOn } from "./targets/query-params.ts";
import { selectTarget, selectWebUrl } from "./targets/select-target.ts";
import { canHaveSlug, notStartedResponse, withBrand } from "./visited-domain.ts";

/** What a visitor can see of a link before following it. */
interface DestinationPreview {
  shortUrl: string;
  /** Null if the link has a password. */
  destination: string | null;
  title: string | null;
  status: "active" | "expired";
  hasPassword: boolean;
  /** Whether other visitors may be sent elsewhere. */
  varies: boolean;
}

/** The response for a short URL with a trailing plus. It counts no click and uses no visit. Null: there is no such link. */
export async function showDestination(
  incoming: IncomingRequest,
  slug: string,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const { request, requestId, url } = incoming;
  if (!(await canHaveSlug(incoming, slug, env, ctx))) return null;
  const now = Date.now();
  const link = await peekLink(env, ctx, { requestId, headers: request.headers, domain: url.domain, slug, now });
  if (link.outcome === "not_found") return null;
  if (link.outcome === "unavailable" || link.outcome === "refused") return failedLookupPage(incoming, link);
  const { entry, outcome } = link;
  const { verdict, restricted } = judge({ incoming, entry, now, env, ctx });
  if (verdict.state === "blocked") return blockedPage(incoming, verdict, env);
  if (entry.startsAt > now && outcome !== "used_up") return notStartedResponse(incoming, env, ctx);
  const expired = outcome === "used_up" || (entry.expiresAt !== null && entry.expiresAt <= now);
  if (expired && entry.expiredLocation === null) return errorPage(await withBrand(incoming, env, ctx), "gone");
  const path = url.query === "" ? `/${slug}` : `/${slug}?${url.query}`;
  const shortUrl = new URL(request.url).origin + path;
  const preview = { shortUrl, ...previewDestination(restricted.incoming, entry, now, expired) };
  if (prefersJson(request)) return jsonResponse(incoming, preview, 200, PRIVATE_HEADERS);
  const app = preview.status === "active" && !preview.hasPassword ? appUrlFor(incoming, entry, now) : null;
  const language = preferredLanguage(request.headers.get("Accept-Language"));
  const texts = await loadTexts(language);
  const page = {
    language,
    title: titleOf(preview, texts),
    html:
      renderWarning(texts, entry.verdict, now) +
      (await renderPreview(preview, wayOn(preview, path, entry, verdict), app, texts)) +
      renderReportLink(texts, incoming, env, slug),
  };
  return pageResponse(await withBrand(incoming, env, ctx), page, 200, PRIVATE_HEADERS);
}

/** The app's URL that this visitor's browser would be offered before the destination. */
function appUrlFor(incoming: IncomingRequest, entry: RedirectEntry, now: number): string | null {
  const target = selectTarget(entry, incoming.request, now);
  return target.app === true ? addAppQuery(target.location, handedOn(entry, incoming)) : null;
}

function previewDestination(
  incoming: IncomingRequest,
  entry: RedirectEntry,
  now: number,
  expired: boolean,
): Omit<DestinationPreview, "shortUrl"> {
  const { title } = parseLinkPreview(entry);
  if (expired) {
    const destination = addQuery(entry.expiredLocation ?? "", handedOn(entry, incoming));
    return { destination, title, status: "expired", hasPassword: false, varies: false };
  }
  const hasPassword = entry.passwordTag !== null;
  const destination = hasPassword ? null : selectWebUrl(entry, incoming, now);
  return { destination, title, status: "active", hasPassword, varies: entry.targets !== null };
}

/**
 * What the button of the page leads to. The short URL of a link with a warning would only show the same page again, so its button
 * leads to the destination, unless the visit must be claimed first.
 */
function wayOn({ destination }: DestinationPreview, path: string, entry: RedirectEntry, verdict: Verdict): string {
  const isWarned = verdict.state !== "allowed" && destination !== null && !entry.bypassCache;
  return isWarned ? destination : path;
}

function titleOf({ status, hasPassword }: DestinationPreview, { destination, errors }: PageTexts): string {
  if (hasPassword) return errors.password_required.title;
  return status === "expired" ? errors.gone.title : destination.title;
}

async function renderPreview(
  { title, destination, status, varies }: DestinationPreview,
  href: string,
  app: string | null,
  { destination: texts }: PageTexts,
): Promise<string> {
  const parts = [title === null ? "" : `<p><strong><bdi>${escapeHtml(title)}</bdi></strong></p>`];
  parts.push(destination === null ? `<p>${texts.hidden}</p>` : await renderUrl(destination, texts));
  if (app !== null)
    parts.push(
      `<p>${texts.app}</p><div class="where" dir="ltr"><div class="url" tabindex="0">${escapeHtml(toReadable(app))}</div></div>`,
    );
  if (status === "expired") parts.push(`<p>${texts.ended}</p>`);
  if (varies) parts.push(`<p>${texts.varies}</p>`);
  parts.push(
    `<p class="more"><a class="button" href="${escapeHtml(href)}" rel="nofollow noreferrer">${texts.follow}</a></p>`,
  );
  return parts.join("");
}
