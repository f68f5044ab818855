import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { startService, type Options } from "../../e2e/support/service.ts";
import { launchBrowser } from "./browser.ts";

/** Starts a service, and a Chromium that resolves its hosts to it. Both end after the tests of the file. */
export async function startServiceWithBrowser(options?: Options) {
  const service = await startService({ only: "here" }, options);
  afterAll(() => service.stop());
  const browser = await launchBrowser(service.isolates.only.address.host);
  afterAll(() => browser.close());
  return { service, browser };
}

/** Starts a website that answers each request with its path and referrer, and ends after the tests of the file. Returns its origin. */
export async function startDestinations(): Promise<string> {
  const server = createServer((request, response) =>
    response.end(`arrived at ${request.url} from ${request.headers.referer ?? "nowhere"}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
