import { env } from "cloudflare:workers";
import { scrypt } from "node:crypto";
import { buildRequest, call, send, type CallOptions } from "./api.ts";
import { freshAddress } from "./address.ts";

export const PASSWORD = "correct horse";

/** Sends the form of a link's page. */
export function guess(path: string, password: string, options: CallOptions = {}): Promise<Response> {
  return call("POST", path, guessOptions(password, options));
}

/** The same with other bindings. */
export function guessWith(path: string, password: string, bindings: Partial<Env>): Promise<Response> {
  return send(buildRequest("POST", path, guessOptions(password, {})), bindings);
}

function guessOptions(password: string, { headers, address = freshAddress(), ...others }: CallOptions): CallOptions {
  const body = new URLSearchParams({ password }).toString();
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  return { body, headers: { ...type, ...headers }, address, ...others };
}

/** The cookie that the response sets, as a browser sends it back. */
export function cookieOf(response: Response): string {
  const [cookie = ""] = (response.headers.get("Set-Cookie") ?? "").split(";", 1);
  if (cookie === "") throw new Error(`no cookie: ${response.status}`);
  return cookie;
}

/** Follows the link with the cookie. */
export function visitWith(path: string, cookie: string, headers: Record<string, string> = {}): Promise<Response> {
  return call("GET", path, { headers: { Cookie: cookie, ...headers } });
}

/** Puts a hash of {@link PASSWORD} in the place of the link's own that costs next to nothing to compare, for many guesses. */
export async function cheapen(slug: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await new Promise<Uint8Array>((resolve, reject) => {
    scrypt(PASSWORD, salt, 32, { N: 2, r: 1, p: 1, maxmem: 1_000_000 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
  const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  await env.DB.prepare("UPDATE links SET password_hash = ?1, updated_at = updated_at + 1 WHERE slug = ?2")
    .bind(["scrypt", 2, 1, 1, base64(salt), base64(key)].join("$"), slug)
    .run();
}
