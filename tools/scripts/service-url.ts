import { Failure, WRONG_USAGE } from "./command.ts";

const WORKERS_DEV = ".workers.dev";

/** Reads the URL of a deployed service: an https origin with a public host name, without port and path. */
export function parseServiceUrl(text: string): URL {
  if (!URL.canParse(text)) throw wrongUrl(text, "is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:") throw wrongUrl(text, "must start with https://");
  if (url.href !== `${url.origin}/`) throw wrongUrl(text, "must have only a host after https://");
  if (url.port !== "") throw wrongUrl(text, "must not have a port");
  if (!/^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/.test(url.hostname)) throw wrongUrl(text, "must have a public host name");
  return url;
}

/**
 * Returns the host to route to the Worker. Null on workers.dev, where Cloudflare routes the host
 * `<name of the Worker>.<subdomain of the account>.workers.dev` by itself.
 */
export function customDomain({ hostname }: URL, workerName: string): string | null {
  if (!hostname.endsWith(WORKERS_DEV)) return hostname;
  const [name, subdomain, ...more] = hostname.slice(0, -WORKERS_DEV.length).split(".");
  if (name === workerName && subdomain !== undefined && more.length === 0) return null;
  throw new Failure(
    `On workers.dev the URL of this Worker is https://${workerName}.<your subdomain>.workers.dev.`,
    WRONG_USAGE,
  );
}

/** Throws unless the value of `ANONYMOUS_HOST` is empty or a host name that is not the service's own. */
export function checkAnonymousHost(host: string, serviceHost: string | undefined): void {
  if (host === "") return;
  if (!HOST_NAME.test(host) || host.length > MAX_HOST_CHARS) throw wrongHost(host, "is not a host name in lower case");
  if (host === serviceHost) throw wrongHost(host, "is the service's own host");
}

const HOST_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_HOST_CHARS = 253;

/** As {@link checkAnonymousHost} for a deployment at the URL, where the host becomes a domain of the Worker. */
export function checkAnonymousDomain(host: string, url: URL | null, workersDev: boolean | undefined): void {
  checkAnonymousHost(host, url?.hostname);
  if (host === "") return;
  if (host.endsWith(WORKERS_DEV)) throw wrongHost(host, "must be in a domain of your Cloudflare account");
  if ((url?.hostname ?? WORKERS_DEV).endsWith(WORKERS_DEV) && workersDev !== true)
    throw new Failure(
      `With ANONYMOUS_HOST, a service on workers.dev needs workers_dev = true in its settings.`,
      WRONG_USAGE,
    );
}

function wrongHost(host: string, problem: string): Failure {
  return new Failure(
    `ANONYMOUS_HOST "${host}" ${problem}. It is the host of links without an account, such as "go.example.net", or empty.`,
    WRONG_USAGE,
  );
}

function wrongUrl(text: string, problem: string): Failure {
  return new Failure(
    `--url "${text}" ${problem}. It is the URL of the service, such as https://go.example`,
    WRONG_USAGE,
  );
}
