import { isLoopbackName } from "../../platform/lib/hosts.ts";
import { isConsole } from "../../platform/languages.ts";
import { languageOf } from "../../platform/lib/browser-language.ts";
import { browserPage, hasSession } from "./browser-page.ts";
import type { PageRequest } from "./page.ts";
import { redirectTo } from "./redirect-to.ts";

// The pages for browsers: the home page, the API reference and the dashboard. tools/scripts/build-dashboard.ts makes the files.

/** What stands in the dashboard's file for the kind of its first frame: with the navigation (`app`), or without (`open`). */
const FRAME = "__FRAME__";

/** The files by name. A deployment replaces the isolates too; on a developer's machine, a build replaces only the files. */
const files = new Map<string, string>();

/**
 * Responds with the page at one of these paths of the service domain, without the leading slash: the empty one,
 * `docs/reference`, `app` and all below it.
 */
export async function appPage(incoming: PageRequest, path: string, env: Env): Promise<Response> {
  const local = toLocalhost(incoming.request.url);
  if (local !== null) return redirectTo(local, 307, "no-store", incoming.requestId);
  const page = path === "" ? "home" : path === "docs/reference" ? "docs" : "app";
  const language = page === "docs" || isConsole(path) ? "en" : languageOf(incoming.request.headers);
  const name = language === "en" ? page : `${page}.${language}`;
  const isLocal = isLoopbackName(new URL(incoming.request.url).hostname);
  const file = (isLocal ? undefined : files.get(name)) ?? (await readFile(name, env));
  files.set(name, file);
  const isSignedIn = OPENS_SESSION.test(path) && hasSession(incoming.request);
  const headers = {
    "Content-Language": language,
    Vary: "Accept-Language, Cookie",
    ...(!IN_POPUP.test(path) && { "Cross-Origin-Opener-Policy": "same-origin" }),
    ...(page === "app" && { "X-Robots-Tag": "noindex" }),
    ...(isSignedIn && { Link: SESSION_PRELOAD }),
  };
  return browserPage(
    incoming,
    file.replace(FRAME, isSignedIn ? "app" : "open"),
    headers,
    EMBEDDED.test(path) ? "*" : undefined,
  );
}

/** A shared page for frames of other sites. It changes nothing, and its links open new tabs. */
const EMBEDDED = /^app\/embed\/[^/]+$/;

/**
 * Browsers read the session while they load the code that asks for it (dashboard/src/session.ts). They keep the response for
 * the first request with the same URL, mode and credentials, however late, so only pages that ask at once may have it.
 */
const SESSION_PRELOAD = "</api/auth/session>; rel=preload; as=fetch; crossorigin";
const OPENS_SESSION = /^app(?:\/?$|\/(?:links|analytics|moving|settings)(?:\/|$))/;

/**
 * The page that asks whether an app may use the account, and those through which people come there. An app opens it in a popup
 * and waits for a message of its own page, to which the popup goes last: each page on the way must keep the popup's opener.
 */
const IN_POPUP = /^app\/(?:authorize|sign-in|sign-up|verify-email|forgot-password|reset-password|restore-account)\/?$/;

/** Passkeys work under `localhost` only, not under the addresses of this machine. Returns null for other hosts. */
function toLocalhost(address: string): string | null {
  const url = new URL(address);
  if (url.hostname === "localhost" || !isLoopbackName(url.hostname)) return null;
  url.hostname = "localhost";
  return url.href;
}

async function readFile(name: string, env: Env): Promise<string> {
  const response = await env.ASSETS.fetch(`https://assets/pages/${name}.html`);
  if (!response.ok) throw new Error(`The file of the page ${name} is missing (${response.status}).`);
  return response.text();
}
