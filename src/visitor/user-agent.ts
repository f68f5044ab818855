import UAParser from "my-ua-parser";
import { MAX_USER_AGENT_CHARS } from "../limits.ts";
import type { Device } from "./client.ts";
import { isCrawler } from "./crawler.ts";
import { deviceByName } from "./devices.ts";
import { libraryOf } from "./libraries.ts";
import { BROWSER_NAMES, BROWSERS, DESKTOP_SYSTEMS, OS_NAMES, SYSTEMS } from "./user-agent-names.ts";

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
  const os = osOf(userAgent, parser);
  const bot = isCrawler(userAgent);
  const library = bot ? null : libraryOf(userAgent);
  if (library !== null) return { device: "other", browser: library, os, bot };
  const device = deviceOf(userAgent, parser.getDevice().type, os);
  return { device, browser: browserOf(userAgent, parser), os, bot };
}

function browserOf(userAgent: string, parser: UAParser): string {
  const own = BROWSERS.find(([pattern]) => pattern.test(userAgent));
  const name = own?.[1] ?? BROWSER_NAMES.get(parser.getBrowser().name?.toLowerCase() ?? "") ?? "other";
  // The parser recognises the web view of an app by a mark that not all of them have.
  return name === "Android Browser" && /\bChrome\//.test(userAgent) ? "Chrome" : name;
}

function osOf(userAgent: string, parser: UAParser): string {
  const own = SYSTEMS.find(([pattern]) => pattern.test(userAgent));
  return own?.[1] ?? OS_NAMES.get(parser.getOS().name?.toLowerCase() ?? "") ?? "other";
}

// Safari on an iPad that requests desktop sites sends the user agent of a Mac, so it counts as a desktop.
function deviceOf(userAgent: string, type: string | undefined, os: string): Device {
  const named = deviceByName(userAgent);
  if (named !== null) return named;
  if (type === "smarttv") return "tv";
  if (type === "console") return "console";
  if (type !== undefined && type !== "mobile" && type !== "tablet") return "other";
  if (DESKTOP_SYSTEMS.has(os)) return "desktop";
  if (type !== undefined) return type;
  if (/\bMobile\b/i.test(userAgent)) return "mobile";
  // Browsers on phones say "Mobile", and those on tablets do not. Apps never say it.
  return os === "Android" ? (userAgent.startsWith("Mozilla/") ? "tablet" : "mobile") : "other";
}
