import { hasVersion } from "../../lib/etag.ts";
import { DOCUMENT_MAX_AGE_SECONDS } from "../limits.ts";
import type { IncomingRequest } from "../request-url.ts";
import { errorPage } from "./error-page.ts";
import { bodyResponse } from "./page.ts";

// The documents of the service as Markdown, for programs that read them. scripts/build-documents.ts makes the files.

/** What stands in the files for the origin of the installation. */
const ORIGIN = "__ORIGIN__";

/** Responds with `/llms.txt` or with a document such as `/docs/api/links.md`. The path is without the leading slash. */
export async function documentResponse(incoming: IncomingRequest, env: Env): Promise<Response> {
  const { request, url } = incoming;
  const file = await env.ASSETS.fetch(`https://assets/documents/${url.path}`);
  if (!file.ok) return errorPage(incoming, "not_found");
  const text = await file.text();
  const body = text.replaceAll(ORIGIN, env.BASE_URL === "" ? new URL(request.url).origin : env.BASE_URL);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const etag = new Uint8Array(digest).subarray(0, ETAG_BYTES).toHex();
  const headers = { ETag: `"${etag}"`, "Cache-Control": `public, max-age=${DOCUMENT_MAX_AGE_SECONDS}` };
  const type = url.path.endsWith(".md") ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
  const isKnown = hasVersion(request.headers.get("If-None-Match"), etag);
  return bodyResponse(incoming, isKnown ? null : body, isKnown ? 304 : 200, type, headers);
}

const ETAG_BYTES = 16;
