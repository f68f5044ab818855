import { describeApiPath, segmentsOf } from "./platform/api-paths.ts";
import type { IncomingRequest } from "./redirect/request-url.ts";

/** Path segments after `/api/` that get a hint. For others, `app.ts` is not loaded. */
export const HINTED_RESOURCES: ReadonlySet<string> = new Set([
  "account",
  "admin",
  "auth",
  "bulk",
  "claim",
  "clicks",
  "deep-links",
  "domains",
  "exports",
  "health",
  "imports",
  "jobs",
  "keys",
  "links",
  "listeners",
  "notes",
  "qr",
  "request-log",
  "service",
  "shared",
  "shared-pages",
  "shorten",
  "slugs",
  "tags",
  "teams",
  "usage",
  "utm-templates",
  "webhooks",
]);

/**
 * Replaces the page of an error by the API's path, for a program that called a path of the API without /api. Browsers, which
 * accept text/html, keep the page. Status, code and headers stay.
 */
export async function addApiHint({ request, url }: IncomingRequest, response: Response): Promise<Response> {
  const { status } = response;
  if (/text\/html/i.test(request.headers.get("Accept") ?? "")) return response;
  const [resource = ""] = segmentsOf(url.path);
  if (!HINTED_RESOURCES.has(resource)) return response;
  const { findPath } = await import("./app.ts");
  const meant = findPath(url.path);
  if (meant === null) return response;
  const [problem, code] =
    status === 404
      ? ["There is no such link.", "not_found"]
      : ["A short link does not support this method.", "method_not_allowed"];
  const headers = new Headers(response.headers);
  headers.set("Content-Type", "application/json");
  headers.delete("Content-Language");
  const body = JSON.stringify({ error: `${problem} ${describeApiPath(request.method, meant)}`, code });
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
