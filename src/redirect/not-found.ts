import { isClick } from "../click-log/capture/click.ts";
import type { DomainEntry } from "./lookup/domain-entry.ts";
import { isUncounted } from "./own-visits.ts";
import { errorResponse } from "./pages/error-response.ts";
import type { IncomingRequest } from "./request-url.ts";
import { findDomain, noDomainResponse, redirectElsewhere } from "./visited-domain.ts";

/**
 * The response for an unknown path: the custom domain's own page for it, or that of the link whose short URL stands between
 * stray characters, or a 404.
 */
export async function notFoundResponse(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (incoming.url.domain === "")
    return (await serveStrayPath(incoming, false, env, ctx)) ?? errorResponse(incoming, "not_found");
  const domain = await findDomain(incoming, env, ctx);
  if (domain.outcome !== "found") return noDomainResponse(incoming, domain);
  const { entry } = domain;
  const forwarded = entry.pathForwarding === true ? await forward(incoming, env, ctx) : null;
  if (forwarded !== null) return forwarded;
  const elsewhere = redirectElsewhere(entry.notFoundLocation, incoming, env);
  const stray = elsewhere === null ? await serveStrayPath(incoming, entry.nestedSlugs === true, env, ctx) : null;
  if (stray !== null) return stray;
  countOrphan(incoming, entry, env, ctx);
  return elsewhere ?? errorResponse({ ...incoming, brand: entry }, "not_found");
}

async function serveStrayPath(
  incoming: IncomingRequest,
  hasNestedSlugs: boolean,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const elsewhere = await import("./elsewhere.ts");
  return elsewhere.serveStrayPath(incoming, hasNestedSlugs, env, ctx);
}

async function forward(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response | null> {
  const { forwardPath } = await import("./forward-path.ts");
  return forwardPath(incoming, env, ctx);
}

/** Nobody waits for it. `ANONYMOUS_HOST` is of no account. */
function countOrphan(
  { request, url: { domain, path } }: IncomingRequest,
  { accountId }: Partial<DomainEntry>,
  env: Env,
  ctx: ExecutionContext,
): void {
  if (
    accountId === undefined ||
    env.NOT_RECORDED.includes("orphan-visits") ||
    !isClick(request) ||
    isUncounted(request)
  )
    return;
  ctx.waitUntil(
    import("../click-log/capture/orphan-visits.ts").then(({ countOrphanVisit }) =>
      countOrphanVisit(request, { accountId, domain, path }, env),
    ),
  );
}
