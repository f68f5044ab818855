import { hasVersion } from "../../platform/lib/etag.ts";
import { DOCUMENT_MAX_AGE_SECONDS } from "../limits.ts";
import type { IncomingRequest } from "../request-url.ts";
import { browserPage } from "./browser-page.ts";
import { errorPage } from "./error-page.ts";
import { bodyResponse } from "./page.ts";

// The documents of the service: pages for people, and Markdown for programs. tools/scripts/build-documents.ts makes the files.

/** What stands in the files for the origin of the installation, and for its host. */
const ORIGIN = "__ORIGIN__";
const HOST = "__HOST__";

const TYPES = { md: "text/markdown; charset=utf-8", txt: "text/plain; charset=utf-8", json: "application/json" };

/**
 * Responds with a page such as `/docs/api/links`, with the same as Markdown (`/docs/api/links.md`), with `/llms.txt` or with
 * what the search of the pages reads (`/docs/search.json`). `path` has no slash at its ends.
 */
export async function documentResponse(incoming: IncomingRequest, path: string, env: Env): Promise<Response> {
  const { request } = incoming;
  const [, extension] = /\.(md|txt|json)$/.exec(path) ?? [];
  const file = await env.ASSETS.fetch(`https://assets/documents/${path}${extension === undefined ? ".html" : ""}`);
  if (!file.ok) return errorPage(incoming, "not_found");
  const text = await file.text();
  const origin = env.BASE_URL === "" ? new URL(request.url).origin : env.BASE_URL;
  const body = text.replaceAll(ORIGIN, origin).replaceAll(HOST, new URL(origin).host);
  if (extension === undefined)
    return browserPage(incoming, body, {
      "Cross-Origin-Opener-Policy": "same-origin",
    });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const etag = new Uint8Array(digest).subarray(0, ETAG_BYTES).toHex();
  const headers = { ETag: `"${etag}"`, "Cache-Control": `public, max-age=${DOCUMENT_MAX_AGE_SECONDS}` };
  const type = TYPES[extension as keyof typeof TYPES];
  const isKnown = hasVersion(request.headers.get("If-None-Match"), etag);
  return bodyResponse(incoming, isKnown ? null : body, isKnown ? 304 : 200, type, headers);
}

const ETAG_BYTES = 16;
