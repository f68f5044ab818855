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

function wrongUrl(text: string, problem: string): Failure {
  return new Failure(
    `--url "${text}" ${problem}. It is the URL of the service, such as https://go.example`,
    WRONG_USAGE,
  );
}
