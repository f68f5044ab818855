import { describeApiPath, mayMeanApi } from "./api-paths.ts";
import type { IncomingRequest } from "./redirect/request-url.ts";

/**
 * Replaces the page of an error by the API's path, for a program that called a path of the API without /api. Status, code and
 * headers stay.
 */
export async function addApiHint({ request, url }: IncomingRequest, response: Response): Promise<Response> {
  const { status } = response;
  if (!mayMeanApi(request, url.path)) return response;
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
