import { appCannotConfirm, appNeedsFreshSignIn, requireRecent } from "./require-confirmed.ts";
import { CONFIRMATION_TTL_MS } from "./limits.ts";
import type { AppPrincipal, Principal } from "./principal.ts";

/**
 * The operations for which a session needs a confirmed identity: they give lasting access, take all data out, or end
 * something for good. A key needs only its permissions. What an app may do is in {@link CONFIRMED_OPERATIONS_OF_APPS}. A test goes through all
 * operations of the API: each one that changes something is here, or the test says why not.
 *
 * `always`: the guard of the route asks. Otherwise the text says when, and the handler asks with
 * {@link requireConfirmedFor}, because only it knows what the request would do.
 */
export const CONFIRMED_OPERATIONS = {
  // Access that outlives the session.
  "POST /api/keys": "always",
  "PATCH /api/keys/:id": "if it adds permissions",
  "POST /api/webhooks": "always",
  "PATCH /api/webhooks/:id": "if it sets the URL",
  "POST /api/webhooks/:id/rotate-secret": "always",
  "POST /api/listeners": "always",
  "POST /api/shared-pages": "always",
  "PATCH /api/shared-pages/:id": "if it sets or removes the password, or shows where the link leads",
  // What ends for good.
  "DELETE /api/keys/:id": "always",
  "DELETE /api/domains/:id": "if it deletes the links too",
  "PATCH /api/account": "if it keeps single clicks for a shorter time",
  "DELETE /api/account": "always",
  "DELETE /api/teams/:id": "always",
  // All data of an account.
  "POST /api/account/exports": "always",
  "GET /api/account/exports/:id/file": "always",
  // Who may do what.
  "PATCH /api/teams/:id": "if it ends the requirement of a second factor",
  "PATCH /api/teams/:id/members/:userId": "always",
  "DELETE /api/teams/:id/members/:userId": "always",
  "POST /api/teams/:id/members/:userId/password-reset": "always",
  "POST /api/teams/:id/invitations": "always",
  "POST /api/teams/:id/transfer": "always",
  // How the person signs in.
  "POST /api/auth/email/change": "always",
  "POST /api/auth/mfa/totp": "always",
  "POST /api/auth/mfa/totp/confirm": "always",
  "DELETE /api/auth/mfa/totp": "always",
  "POST /api/auth/mfa/recovery-codes": "always",
  "POST /api/auth/passkeys/options": "always",
  "POST /api/auth/passkeys": "always",
  "DELETE /api/auth/passkeys/:id": "always",
  "DELETE /api/auth/sessions": "always",
  "DELETE /api/auth/sessions/:id": "if it is not the own session",
  // What an app may do.
  "POST /api/auth/apps/decide": "if it connects the app",
} as const satisfies Record<string, string>;

/**
 * The confirmed operations that an app may call with an access token for the API. `scope`: the person has confirmed the identity
 * when they gave the scope. `fresh`: they did so less than {@link CONFIRMATION_TTL_MS} ago. An app can never call the others.
 */
export const CONFIRMED_OPERATIONS_OF_APPS: Partial<Record<ConfirmedOperation, "scope" | "fresh">> = {
  "POST /api/webhooks": "scope",
  "PATCH /api/webhooks/:id": "scope",
  "POST /api/webhooks/:id/rotate-secret": "scope",
  "POST /api/listeners": "scope",
  "POST /api/shared-pages": "fresh",
  "PATCH /api/shared-pages/:id": "fresh",
};

type ConfirmedOperation = keyof typeof CONFIRMED_OPERATIONS;

/** The operations whose handler decides whether they need a confirmed identity. */
type ConditionalOperation = {
  [K in ConfirmedOperation]: (typeof CONFIRMED_OPERATIONS)[K] extends "always" ? never : K;
}[ConfirmedOperation];

/** Whether the guard of the operation asks for a confirmed identity, whatever the request says. */
export function needsConfirmation(operation: string): boolean {
  return (CONFIRMED_OPERATIONS as Partial<Record<string, string>>)[operation] === "always";
}

/** The sentence about it in the description of the operation; none if no identity is needed. */
export function describeConfirmation(operation: string): string[] {
  const when = (CONFIRMED_OPERATIONS as Partial<Record<string, string>>)[operation];
  if (when === undefined) return [];
  return [`A session needs a confirmed identity${when === "always" ? "" : ` ${when}`}.`];
}

interface Caller<P extends Principal> {
  principal: P;
  now: number;
  /** The service's origin. */
  baseUrl: string;
}

/** Throws unless the app may call the confirmed operation. */
export function requireConfirmedApp(operation: string, { principal, now, baseUrl }: Caller<AppPrincipal>): void {
  const rule =
    principal.resource === "/api" ? CONFIRMED_OPERATIONS_OF_APPS[operation as ConfirmedOperation] : undefined;
  if (rule === undefined) throw appCannotConfirm(baseUrl);
  if (rule === "fresh" && now - principal.confirmedAt >= CONFIRMATION_TTL_MS) throw appNeedsFreshSignIn();
}

/**
 * Throws unless the caller is a key, an app that may do this, or a person with a confirmed identity. For the handler of an operation that needs
 * one for some requests only.
 */
export function requireConfirmedFor(
  operation: ConditionalOperation,
  { principal, now, baseUrl }: Caller<Principal>,
): void {
  if (principal.type === "app") requireConfirmedApp(operation, { principal, now, baseUrl });
  if (principal.type === "person") requireRecent(principal.confirmedAt, now);
}
