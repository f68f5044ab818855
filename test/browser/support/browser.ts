import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Replaces the user agent of headless Chromium, which counts as a crawler. */
export const VISITOR =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** The browser with its windows. It loads extensions, which the shell does not. */
export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The same engine without windows, which takes about a third less of the processor. */
const SHELL = "/usr/bin/chromium-headless-shell";

/** The arguments that every Chromium of the tests has. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Launches Chromium, which resolves tern.test and localhost to `serviceHost`, an address and a port. */
export function launchBrowser(serviceHost: string): Promise<Browser> {
  const hosts = `--host-resolver-rules=MAP tern.test ${serviceHost},MAP localhost ${serviceHost}`;
  const executablePath = process.env["CHROMIUM"] === undefined && existsSync(SHELL) ? SHELL : CHROMIUM;
  return chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS, hosts] });
}
