import type { AppPrincipal } from "./principal.ts";

// Tools of apps call the API in this process. The principal travels beside the request and not in it: nothing that a client
// sends can make one, and the token of the app stays at /mcp.

const principals = new WeakMap<Request, AppPrincipal>();

/** Makes the API take the request as one of the app. */
export function actAs(request: Request, principal: AppPrincipal): void {
  principals.set(request, principal);
}

/** The app for which this process made the request. */
export function appOf(request: Request): AppPrincipal | undefined {
  return principals.get(request);
}
