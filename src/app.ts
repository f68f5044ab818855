import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import * as accounts from "./identity/account/routes.ts";
import { loadChecks, loadRoutes } from "#safety";
import * as serviceInfo from "./identity/account/service-info/routes.ts";
import * as liveClicks from "./clicks/analytics/live/routes.ts";
import * as clicks from "./clicks/analytics/routes.ts";
import * as bulkJobs from "./links/bulk-jobs/routes.ts";
import * as deepLinks from "./domains/deep-links/routes.ts";
import * as destinations from "./links/destinations/routes.ts";
import * as domains from "./domains/routes.ts";
import * as exports from "./moving/exports/files/routes.ts";
import * as accountExports from "./moving/exports/account/routes.ts";
import { authenticateMcp } from "./access/guards/authenticate-mcp.ts";
import { hasCredentials } from "./access/guards/authenticate.ts";
import { canSignIn } from "./access/sessions/can-sign-in.ts";
import { recordRequests } from "./access/guards/record-requests.ts";
import { refuseStrangers } from "./access/guards/session-guards.ts";
import * as health from "./access/health/routes.ts";
import { findApiPath, type ApiPath } from "./platform/api-paths.ts";
import { requestContext, type HttpEnv } from "./platform/http/context.ts";
import { onError, onMethodNotAllowed, onNotFound } from "./platform/http/errors.ts";
import { describePublicRoute, openApiDocuments } from "./platform/http/openapi.ts";
import { takeCall } from "./platform/http/passed-call.ts";
import { onInvalid } from "./platform/http/validation.ts";
import * as imports from "./moving/imports/routes.ts";
import * as keys from "./identity/keys/routes.ts";
import { registerChecks } from "./links/checks.ts";
import * as setup from "./identity/setup/routes.ts";
import * as claims from "./links/claims/routes.ts";
import * as visitors from "./links/public-contract.ts";
import * as links from "./links/routes.ts";
import * as slugs from "./links/slugs/routes.ts";
import * as listeners from "./webhooks/listeners/routes.ts";
import * as factors from "./identity/people/factors/routes.ts";
import * as people from "./identity/people/routes.ts";
import * as qrCodes from "./qr/routes.ts";
import { MCP_LIMIT } from "./assistants/limits.ts";
import * as apps from "./identity/oauth/routes.ts";
import * as mailReports from "./clicks/mail-reports/routes.ts";
import * as savedViews from "./links/views/routes.ts";
import * as sharedPages from "./clicks/shared-pages/routes.ts";
import * as viewers from "./clicks/shared-pages/viewer-routes.ts";
import * as tags from "./links/tags/routes.ts";
import * as teams from "./identity/teams/routes.ts";
import * as usage from "./access/usage/routes.ts";
import * as notes from "./clicks/notes/routes.ts";
import * as utmTemplates from "./links/utm-templates/routes.ts";
import { deliveries, DELIVERY_HEADERS } from "./webhooks/event-contract.ts";
import * as webhooks from "./webhooks/routes.ts";

registerChecks(await loadChecks());

/** Every route of the API, in the order of the OpenAPI document. The first one that matches a request responds. */
const ROUTES = [
  ...links.ROUTES,
  ...slugs.ROUTES,
  ...utmTemplates.ROUTES,
  ...tags.ROUTES,
  ...bulkJobs.ROUTES,
  ...imports.ROUTES,
  ...clicks.ROUTES,
  ...liveClicks.ROUTES,
  ...notes.ROUTES,
  ...sharedPages.ROUTES,
  ...viewers.ROUTES,
  ...qrCodes.ROUTES,
  ...deepLinks.ROUTES,
  ...exports.ROUTES,
  ...keys.ROUTES,
  ...domains.ROUTES,
  ...webhooks.ROUTES,
  ...listeners.ROUTES,
  ...usage.ROUTES,
  ...health.ROUTES,
  ...serviceInfo.ROUTES,
  ...setup.ROUTES,
  ...people.ROUTES,
  ...factors.ROUTES,
  ...apps.ROUTES,
  ...accounts.ROUTES,
  ...accountExports.ROUTES,
  ...savedViews.ROUTES,
  ...mailReports.ROUTES,
  ...destinations.ROUTES,
  ...claims.ROUTES,
  ...teams.ROUTES,
  ...(await loadRoutes()),
];

type Limit = (typeof ROUTES)[number]["limits"][number] | typeof MCP_LIMIT;

/** Calls per client in any `RATE_LIMIT_WINDOW_MS`, by operation, such as `GET /api/links/:id`. */
export const RATE_LIMITS = Object.fromEntries(
  [...ROUTES.flatMap((route): readonly Limit[] => route.limits), MCP_LIMIT].map(({ operation, perMinute }) => [
    operation,
    perMinute,
  ]),
) as Record<Limit["operation"], number>;

/** The API. */
export const app = new OpenAPIHono<HttpEnv>({ defaultHook: onInvalid });

app.onError(onError);
app.notFound((c) => onNotFound(c, findPath(c.req.path)));
app.use(requestContext);
app.use(recordRequests);
app.use(
  methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => onMethodNotAllowed(c, methodsAt(c.req.path) ?? methods),
  }),
);

// Web pages must not hold API keys, so CORS allows only operations that need no key.
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

for (const { contract, handler } of ROUTES) app.openapi(contract, handler);

// Assistants, by the Model Context Protocol. Its tools call the API.
app.all("/mcp", authenticateMcp(MCP_LIMIT), async (c) => {
  const { serveMcp } = await import("./assistants/routes.ts");
  return serveMcp(c, (request) => app.fetch(request, c.env, c.executionCtx));
});

// The authorization server of `/mcp`. Without an origin of its own, a service cannot have one.
const oauth: MiddlewareHandler<HttpEnv> = async (c) => {
  const { serveOAuth, methodsOf } = await import("./identity/oauth/endpoint-routes.ts");
  if (!canSignIn(c.get("context"))) return onNotFound(c, null);
  const methods = methodsOf(c.req.path);
  return (await serveOAuth(c)) ?? (methods.length === 0 ? onNotFound(c, null) : onMethodNotAllowed(c, methods));
};
app.all("/oauth/*", oauth);
app.all("/.well-known/*", oauth);

// No other path below these exists. Only persons who are signed in get the 404, and everybody else gets a 401.
for (const path of ["/api/account/*", "/api/teams/*", "/api/auth/*"]) {
  app.all(path, refuseStrangers);
}

// Served outside the app by src/redirect, and part of the document.
for (const route of [visitors.followLink, visitors.givePassword, visitors.showDestination]) {
  app.openAPIRegistry.registerPath(describePublicRoute(route));
}

// Sent by src/webhooks, and part of the document.
for (const [name, header] of Object.entries(DELIVERY_HEADERS))
  app.openAPIRegistry.registerComponent("parameters", name, header);
for (const delivery of deliveries) app.openAPIRegistry.registerWebhook(delivery);

/** The methods of a path without parameters, such as `/api/links/bulk`. The routes of `/api/links/:id` match it too. */
function methodsAt(path: string): string[] | undefined {
  const methods = app.routes
    .filter((route) => route.path === path && route.method !== "ALL")
    .map(({ method }) => method);
  if (methods.includes("GET")) methods.push("HEAD");
  return methods.length === 0 ? undefined : [...new Set(methods)];
}

const ofPages = ROUTES.filter(({ isOfPages }) => isOfPages).map(
  ({ contract: { method, path } }) => `${method} ${path}`,
);

/** The OpenAPI documents: of what API clients can call, and of all operations. */
export const documents = openApiDocuments(app, new Set(ofPages));

app.get("/api/openapi.json", (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return c.json(documents.ofApi(c.get("context").baseUrl));
});

/** Answers a call that another isolate has passed to an object. */
export function answerPassed(
  request: Request,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Response | Promise<Response> {
  const waitUntil = (promise: Promise<unknown>) => ctx.waitUntil(promise);
  return app.fetch(takeCall(request), env, { waitUntil, passThroughOnException: () => undefined, props: {} });
}

/** The path of the API that a path without /api or with a version was probably meant to be. */
export function findPath(path: string): ApiPath | null {
  return findApiPath(path, Object.keys(RATE_LIMITS));
}
