import { errorResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import type { IncomingRequest } from "./request-url.ts";

/** Responds at a path of the service domain for which `isServicePath` is true. */
export async function servePage(incoming: IncomingRequest, env: Env): Promise<Response> {
  const { path } = incoming.url;
  const page = path.endsWith("/") ? path.slice(0, -1) : path;
  if (page === "" && !(await hasOwner(env))) return redirectTo(CLAIM_PATH, 302, "no-store", incoming.requestId);
  if (isAppPath(page)) return (await import("./pages/app-page.ts")).appPage(incoming, page, env);
  if (isDocumentPath(page)) return (await import("./pages/document.ts")).documentResponse(incoming, page, env);
  if (page === ".well-known/security.txt")
    return (await import("./pages/security-text.ts")).securityText(incoming, env);
  // Files that exist are answered without the Worker.
  return errorResponse(incoming, "not_found");
}

/** Where a new installation is claimed. Browsers keep the part after `#`, which may be the setup code. */
const CLAIM_PATH = "/app/claim";

/** While the database fails, the home page is shown. */
async function hasOwner(env: Env): Promise<boolean> {
  const { isClaimed } = await import("../platform/installation/claimed.ts");
  return isClaimed(env.DB).catch(() => true);
}

/** Whether the path, without its slashes, is that of the home page, the API reference or the dashboard. */
function isAppPath(path: string): boolean {
  return path === "" || path === "docs/reference" || path === "app" || path.startsWith("app/");
}

/** Whether the path, without its slashes, is that of a document as a page or as Markdown. */
function isDocumentPath(path: string): boolean {
  return path === "docs" || path === "llms.txt" || (path.startsWith("docs/") && DOCUMENT.test(path));
}

/** Other characters would lead out of the folder. */
const DOCUMENT = /^docs\/(?:search\.json|(?:api\/|guides\/|security\/)?[\w-]+(?:\.md)?)$/;
