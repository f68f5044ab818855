export function toJson<Absent extends null | undefined>(value: readonly string[] | Absent): string | Absent {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/** Webhooks at the same host share its concurrency, whatever their ports. `example.com.` is `example.com`. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, "");
}

/** Parts of a path that are words in lower case, such as `hooks`, `order-created` or `v2`. */
const WORDS = /^(?:[a-z]{1,16}(?:[-_.][a-z]{1,16}){0,3}|v\d{1,2})$/;

/**
 * The URL of a webhook without what may be secret, such as the token that Slack has in the path: parts of the path that are
 * no words, and the query, are `…`. For the audit log, which is kept for longer than the webhook.
 */
export function toShownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const parts = pathname.split("/").map((part) => (part === "" || WORDS.test(part) ? part : "…"));
  return `${origin}${parts.join("/")}${search === "" ? "" : "?…"}`;
}
