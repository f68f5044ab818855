import { deviceByName } from "./devices.ts";
import { fnv1a } from "../lib/fnv1a.ts";
import { memoize } from "../lib/memoize.ts";
import type { Device, System } from "./kinds.ts";
import { MAX_KNOWN_TEXTS, MAX_USER_AGENT_CHARS } from "../../limits.ts";

/** What redirect rules read from a user agent. `user-agent.ts` reads more of it, after the redirect. */
export interface Browser {
  device: Device;
  os: System;
  /** Equal for all versions of one program. */
  fingerprint: number;
}

const detectMemoized = memoize(MAX_KNOWN_TEXTS, detect);

export function detectBrowser(userAgent: string): Browser {
  return detectMemoized(userAgent.length > MAX_USER_AGENT_CHARS ? userAgent.slice(0, MAX_USER_AGENT_CHARS) : userAgent);
}

function detect(userAgent: string): Browser {
  const os = systemOf(userAgent);
  const fingerprint = fnv1a(userAgent.replaceAll(/[\d._]+/g, ""));
  const device = BROWSER.test(userAgent) ? deviceOf(userAgent, os) : (deviceByName(userAgent) ?? "other");
  return Object.freeze({ device, os, fingerprint });
}

/** Rarer systems. Their user agents name a common one as well. */
const RARE =
  /\bWindows Phone\b|Harmony ?OS|OpenHarmony|\bXbox|PlayStation|Nintendo|\bApple ?TV|\btvOS|\bWatch ?OS|\bTizen|\bKAIOS|\bBlackBerry|\bBB10|\bweb0s|\bwebOS|\bhpwOS|^(?!.*\bAndroid\b).*\bCrKey|\bBSD|BSD\b|\bSymbian|\bS60|Series ?[46]0|\bBREW|\bMaemo|\bMeeGo|\bSailfish|\bSunOS|\bSolaris|\bFuchsia|\bBada\b|\bWindows CE\b/i;

const KNOWN: readonly (readonly [RegExp, System])[] = [
  [/\biP(?:hone|ad|od)\b|\(iOS;|\b(?:Cr|Fx|Edg)iOS\/|Macintosh.*\b(?:GSA|Mobile)\/|^(?!.*x86_64).*\bDarwin\//i, "iOS"],
  [/\bAndroid\b/i, "Android"],
  [/\bCrOS\b/i, "Chrome OS"],
  [/\bWin(?:32|64|(?:dows|NT|9[58])\b)/i, "Windows"],
  [/\bMac(?:intosh|_| ?OS)|\bDarwin\b/i, "macOS"],
  [/\bLinux|\bX11\b|Ubuntu|Debian|Fedora/i, "Linux"],
];

/** The system, if it is a common one. */
export function systemOf(userAgent: string): System {
  if (RARE.test(userAgent)) return "other";
  return KNOWN.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "other";
}

/** Browsers start with Mozilla or Opera, or name an engine. Other programs do not. */
const BROWSER = /^(?:Mozilla|Opera|Dalvik)\/(?!.*PowerShell)|WebKit|Gecko/i;

/** Rarer systems of desktops. */
const RARE_DESKTOP = /BSD|SunOS|Solaris|Haiku|\bAIX\b|Amiga|BeOS|HP-UX|OS\/2|MorphOS|OpenVMS|SerenityOS/i;

/** The device on which a browser or an app with this user agent runs. */
export function deviceOf(userAgent: string, os: System): Device {
  const named = deviceByName(userAgent);
  if (named !== null) return named;
  if (os === "Android") return androidOf(userAgent);
  if (os !== "other" && os !== "iOS") return "desktop";
  if (/\b(?:Mobile|Phone|BlackBerry|BB10)\b/i.test(userAgent)) return "mobile";
  if (/\bTablet\b/i.test(userAgent)) return "tablet";
  return os === "other" && RARE_DESKTOP.test(userAgent) ? "desktop" : "other";
}

// Browsers on phones say "Mobile", and those on tablets do not. Apps never say it.
function androidOf(userAgent: string): Device {
  if (/\bMobile\b/i.test(userAgent)) return "mobile";
  return userAgent.startsWith("Mozilla/") ? "tablet" : "mobile";
}
