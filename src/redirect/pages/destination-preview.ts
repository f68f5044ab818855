import type { Incoming } from "../request-url.ts";
import { targetFor, webAddressFor } from "../targets/select-target.ts";
import { answerUnknown } from "../custom-domain.ts";
import type { RedirectEntry } from "../lookup/entry.ts";
import { peekLink } from "../lookup/peek-link.ts";
import { answerJson, answerPage, escapeHtml, PRIVATE, wantsJson } from "./page.ts";
import { message } from "./pages.ts";
import { readPreview } from "./link-preview.ts";
import { addAppQuery, addQuery } from "../targets/query-params.ts";

/** What is told of a link to somebody who wants to know where it leads before following it. */
interface Shown {
  shortUrl: string;
  /** Null: told only to who knows the password. */
  destination: string | null;
  title: string | null;
  status: "active" | "expired";
  hasPassword: boolean;
  /** Whether other visitors may be sent elsewhere. */
  varies: boolean;
}

/** The short URL with a plus at its end. Nobody has followed anything: nothing is counted, no visit is taken. */
export async function showDestination(
  incoming: Incoming,
  slug: string,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response> {
  const { request, requestId, address } = incoming;
  const now = Date.now();
  const resolution = await peekLink(env, ctx, { requestId, domain: address.domain, slug, now });
  if (resolution.outcome === "unknown") return answerUnknown(incoming, env, ctx);
  if (resolution.outcome === "unavailable") return message(incoming, "unavailable");
  const { entry, outcome } = resolution;
  const expired = outcome === "used_up" || (entry.expiresAt !== null && entry.expiresAt <= now);
  if (expired && entry.expiredLocation === null) return message(incoming, "gone");
  const path = address.query === "" ? `/${slug}` : `/${slug}?${address.query}`;
  const shown = read(incoming, entry, new URL(request.url).origin + path, now, expired);
  if (wantsJson(request)) return answerJson(incoming, shown, 200, PRIVATE);
  const app = shown.status === "active" && !shown.hasPassword ? appFor(incoming, entry, now) : null;
  return answerPage(incoming, { title: headingOf(shown), html: await describe(shown, path, app) }, 200, PRIVATE);
}

/** The address of an app that this visitor's browser would be offered before the destination. */
function appFor({ request, address }: Incoming, entry: RedirectEntry, now: number): string | null {
  const target = targetFor(entry, request, now);
  return target.app === true ? addAppQuery(target.location, address.query) : null;
}

function read(incoming: Incoming, entry: RedirectEntry, shortUrl: string, now: number, expired: boolean): Shown {
  const common = { shortUrl, title: readPreview(entry).title };
  if (expired) {
    const destination = addQuery(entry.expiredLocation ?? "", incoming.address.query);
    return { ...common, destination, status: "expired", hasPassword: false, varies: false };
  }
  const hasPassword = entry.passwordTag !== null;
  const destination = hasPassword ? null : webAddressFor(entry, incoming, now);
  return { ...common, destination, status: "active", hasPassword, varies: entry.targets !== null };
}

function headingOf({ status, hasPassword }: Shown): string {
  if (hasPassword) return "This link has a password";
  return status === "expired" ? "This link has ended" : "Where this link leads";
}

async function describe(shown: Shown, path: string, app: string | null): Promise<string> {
  const parts = [shown.title === null ? "" : `<p><strong><bdi>${escapeHtml(shown.title)}</bdi></strong></p>`];
  if (shown.destination === null) {
    parts.push("<p>It leads on for those who know the password.</p>");
  } else {
    parts.push(`<p class="where">${escapeHtml(shown.destination)}</p>`, await nameInLetters(shown.destination));
  }
  if (app !== null) parts.push(`<p>On this device it tries an app first: <code>${escapeHtml(app)}</code></p>`);
  if (shown.status === "expired") parts.push("<p>That is where its owner sends visitors now.</p>");
  if (shown.varies) parts.push("<p>Others may be led elsewhere, by their country or device, say.</p>");
  parts.push(`<p class="more"><a class="button" href="${escapeHtml(path)}" rel="nofollow noreferrer">Continue</a></p>`);
  return parts.join("");
}

/** Of a name that Punycode stands for, the letters that browsers may show in its place. */
async function nameInLetters(destination: string): Promise<string> {
  const { hostname } = new URL(destination);
  if (!hostname.includes("xn--")) return "";
  const { domainToUnicode } = await import("node:url");
  const letters = domainToUnicode(hostname);
  return letters === "" || letters === hostname
    ? ""
    : `<p>In its own letters <code>${escapeHtml(hostname)}</code> is <bdi>${escapeHtml(letters)}</bdi>.</p>`;
}
