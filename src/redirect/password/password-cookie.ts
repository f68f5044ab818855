import { sign, verifySignature } from "../../platform/lib/hmac.ts";
import { PASSWORD_COOKIE_TTL_MS } from "../../limits.ts";
import { MAX_PASSWORD_COOKIES_PER_REQUEST } from "../limits.ts";

// The cookie of a visitor who entered the password of a link or a shared page. It holds an expiry and a signature over the
// host, the id and the current password, so it is valid for nothing else.

// Not __Host-, which needs Path=/: then a browser would send the cookies of all links with each request.
const NAME = "link_permission";
const SECURE_NAME = `__Secure-${NAME}`;
const PURPOSE = "cookie of a password";

interface Protected {
  /** The id of a link or a shared page. */
  id: string;
  passwordTag: string | null;
}

/** The value of `Set-Cookie`. `path` is as the visitor wrote it, because browsers compare paths by case. */
export async function createPasswordCookie(
  env: Env,
  request: Request,
  path: string,
  resource: Protected,
  now: number,
): Promise<string> {
  const expiresAt = now + PASSWORD_COOKIE_TTL_MS;
  const signature = await sign(env.ENCRYPTION_KEYS, PURPOSE, signedText(request, resource, expiresAt));
  const [name, secure] = isSecure(request) ? [SECURE_NAME, "; Secure"] : [NAME, ""];
  return `${name}=${expiresAt}.${signature}; Path=${path}; Max-Age=${PASSWORD_COOKIE_TTL_MS / 1_000}; HttpOnly; SameSite=Lax${secure}`;
}

export async function hasPasswordCookie(
  env: Env,
  request: Request,
  resource: Protected,
  now: number,
): Promise<boolean> {
  const pattern = isSecure(request) ? SECURE_COOKIE : COOKIE;
  let verified = 0;
  for (const cookie of (request.headers.get("Cookie") ?? "").split(";")) {
    const [, expiresAt = "", signature = ""] = pattern.exec(cookie) ?? [];
    if (Number(expiresAt) <= now) continue;
    if (++verified > MAX_PASSWORD_COOKIES_PER_REQUEST) return false;
    const text = signedText(request, resource, Number(expiresAt));
    if (await verifySignature(env.ENCRYPTION_KEYS, PURPOSE, text, signature)) return true;
  }
  return false;
}

const COOKIE = cookieOf(NAME);
const SECURE_COOKIE = cookieOf(SECURE_NAME);

function cookieOf(name: string): RegExp {
  return new RegExp(`^ *${name}=(\\d{1,16})\\.([\\w+/=]{1,64}) *$`);
}

/** Whether the visitor uses https. Browsers refuse the prefix __Secure- over http, as on localhost. */
function isSecure(request: Request): boolean {
  return request.url.startsWith("https:");
}

function signedText(request: Request, resource: Protected, expiresAt: number): string {
  return JSON.stringify([new URL(request.url).host, resource.id, resource.passwordTag, expiresAt]);
}
