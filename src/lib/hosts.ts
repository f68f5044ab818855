const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a service at this host runs on the machine of whoever asks it. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/**
 * Whether the URL is on the service's own host. `baseUrl` is an origin; '' takes every host for the
 * service's own. On a developer's machine, every name of the loopback address is the same host.
 */
export function isOwnUrl(url: URL, baseUrl: string): boolean {
  if (baseUrl === "") return true;
  const base = new URL(baseUrl);
  if (url.host === base.host) return true;
  return LOOPBACK.has(url.hostname) && LOOPBACK.has(base.hostname) && url.port === base.port;
}

/** The service's origin where no request tells it. `baseUrl` is '' for a service that takes every host for its own. */
export function originWithoutRequest(baseUrl: string): string {
  return baseUrl === "" ? "http://localhost" : baseUrl;
}
