/** Matches keys, and the access tokens of apps. */
const KEY = /^(svc_sk_live_[0-9a-f]{64}|svc_at_[\w-]{43})$/;
/** Matches URLs whose traffic others cannot read: https, and http to this computer. 127.0.0.1 and other numbers are no names. */
const PRIVATE = /^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/;

/** A variable of the process. undefined where there are none or they may not be read. */
export function readVariable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    // Deno without --allow-env.
    return undefined;
  }
}

/** Throws for text that is no key or access token, and where others could read the key. The error does not contain it. */
export function checkKey(key: string, baseUrl: string): string {
  if (!KEY.test(key))
    throw new TypeError("The API key must be svc_sk_live_ and 64 hexadecimal characters, or an access token.");
  if (isWebPage()) throw new TypeError("An API key must not be in a web page.");
  if (!PRIVATE.test(baseUrl))
    throw new TypeError("baseUrl must begin with https://, so that nobody reads the API key.");
  return key;
}

/** Also a worker of a web page. Only browsers name themselves Mozilla. */
function isWebPage(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || (navigator?.userAgent ?? "").startsWith("Mozilla/");
}

/** The address without a slash at its end. */
export function checkBaseUrl(text: string): string {
  if (!/^https?:\/\/[^?#@]+$/i.test(text) || !URL.canParse(text))
    throw new TypeError("baseUrl must be the address of the service, such as https://go.example.");
  return new URL(text).href.replace(/\/+$/, "");
}
