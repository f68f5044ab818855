import { readLimited } from "../../lib/read-limited.ts";
import { isPassword, tagOf } from "../../lib/password.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import {
  LINK_READ_TIMEOUT_MS,
  MAX_GUESS_BODY_BYTES,
  PASSWORD_GUESSES_AT_ALL_LINKS,
  PASSWORD_GUESSES_PER_ADDRESS,
  PASSWORD_GUESSES_PER_LINK,
} from "../../limits.ts";
import { checkRateLimit } from "../../rate-limit/check.ts";
import { clientOf } from "../../rate-limit/client.ts";
import type { Decision } from "../../rate-limit/window.ts";
import type { Incoming } from "../request-url.ts";
import { toEntry, type RedirectEntry, type RedirectRow } from "../lookup/entry.ts";
import { peekLink } from "../lookup/peek-link.ts";
import { escapeHtml, PRIVATE, refuse, type Refusal } from "../pages/page.ts";
import { message } from "../pages/pages.ts";
import { passwordPage } from "./password-page.ts";
import { readPath } from "../path.ts";
import { createPasswordCookie } from "./password-cookie.ts";
import { publishEntry } from "../lookup/resolve.ts";
import { findLinkAtPrimary } from "../lookup/store.ts";

/** A POST to a short link: of one with a password it is the form of its page, of others it is refused. */
export async function answerPasswordForm(incoming: Incoming, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { requestId, address } = incoming;
  const asked = readPath(address.path);
  if (asked === null || asked.plus) return message(incoming, "method_not_allowed");
  const now = Date.now();
  const link = { slug: asked.slug, domain: address.domain, now };
  const resolution = await peekLink(env, ctx, { ...link, requestId });
  if (resolution.outcome === "unavailable") return message(incoming, "unavailable");
  if (resolution.outcome === "unknown") return message(incoming, "method_not_allowed");
  if (resolution.entry.passwordTag === null)
    return refuse(incoming, { ...NO_PASSWORD, html: wayBack(incoming, asked.slug) });
  const { outcome, entry } = resolution;
  if (outcome === "used_up" || (entry.expiresAt !== null && entry.expiresAt <= now)) return again(incoming, asked.slug);

  const form = await readForm(incoming.request);
  if ("refusal" in form) return refuse(incoming, form.refusal);
  if (form.password === "") return passwordPage(incoming, "required");
  const decision = await countGuess(incoming, env, entry);
  if (decision === null) return message(incoming, "unavailable");
  if (!decision.allowed) return tooManyGuesses(incoming, asked.slug, decision);
  return check(incoming, env, { ...link, entry, guess: form.password });
}

interface Guess {
  domain: string;
  slug: string;
  now: number;
  entry: RedirectEntry;
  guess: string;
}

async function check(incoming: Incoming, env: Env, { domain, slug, now, entry, guess }: Guess): Promise<Response> {
  let row: RedirectRow | null;
  try {
    row = await withTimeout(findLinkAtPrimary(env.DB, domain, slug), LINK_READ_TIMEOUT_MS);
  } catch (error) {
    log("warn", "password_read_failed", { requestId: incoming.requestId, ...describeError(error) });
    return message(incoming, "unavailable");
  }
  if (row === null) return again(incoming, slug);
  // The permission is for the password that the link has now: those who look at it must know that too.
  if (row.updated_at !== entry.updatedAt || row.id !== entry.id)
    await publishEntry(domain, slug, toEntry(row, now), now);
  const { password_hash: hash } = row;
  if (hash === null || row.id !== entry.id) return again(incoming, slug);
  if (!(await isPassword(guess, hash))) return passwordPage(incoming, "wrong");
  const permission = await createPasswordCookie(
    env,
    incoming.request,
    slug,
    { id: row.id, passwordTag: tagOf(hash) },
    now,
  );
  return again(incoming, slug, { "Set-Cookie": permission });
}

/** Counted before it is looked at: for the address, and for all addresses together. Null: the limiter does not answer. */
async function countGuess({ request, requestId }: Incoming, env: Env, { id }: RedirectEntry): Promise<Decision | null> {
  const client = clientOf(request.headers);
  const counts = [
    { name: `password ${id} ${client}`, limit: PASSWORD_GUESSES_PER_ADDRESS },
    { name: `password ${client}`, limit: PASSWORD_GUESSES_AT_ALL_LINKS },
    // Many visitors are no single one who could be told to wait: no penalty.
    { name: `password ${id}`, limit: PASSWORD_GUESSES_PER_LINK, penalties: false },
  ];
  let decision: Decision | null = null;
  for (const count of counts) {
    decision = await checkRateLimit({ env, requestId, operation: "password", ...count });
    if (decision === null || !decision.allowed) break;
  }
  return decision;
}

function tooManyGuesses(incoming: Incoming, slug: string, { waitMs }: Decision): Response {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return refuse(incoming, {
    status: 429,
    code: "rate_limited",
    title: "Too many guesses",
    text: `Try again in ${seconds} seconds.`,
    html: wayBack(incoming, slug),
    headers: { "Retry-After": String(seconds) },
  });
}

/** To the same link with GET, which answers whatever there is to answer now. */
function again(incoming: Incoming, slug: string, headers: Record<string, string> = {}): Response {
  const all = { ...PRIVATE, ...headers, Location: addressOf(incoming, slug), "X-Request-Id": incoming.requestId };
  return new Response(null, { status: 303, headers: all });
}

function wayBack(incoming: Incoming, slug: string): string {
  return `<p><a href="${escapeHtml(addressOf(incoming, slug))}">Back to the link</a></p>`;
}

/** Path and query, as the cookie's path needs them: without a slash at the end or percent-encoding. */
function addressOf({ address }: Incoming, slug: string): string {
  return address.query === "" ? `/${slug}` : `/${slug}?${address.query}`;
}

/** Any more, or as far as this isolate knows: whoever has the form before them is not to be left there. */
const NO_PASSWORD = {
  status: 405,
  code: "method_not_allowed",
  title: "This link asks for no password",
  text: "It takes GET and HEAD requests and no others.",
  headers: { Allow: "GET, HEAD" },
};
const NO_FORM = {
  status: 415,
  code: "unsupported_media_type",
  title: "This is not the form of a password",
  text: "Send the field password as application/x-www-form-urlencoded.",
};
const NOT_WHOLE = {
  status: 400,
  code: "invalid_request",
  title: "The form did not arrive whole",
  text: "Send it again.",
};
const TOO_LARGE = {
  status: 413,
  code: "payload_too_large",
  title: "This is too long for a password",
  text: `The form may have at most ${MAX_GUESS_BODY_BYTES} bytes.`,
};

/** The field `password`; '' where the form has none. */
async function readForm(request: Request): Promise<{ password: string } | { refusal: Refusal }> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { refusal: NO_FORM };
  const bytes = await readLimited(request.body, MAX_GUESS_BODY_BYTES + 1).catch(() => null);
  if (bytes === null) return { refusal: NOT_WHOLE };
  if (bytes.byteLength > MAX_GUESS_BODY_BYTES) return { refusal: TOO_LARGE };
  return { password: new URLSearchParams(new TextDecoder().decode(bytes)).get("password") ?? "" };
}
