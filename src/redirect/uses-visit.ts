import { isClick } from "../click-log/capture/click.ts";
import type { RedirectEntry } from "./lookup/entry.ts";

/**
 * Whether the request uses one of the visits of a link with a limit. Crawlers, link previews and visitors without the
 * password do not, and nobody does at a blocked link.
 */
export async function usesVisit(request: Request, entry: RedirectEntry, now: number, env: Env): Promise<boolean> {
  if (!isClick(request)) return false;
  if (entry.verdict !== 0 && (await isBlocked(entry))) return false;
  if (entry.passwordTag !== null && !(await isUnlocked(request, entry, now, env))) return false;
  // Imported on demand: only links with a limit need it.
  const { isCrawler } = await import("../platform/visitor/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

/** Whether the visitor has entered the password of the link. */
export async function isUnlocked(request: Request, entry: RedirectEntry, now: number, env: Env): Promise<boolean> {
  const { hasPasswordCookie } = await import("./password/password-cookie.ts");
  return hasPasswordCookie(env, request, entry, now);
}

async function isBlocked(entry: RedirectEntry): Promise<boolean> {
  const { unpackVerdict } = await import("./verdict.ts");
  return unpackVerdict(entry.verdict).state === "blocked";
}
