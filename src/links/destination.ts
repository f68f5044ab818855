import { isOwnUrl } from "../lib/hosts.ts";
import { MAX_URL_CHARS } from "../limits.ts";

const CONTROL_OR_SPACE = /[\p{Cc}\s]/u;

/**
 * Why the text cannot be a destination, or null where it can: an absolute http or https URL. Private
 * addresses are fine: it is the visitor's browser that goes there.
 */
export function destinationError(text: string): string | null {
  if (CONTROL_OR_SPACE.test(text) || !text.isWellFormed())
    return "must not hold spaces, control characters or broken Unicode";
  if (!/^https?:\/\//i.test(text)) return "must begin with http:// or https://";
  const url = URL.parse(text);
  if (url === null) return "must be a whole URL, such as https://example.com/page";
  if (url.href.length > MAX_URL_CHARS)
    return `must have at most ${MAX_URL_CHARS} characters, percent-encoding included`;
  return null;
}

/** Whether following the destination would come back to the service: a loop. */
export function leadsBack(destination: string, baseUrl: string): boolean {
  return isOwnUrl(new URL(destination), baseUrl);
}
