import UAParser from "my-ua-parser";
import { isCrawler, libraryOf } from "./crawler.ts";
import { MAX_USER_AGENT_CHARS } from "../limits.ts";
import { PHONES, TABLETS, THINGS } from "./devices.ts";
import { BROWSER_NAMES, BROWSERS, DESKTOP_SYSTEMS, OS_NAMES, SYSTEMS } from "./user-agent-names.ts";

/** What a click tells about the program and the machine that it came from. */
export interface Client {
  device: "desktop" | "mobile" | "tablet" | "other";
  /** A family without version, such as "Chrome"; of an HTTP library its name; else "other". */
  browser: string;
  /** A family without version, such as "macOS"; else "other". */
  os: string;
  /** A crawler, a link preview or a monitor. */
  bot: boolean;
}

/** The names come from a fixed set, whatever the input. */
export function readUserAgent(text: string): Client {
  const userAgent = text.slice(0, MAX_USER_AGENT_CHARS);
  const parser = new UAParser(userAgent);
  const os = osOf(userAgent, parser);
  const library = libraryOf(userAgent);
  if (library !== null) return { device: "other", browser: library, os, bot: false };
  const device = deviceOf(userAgent, parser.getDevice().type, os);
  return { device, browser: browserOf(userAgent, parser), os, bot: isCrawler(userAgent) };
}

function browserOf(userAgent: string, parser: UAParser): string {
  const own = BROWSERS.find(([pattern]) => pattern.test(userAgent));
  const name = own?.[1] ?? BROWSER_NAMES.get(parser.getBrowser().name?.toLowerCase() ?? "") ?? "other";
  // The parser knows the web view of an app by a mark that not all of them have.
  return name === "Android Browser" && /\bChrome\//.test(userAgent) ? "Chrome" : name;
}

function osOf(userAgent: string, parser: UAParser): string {
  const own = SYSTEMS.find(([pattern]) => pattern.test(userAgent));
  return own?.[1] ?? OS_NAMES.get(parser.getOS().name?.toLowerCase() ?? "") ?? "other";
}

// The user agent of an iPad that asks for desktop sites is a Mac's: nothing here can tell it.
function deviceOf(userAgent: string, type: string | undefined, os: string): Client["device"] {
  if (THINGS.test(userAgent)) return "other";
  if (type !== undefined && type !== "mobile" && type !== "tablet") return "other";
  if (TABLETS.test(userAgent)) return "tablet";
  if (PHONES.test(userAgent)) return "mobile";
  if (DESKTOP_SYSTEMS.has(os)) return "desktop";
  if (type !== undefined) return type;
  if (/\bMobile\b/i.test(userAgent)) return "mobile";
  // Browsers on tablets leave out "Mobile"; apps never say it.
  return os === "Android" ? (userAgent.startsWith("Mozilla/") ? "tablet" : "mobile") : "other";
}
