import { verifySignature, sign } from "../../lib/hmac.ts";
import { MAX_PERMISSIONS_PER_REQUEST, PERMISSION_TTL_MS } from "../../limits.ts";

/**
 * What a visitor gets who gave a link's password: a cookie of this one path, which says until when and nothing
 * else. It is signed for the host, the link and the password that the link has now, so that it is of no use for another.
 */

const NAME = "link_permission";
const PURPOSE = "permission to follow a link with a password";

interface Locked {
  id: string;
  passwordTag: string | null;
}

/** The value of `Set-Cookie`. `slug` is as the visitor wrote it: browsers compare paths letter by letter. */
export async function createPasswordCookie(
  env: Env,
  request: Request,
  slug: string,
  link: Locked,
  now: number,
): Promise<string> {
  const until = now + PERMISSION_TTL_MS;
  const signature = await sign(env.ENCRYPTION_KEYS, PURPOSE, textOf(request, link, until));
  const secure = request.url.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${until}.${signature}; Path=/${slug}; Max-Age=${PERMISSION_TTL_MS / 1_000}; HttpOnly; SameSite=Lax${secure}`;
}

export async function hasPasswordCookie(env: Env, request: Request, link: Locked, now: number): Promise<boolean> {
  let looked = 0;
  for (const cookie of (request.headers.get("Cookie") ?? "").split(";")) {
    const [, until = "", signature = ""] = COOKIE.exec(cookie) ?? [];
    if (Number(until) <= now) continue;
    if (++looked > MAX_PERMISSIONS_PER_REQUEST) return false;
    if (await verifySignature(env.ENCRYPTION_KEYS, PURPOSE, textOf(request, link, Number(until)), signature))
      return true;
  }
  return false;
}

const COOKIE = new RegExp(`^ *${NAME}=(\\d{1,16})\\.([\\w+/=]{1,64}) *$`);

function textOf(request: Request, link: Locked, until: number): string {
  return JSON.stringify([new URL(request.url).host, link.id, link.passwordTag, until]);
}
