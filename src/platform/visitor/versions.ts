import UAParser from "my-ua-parser";
import { MAX_USER_AGENT_CHARS } from "../../limits.ts";
import { BROWSER_NAMES, OS_NAMES } from "./user-agent-names.ts";
import type { UserAgent } from "./user-agent.ts";

/** Texts such as "143" and "17.2"; null: unknown. */
export interface Versions {
  browserVersion: string | null;
  osVersion: string | null;
}

/**
 * Versions that browsers name whatever the system has, so that they tell nothing: all later Windows, macOS and Android.
 * https://www.chromium.org/updates/ua-reduction/
 */
const FROZEN: ReadonlySet<string> = new Set(["Windows 10", "macOS 10.15.7", "macOS 10.15", "Android 10"]);

/** The main version of the browser and the version of the system that a user agent names, for these families. */
export function readVersions(text: string, { browser, os }: Pick<UserAgent, "browser" | "os">): Versions {
  const parser = new UAParser(text.slice(0, MAX_USER_AGENT_CHARS));
  const [ownBrowser, ownOs] = [parser.getBrowser(), parser.getOS()];
  const isBrowser = BROWSER_NAMES.get(ownBrowser.name?.toLowerCase() ?? "") === browser;
  const isOs = OS_NAMES.get(ownOs.name?.toLowerCase() ?? "") === os;
  const [browserVersion] = isBrowser ? digitsOf(ownBrowser.version).split(".") : [];
  const osVersion = isOs ? digitsOf(ownOs.version) : "";
  return {
    browserVersion: browserVersion || null,
    osVersion: osVersion === "" || FROZEN.has(`${os} ${osVersion}`) ? null : osVersion,
  };
}

/** The leading digits and dots of a version, in bounds: a user agent may have any number of them. */
function digitsOf(version: string | undefined): string {
  return /^\d{1,6}(?:\.\d{1,6}){0,2}/.exec(version ?? "")?.[0] ?? "";
}
