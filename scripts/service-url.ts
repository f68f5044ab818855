import { Failure, WRONG_USAGE } from "./command.ts";

const WORKERS_DEV = ".workers.dev";

/** The address of a deployed service: an https origin of a public name, without port and path. */
export function parseServiceUrl(text: string): URL {
  if (!URL.canParse(text)) throw wrongUrl(text, "is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:") throw wrongUrl(text, "must begin with https://");
  if (url.href !== `${url.origin}/`) throw wrongUrl(text, "must have nothing but a host behind https://");
  if (url.port !== "") throw wrongUrl(text, "must have no port");
  if (!/^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/.test(url.hostname)) throw wrongUrl(text, "must have a public host name");
  return url;
}

/**
 * The host to route to the Worker, or null on workers.dev, where Cloudflare gives every Worker the host
 * `<name of the Worker>.<subdomain of the account>.workers.dev`.
 */
export function customDomain({ hostname }: URL, workerName: string): string | null {
  if (!hostname.endsWith(WORKERS_DEV)) return hostname;
  const [name, subdomain, ...more] = hostname.slice(0, -WORKERS_DEV.length).split(".");
  if (name === workerName && subdomain !== undefined && more.length === 0) return null;
  throw new Failure(
    `On workers.dev this Worker has the address https://${workerName}.<your subdomain>.workers.dev.`,
    WRONG_USAGE,
  );
}

function wrongUrl(text: string, problem: string): Failure {
  return new Failure(
    `--url "${text}" ${problem}. It is the address of the service, such as https://go.example`,
    WRONG_USAGE,
  );
}
