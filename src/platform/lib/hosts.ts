const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the host is the local machine. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/**
 * Whether the URL is on the service's own host. `baseUrl` is an origin; with '' every host is the service's own. All
 * loopback names count as the same host, for local development. A final dot changes no host.
 */
export function isOwnUrl(url: URL, baseUrl: string): boolean {
  if (baseUrl === "") return true;
  const base = new URL(baseUrl);
  const [hostname, own] = [withoutRoot(url.hostname), withoutRoot(base.hostname)];
  return url.port === base.port && (hostname === own || (LOOPBACK.has(hostname) && LOOPBACK.has(own)));
}

/** The host name without the final dot, which stands for the root of all names. */
export function withoutRoot(hostname: string): string {
  return hostname.replace(/\.$/, "");
}

/** The service's origin for code that has no request. `baseUrl` is '' if every host is the service's own. */
export function originWithoutRequest(baseUrl: string): string {
  return baseUrl === "" ? "http://localhost" : baseUrl;
}

/** Whether the service runs in `wrangler dev` without `npm start`: the build hook has written it into .dev.vars. */
export function isInWranglerDev({ WRANGLER_DEV }: Pick<Env, "WRANGLER_DEV">): boolean {
  return /\bon\b/.test(WRANGLER_DEV);
}

/** Whether the host is this domain or a subdomain of it. Neither has a trailing dot. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
