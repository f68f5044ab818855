import { describeApiPath, findApiPath } from "../api-paths.ts";
import type { IncomingRequest } from "./request-url.ts";

/**
 * Replaces the page of an error by the API's path, for a program that called a path of the API without /api. Browsers, which
 * accept text/html, keep the page. Status, code and headers stay.
 */
export function addApiHint({ request, url }: IncomingRequest, response: Response): Response {
  const { status } = response;
  if ((status !== 404 && status !== 405) || /text\/html/i.test(request.headers.get("Accept") ?? "")) return response;
  const meant = findApiPath(url.path);
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
