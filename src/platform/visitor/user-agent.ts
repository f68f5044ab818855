import UAParser from "my-ua-parser";
import { MAX_USER_AGENT_CHARS } from "../../limits.ts";
import { deviceOf, systemOf } from "./browser.ts";
import { isCrawler } from "./crawler.ts";
import type { Device } from "./kinds.ts";
import { libraryOf } from "./libraries.ts";
import { BROWSER_NAMES, BROWSER_PATTERNS, OS_NAMES, SYSTEM_PATTERNS } from "./user-agent-names.ts";

/** The program and the device that a user agent describes. */
export interface UserAgent {
  device: Device;
  /** A family without version, such as "Chrome"; the name of an HTTP library; otherwise "other". */
  browser: string;
  /** A family without version, such as "macOS"; otherwise "other". */
  os: string;
  /** A crawler, a link preview or a monitor. */
  bot: boolean;
}

/** All names are from a fixed set, whatever the input. */
export function readUserAgent(text: string): UserAgent {
  const userAgent = text.slice(0, MAX_USER_AGENT_CHARS);
  const parser = new UAParser(userAgent);
  const system = systemOf(userAgent);
  const os = system === "other" ? rareSystemOf(userAgent, parser) : system;
  const bot = isCrawler(userAgent);
  const library = bot ? null : libraryOf(userAgent);
  if (library !== null) return { device: "other", browser: library, os, bot };
  return { device: deviceOf(userAgent, system), browser: browserOf(userAgent, parser), os, bot };
}

function browserOf(userAgent: string, parser: UAParser): string {
  const own = BROWSER_PATTERNS.find(([pattern]) => pattern.test(userAgent));
  const name = own?.[1] ?? BROWSER_NAMES.get(parser.getBrowser().name?.toLowerCase() ?? "") ?? "other";
  // The parser recognises the web view of an app by a mark that not all of them have.
  return name === "Android Browser" && /\bChrome\//.test(userAgent) ? "Chrome" : name;
}

function rareSystemOf(userAgent: string, parser: UAParser): string {
  const own = SYSTEM_PATTERNS.find(([pattern]) => pattern.test(userAgent));
  return own?.[1] ?? OS_NAMES.get(parser.getOS().name?.toLowerCase() ?? "") ?? "other";
}
