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
