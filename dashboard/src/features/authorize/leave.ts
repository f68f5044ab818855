import { schemeError } from "#src/identity/oauth/redirect-uri.ts";

/** Whether an app may get its answer there: a website, a program on this machine, or the program of a scheme. */
export function isSafeTarget(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && schemeError(url) === null;
}

/** Whether a browser opens the URL itself. Others start a program, and the page stays. */
export const isWebsite = (uri: string): boolean => /^https?:/i.test(uri);

/** Leads the window there by script, because the page's policy forbids forms that lead to other sites. */
export function leaveTo(uri: string): void {
  if (isSafeTarget(uri)) location.assign(uri);
}
