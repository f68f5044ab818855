import { OpenAPIHono, z, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { authenticate, authenticateIfClaimed, hasCredentials } from "./auth/authenticate.ts";
import type { Permission } from "./auth/permissions.ts";
import type { AuthEnv, MaybeAuthEnv } from "./auth/principal.ts";
import * as bulkContract from "./links/bulk/contract.ts";
import * as bulk from "./links/bulk/routes.ts";
import * as clickContract from "./clicks/analytics/contract.ts";
import * as clicks from "./clicks/analytics/routes.ts";
import * as deepLinkContract from "./deep-links/contract.ts";
import * as deepLinks from "./deep-links/routes.ts";
import * as domainContract from "./domains/contract.ts";
import * as domains from "./domains/routes.ts";
import { boundedBody } from "./http/body.ts";
import { requestContext, type HttpEnv } from "./http/context.ts";
import { onError, unauthorized } from "./http/errors.ts";
import { unknownRoute } from "./http/not-found.ts";
import { describeRoute, openApiDocument } from "./http/openapi.ts";
import { onInvalid } from "./http/validation.ts";
import * as keyContract from "./keys/contract.ts";
import * as keys from "./keys/routes.ts";
import * as linkContract from "./links/contract.ts";
import * as links from "./links/routes.ts";
import * as visitors from "./links/public-contract.ts";
import * as healthContract from "./health/contract.ts";
import * as health from "./health/routes.ts";
import { MAX_BODY_BYTES, MAX_BULK_BODY_BYTES, RATE_LIMITS } from "./limits.ts";
import * as qrContract from "./qr/contract.ts";
import * as qr from "./qr/routes.ts";
import { rateLimit, type Operation } from "./rate-limit/middleware.ts";
import * as webhookContract from "./webhooks/contract.ts";
import * as webhooks from "./webhooks/routes.ts";

/** The API. Every URL it has is in this file; what they do is elsewhere. */
export const app = new OpenAPIHono<HttpEnv>({ defaultHook: onInvalid });

app.onError(onError);
app.notFound(unknownRoute(app));
app.use(requestContext);

// Keys do not belong in web pages: only what needs none may be called from one.
app.use("/api/openapi.json", cors({ origin: "*", allowMethods: ["GET"] }));
app.use(
  "/api/shorten",
  cors({
    origin: (origin, c) => (hasCredentials(c) ? null : "*"),
    allowMethods: ["POST"],
    allowHeaders: ["Content-Type"],
    exposeHeaders: ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"],
  }),
);

// Links (4.2)
app.openapi(guard(linkContract.createLink, "POST /api/links", "links:write"), links.createLink);
app.openapi(guard(linkContract.listLinks, "GET /api/links", "links:read"), links.listLinks);
app.openapi(
  guard(bulkContract.createLinks, "POST /api/links/bulk", "links:write", MAX_BULK_BODY_BYTES),
  bulk.createLinks,
);
app.openapi(guard(bulkContract.updateLinks, "PATCH /api/links/bulk", "links:write"), bulk.updateLinks);
app.openapi(guard(bulkContract.deleteLinks, "DELETE /api/links/bulk", "links:write"), bulk.deleteLinks);
app.openapi(guard(linkContract.upsertLink, "PUT /api/links/upsert", "links:write"), links.upsertLink);
app.openapi(guard(linkContract.getLink, "GET /api/links/:id", "links:read"), links.getLink);
app.openapi(guard(linkContract.updateLink, "PATCH /api/links/:id", "links:write"), links.updateLink);
app.openapi(guard(linkContract.deleteLink, "DELETE /api/links/:id", "links:write"), links.deleteLink);
app.openapi(guardShorten(linkContract.shorten), links.shorten);

// Clicks (4.2)
app.openapi(guard(clickContract.getLinkClicks, "GET /api/links/:id/clicks", "clicks:read"), clicks.getLinkClicks);
app.openapi(
  guard(clickContract.listLinkClicks, "GET /api/links/:id/clicks/records", "clicks:read"),
  clicks.listLinkClicks,
);
app.openapi(guard(clickContract.getClicks, "GET /api/clicks", "clicks:read"), clicks.getClicks);
app.openapi(guard(clickContract.listClicks, "GET /api/clicks/records", "clicks:read"), clicks.listClicks);

// QR codes (4.2)
app.openapi(guard(qrContract.getLinkQrCode, "GET /api/links/:id/qr", "links:read"), qr.getLinkQrCode);
app.openapi(guard(qrContract.makeQrCode, "POST /api/qr"), qr.makeQrCode);

// Deep links (4.2)
app.openapi(
  guard(deepLinkContract.getLinkDeepLinks, "GET /api/deep-links/links/:id", "links:read"),
  deepLinks.getLinkDeepLinks,
);
app.openapi(
  guard(deepLinkContract.updateLinkDeepLinks, "PATCH /api/deep-links/links/:id", "links:write"),
  deepLinks.updateLinkDeepLinks,
);
app.openapi(
  guard(deepLinkContract.getDomainDeepLinks, "GET /api/deep-links/domains/:id", "links:read"),
  deepLinks.getDomainDeepLinks,
);
app.openapi(
  guard(deepLinkContract.updateDomainDeepLinks, "PATCH /api/deep-links/domains/:id", "links:write"),
  deepLinks.updateDomainDeepLinks,
);

// API keys (4.2, 5)
app.openapi(guard(keyContract.createKey, "POST /api/keys", "keys:write"), keys.createKey);
app.openapi(guard(keyContract.listKeys, "GET /api/keys", "keys:read"), keys.listKeys);
app.openapi(guard(keyContract.revokeKey, "DELETE /api/keys/:id", "keys:write"), keys.revokeKey);

// Domains (4.2)
app.openapi(guard(domainContract.addDomain, "POST /api/domains/add", "domains:write"), domains.addDomain);
app.openapi(guard(domainContract.listDomains, "GET /api/domains", "domains:read"), domains.listDomains);
app.openapi(guard(domainContract.getDomain, "GET /api/domains/:id", "domains:read"), domains.getDomain);
app.openapi(guard(domainContract.verifyDomain, "POST /api/domains/:id/verify", "domains:write"), domains.verifyDomain);
app.openapi(guard(domainContract.updateDomain, "PATCH /api/domains/:id", "domains:write"), domains.updateDomain);
app.openapi(guard(domainContract.deleteDomain, "DELETE /api/domains/:id", "domains:write"), domains.deleteDomain);

// Webhooks (4.1)
app.openapi(guard(webhookContract.createWebhook, "POST /api/webhooks", "webhooks:write"), webhooks.createWebhook);
app.openapi(guard(webhookContract.listWebhooks, "GET /api/webhooks", "webhooks:read"), webhooks.listWebhooks);
app.openapi(guard(webhookContract.getWebhook, "GET /api/webhooks/:id", "webhooks:read"), webhooks.getWebhook);
app.openapi(guard(webhookContract.updateWebhook, "PATCH /api/webhooks/:id", "webhooks:write"), webhooks.updateWebhook);
app.openapi(guard(webhookContract.deleteWebhook, "DELETE /api/webhooks/:id", "webhooks:write"), webhooks.deleteWebhook);
app.openapi(guard(webhookContract.testWebhook, "POST /api/webhooks/:id", "webhooks:write"), webhooks.testWebhook);
app.openapi(
  guard(webhookContract.listDeliveries, "GET /api/webhooks/:id/deliveries", "webhooks:read"),
  webhooks.listDeliveries,
);
app.openapi(
  guard(webhookContract.retryFailedDeliveries, "POST /api/webhooks/:id/deliveries/retry", "webhooks:write"),
  webhooks.retryFailedDeliveries,
);
app.openapi(
  guard(webhookContract.retryDelivery, "POST /api/webhooks/:id/deliveries/:deliveryId/retry", "webhooks:write"),
  webhooks.retryDelivery,
);
app.openapi(
  guard(webhookContract.rotateSecret, "POST /api/webhooks/:id/rotate-secret", "webhooks:write"),
  webhooks.rotateSecret,
);

// For monitors
app.openapi(open(healthContract.getHealth, "GET /api/health"), health.getHealth);

// For the dashboard's sessions only (4.3, 5): an API key does not open them.
for (const path of ["/api/account/*", "/api/teams/*", "/api/auth/*"]) {
  app.all(path, () => {
    throw unauthorized("This path is for browser sessions only; API keys do not open it.");
  });
}

for (const route of [linkContract.followLink, visitors.givePassword, visitors.showDestination]) {
  app.openAPIRegistry.registerPath(route);
}
const documentAt = openApiDocument(app);
app.get("/api/openapi.json", (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return c.json(documentAt(c.get("context").baseUrl));
});

type Guarded<R, E extends HttpEnv> = R & { middleware: [MiddlewareHandler<E>] };

/** Without `permission`, any key will do. */
function guard<R extends RouteConfig>(
  route: R,
  operation: Operation,
  permission?: Permission,
  maxBodyBytes = MAX_BODY_BYTES,
): Guarded<R, AuthEnv> {
  const guards = [rateLimit(operation), authenticate(permission)];
  return protect(route, `${needs(permission)} ${limitOf(operation)}`, guards, maxBodyBytes);
}

/** For whoever calls. */
function open<R extends RouteConfig>(route: R, operation: Operation): Guarded<R, HttpEnv> {
  return protect(route, limitOf(operation), [rateLimit(operation)]);
}

/** The one route that may be called with or without a key; each way has its own limit. */
function guardShorten<R extends RouteConfig>(route: R): Guarded<R, MaybeAuthEnv> {
  const withKey = "POST /api/shorten (authenticated)";
  const anonymous = "POST /api/shorten (anonymous)";
  const limits = `At most ${RATE_LIMITS[withKey]} calls a minute with a key, ${RATE_LIMITS[anonymous]} without.`;
  const limiter = rateLimit((c) => (hasCredentials(c) ? withKey : anonymous));
  const permission = "links:write";
  const optionalKey = { ...route, security: [{ apiKey: [] }, {}] };
  return protect(optionalKey, `${needs(permission)} ${limits}`, [limiter, authenticateIfClaimed(permission)]);
}

function needs(permission: Permission | undefined): string {
  return permission === undefined ? "Any API key will do." : `Permission: \`${permission}\`.`;
}

function limitOf(operation: Operation): string {
  return `At most ${RATE_LIMITS[operation]} calls a minute.`;
}

/** What a request passes before its handler, in this order: rate limit, key, size of the body, validation. */
function protect<R extends RouteConfig, E extends HttpEnv>(
  route: R,
  description: string,
  guards: (MiddlewareHandler<HttpEnv> | MiddlewareHandler<AuthEnv>)[],
  maxBodyBytes = MAX_BODY_BYTES,
): Guarded<R, E> {
  const strict = { ...route, request: { query: z.strictObject({}), ...route.request } };
  const described = describeRoute(strict, description);
  const middleware = route.request?.body === undefined ? guards : [...guards, boundedBody(maxBodyBytes)];
  // Their environments differ; the one that a handler sees is that of the last.
  return { ...described, middleware: middleware as unknown as [MiddlewareHandler<E>] };
}
