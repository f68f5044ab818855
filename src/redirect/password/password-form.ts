import { escapeHtml } from "../../platform/lib/escape-html.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { isPassword, rehashPassword } from "../../platform/lib/password.ts";
import { tagOf } from "../../platform/lib/password-tag.ts";
import { readLimited } from "../../platform/lib/read-limited.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import { MAX_PASSWORD_FORM_BYTES } from "../../limits.ts";
import type { RateLimitStatus } from "../../platform/rate-limit/rate-limit.ts";
import { canHaveSlug, withBrand } from "../visited-domain.ts";
import type { RedirectEntry, RedirectRow } from "../lookup/entry.ts";
import { peekLink } from "../lookup/peek-link.ts";
import { publishLinks } from "../lookup/publish.ts";
import { findLinkAtPrimary, recordPasswordAttack, replacePasswordHash } from "../lookup/store/links.ts";
import { errorPage } from "../pages/error-page.ts";
import { failedLookupPage } from "../pages/failed-lookup.ts";
import { PRIVATE_HEADERS } from "../pages/page.ts";
import type { ErrorName, PageTexts } from "../pages/texts/page-texts.ts";
import { parseLinkPath } from "../path.ts";
import type { IncomingRequest } from "../request-url.ts";
import { checkGuess, reportAttack } from "./guess-limits.ts";
import { createPasswordCookie } from "./password-cookie.ts";
import { passwordPage } from "./password-page.ts";
import { LINK_READ_TIMEOUT_MS } from "../limits.ts";

/**
 * A POST to a short link: the form of the password page. Other methods than GET, HEAD and POST are refused, and a POST too
 * if the link has no password.
 */
export async function submitPassword(request: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { requestId, url } = request;
  const path = parseLinkPath(url.path);
  if (path === null || path.preview || !(await canHaveSlug(request, path.slug, env, ctx)))
    return errorPage(request, "method_not_allowed");
  const now = Date.now();
  const { slug } = path;
  const link = await peekLink(env, ctx, { domain: url.domain, slug, requestId, headers: request.request.headers, now });
  if (link.outcome === "unavailable" || link.outcome === "refused") return failedLookupPage(request, link);
  if (link.outcome === "not_found") return errorPage(request, "method_not_allowed");
  const incoming = await withBrand(request, env, ctx);
  const { outcome, entry } = link;
  if (incoming.request.method !== "POST")
    return errorPage(
      incoming,
      "method_not_allowed",
      entry.passwordTag === null ? {} : { headers: { Allow: "GET, HEAD, POST" } },
    );
  // The password may have been removed while the visitor looked at the form, so the page links back.
  if (entry.passwordTag === null)
    return errorPage(incoming, "no_password", { render: (texts) => renderLink(texts, incoming, slug) });
  if (outcome === "used_up" || entry.startsAt > now || (entry.expiresAt !== null && entry.expiresAt <= now))
    return redirectToLink(incoming, slug);

  const form = await readForm(incoming.request);
  if ("error" in form) return errorPage(incoming, form.error);
  if (form.password === "") return passwordPage(incoming, "password_required");
  const guess = { slug, now, entry, password: form.password };
  // Before the database is read, which a flood of guesses would keep busy.
  return (await refuseGuess(incoming, env, guess, false)) ?? checkPassword(incoming, env, ctx, guess);
}

interface Guess {
  slug: string;
  now: number;
  entry: RedirectEntry;
  password: string;
}

async function checkPassword(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
  guess: Guess,
): Promise<Response> {
  const { slug, now, entry, password } = guess;
  const { requestId, url } = incoming;
  const { domain } = url;
  const { DB: db } = env;
  let row: RedirectRow | null;
  try {
    row = await withTimeout(findLinkAtPrimary(env, db, domain, slug), LINK_READ_TIMEOUT_MS);
  } catch (error) {
    log("warn", "password_read_failed", { requestId, ...describeError(error) });
    return errorPage(incoming, "unavailable");
  }
  if (row === null) return redirectToLink(incoming, slug);
  // The cookie is signed for the current password, so the caches must have the present version too.
  if (row.updated_at !== entry.updatedAt || row.id !== entry.id)
    await publishLinks({ db, env, waitUntil: (promise) => ctx.waitUntil(promise), now }, [
      { row, domain, slugs: [slug], isGone: false },
    ]);
  const { id, password_hash: hash } = row;
  if (hash === null || id !== entry.id) return redirectToLink(incoming, slug);
  let isRight: boolean;
  try {
    isRight = await isPassword(env.ENCRYPTION_KEYS, id, password, hash);
  } catch (error) {
    log("error", "password_key_missing", { requestId, linkId: id, ...describeError(error) });
    return errorPage(incoming, "unavailable");
  }
  // Asked again for a right guess too: of many concurrent guesses, only those within the limits may learn the result.
  const refusal = await refuseGuess(incoming, env, guess, !isRight);
  if (refusal !== null) return refusal;
  if (!isRight) {
    const recordAttack = () => recordPasswordAttack(db, id, hash, now);
    ctx.waitUntil(reportAttack(requestId, env, { kind: "link", id, accountId: entry.accountId, recordAttack }));
    return passwordPage(incoming, "wrong_password");
  }
  ctx.waitUntil(useFirstKey(requestId, env, db, { id, password, hash }));
  const link = { id, passwordTag: tagOf(hash) };
  const cookie = await createPasswordCookie(env, incoming.request, `/${slug}`, link, now);
  return redirectToLink(incoming, slug, { "Set-Cookie": cookie });
}

/** Stores a password that was made with an older key under the first key. Its tag stays, and so cookies stay valid. */
async function useFirstKey(
  requestId: string,
  env: Env,
  db: D1Database,
  { id, password, hash }: { id: string; password: string; hash: string },
): Promise<void> {
  try {
    const rehashed = await rehashPassword(env.ENCRYPTION_KEYS, id, password, hash);
    if (rehashed !== null) await replacePasswordHash(db, id, hash, rehashed);
  } catch (error) {
    log("warn", "password_rehash_failed", { requestId, linkId: id, ...describeError(error) });
  }
}

/** Returns the response to a guess that is not allowed, or null. With `counts` it counts against the limits. */
async function refuseGuess(
  incoming: IncomingRequest,
  env: Env,
  { slug, entry }: Guess,
  counts: boolean,
): Promise<Response | null> {
  const status = await checkGuess(incoming, env, entry.id, counts);
  if (status === null) return errorPage(incoming, "unavailable");
  return status.allowed ? null : tooManyGuesses(incoming, slug, status);
}

function tooManyGuesses(incoming: IncomingRequest, slug: string, { waitSeconds }: RateLimitStatus): Promise<Response> {
  return errorPage(incoming, "rate_limited", {
    waitSeconds,
    render: (texts) => renderLink(texts, incoming, slug),
    headers: { "Retry-After": String(waitSeconds) },
  });
}

/** Sends the browser back to the link with GET, which gives the present answer. */
function redirectToLink(incoming: IncomingRequest, slug: string, headers: Record<string, string> = {}): Response {
  const location = { Location: linkUrl(incoming, slug), "X-Request-Id": incoming.requestId };
  return new Response(null, { status: 303, headers: { ...PRIVATE_HEADERS, ...headers, ...location } });
}

function renderLink({ password }: PageTexts, incoming: IncomingRequest, slug: string): string {
  return `<p><a href="${escapeHtml(linkUrl(incoming, slug))}">${password.back}</a></p>`;
}

/** Path and query as the cookie's path needs them: without a trailing slash and percent-encoding. */
function linkUrl({ url }: IncomingRequest, slug: string): string {
  return url.query === "" ? `/${slug}` : `/${slug}?${url.query}`;
}

/** The field `password`, or '' if the form has none. */
async function readForm(request: Request): Promise<{ password: string } | { error: ErrorName }> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { error: "unsupported_media_type" };
  const bytes = await readLimited(request.body, MAX_PASSWORD_FORM_BYTES + 1).catch(() => null);
  if (bytes === null) return { error: "invalid_request" };
  if (bytes.byteLength > MAX_PASSWORD_FORM_BYTES) return { error: "payload_too_large" };
  return { password: new URLSearchParams(new TextDecoder().decode(bytes)).get("password") ?? "" };
}
