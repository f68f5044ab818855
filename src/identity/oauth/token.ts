import { isAppToken, newAppToken } from "../../platform/auth/app-token.ts";
import type { Scope } from "../../platform/auth/scopes.ts";
import type { CallContext } from "../../platform/context.ts";
import { toBase64Url } from "../../platform/lib/base64url.ts";
import { log } from "../../platform/lib/log.ts";
import { hashToken } from "../../platform/lib/token.ts";
import { hashClientId } from "./client.ts";
import { disconnectBySelf, disconnectReused } from "./disconnect.ts";
import { ACCESS_TOKEN_TTL_MS, REFRESH_REPEAT_MS } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { readResource } from "./resource.ts";
import * as store from "./store/tokens.ts";
import { successorsOf, withHashes, type IssuedTokens } from "./token-derivation.ts";

/** The response with new tokens (RFC 6749, 5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
  /** For which account the app acts. Not in the RFC, which lets a server add members. */
  account: { id: string; name: string };
}

/** Counts a request for the grant. Throws if there are too many. */
export type CountGrant = (grantId: string) => Promise<void>;

const invalidGrant = (message: string) => new OAuthError("invalid_grant", message);

/** Answers a request for tokens (OAuth 2.1, 4.1.3 and 4.3). Throws an {@link OAuthError}. */
export async function issueTokens(
  context: CallContext,
  parameters: URLSearchParams,
  countGrant: CountGrant,
): Promise<TokenResponse> {
  for (const name of new Set(parameters.keys()))
    if (name !== "resource" && parameters.getAll(name).length > 1)
      throw new OAuthError("invalid_request", `${name} is there twice.`);
  const type = parameters.get("grant_type");
  if (parameters.get("client_id") === null)
    throw new OAuthError(
      "invalid_client",
      "client_id is missing. Clients have no secret here, but send their client_id.",
    );
  if (type === "authorization_code") return redeem(context, parameters, countGrant);
  if (type === "refresh_token") return refresh(context, parameters, countGrant);
  throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
}

async function redeem(
  context: CallContext,
  parameters: URLSearchParams,
  countGrant: CountGrant,
): Promise<TokenResponse> {
  const { db, now, requestId } = context;
  const code = parameters.get("code") ?? "";
  if (!isAppToken("code", code)) throw invalidGrant("The code is not valid.");
  const hash = await hashToken(code);
  const found = await store.findToken(db, "code", hash, now);
  if (found === null) throw invalidGrant("The code is not valid.");
  await countGrant(found.grantId);
  await requireUnused(context, found);
  await requireClient(found, parameters);
  requireResource(found, parameters, context.baseUrl);
  if (found.isExpired) throw invalidGrant("The code has expired. Ask the person again.");
  if ((parameters.get("redirect_uri") ?? found.redirectUri) !== found.redirectUri)
    throw invalidGrant("The redirect_uri is not that of the code.");
  if ((await challengeOf(parameters.get("code_verifier") ?? "")) !== found.challenge)
    throw invalidGrant("The code_verifier is not that of the code.");
  const tokens = await withHashes({ access: newAppToken("access"), refresh: newAppToken("refresh") });
  const claim = { hash, grantId: found.grantId, useId: requestId };
  if (await store.redeemCode(db, claim, tokens.hashes, now)) return toResponse(tokens, found);
  const other = await store.findToken(db, "code", hash, now);
  if (other !== null) await requireUnused(context, other);
  throw invalidGrant("The code was used or has expired.");
}

/** Ends the grant of a code that comes a second time, and tells the person: one of the two who have it is not the client (RFC 6749, 4.1.2). */
async function requireUnused(context: CallContext, found: store.StoredToken): Promise<void> {
  if (found.usedBy === null || found.usedBy === context.requestId) return;
  await disconnectReused(context, found);
  log("warn", "oauth_code_reused", { requestId: context.requestId, grantId: found.grantId });
  throw invalidGrant("The code was used before. Its app is disconnected now, and has to be connected again.");
}

async function refresh(
  context: CallContext,
  parameters: URLSearchParams,
  countGrant: CountGrant,
): Promise<TokenResponse> {
  const { env, db, now } = context;
  const token = parameters.get("refresh_token") ?? "";
  if (!isAppToken("refresh", token)) throw invalidGrant("The refresh token is not valid.");
  const hash = await hashToken(token);
  // Again if a request at the same time has replaced the token with another key of the operator.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const found = await store.findToken(db, "refresh", hash, now);
    if (found === null) throw invalidGrant("The refresh token is not valid, or its app was disconnected.");
    if (attempt === 1) await countGrant(found.grantId);
    await requireClient(found, parameters);
    requireResource(found, parameters, context.baseUrl);
    if (found.isExpired) throw invalidGrant("The app was not used for too long. Connect it again.");
    await requireFresh(context, found);
    requireNoFurtherScope(parameters.get("scope"), found.scopes);
    const tokens = await successorsOf(env, token, found.successor);
    if (tokens === null) break;
    const claim = { hash, grantId: found.grantId };
    if (await store.rotateRefreshToken(db, claim, tokens.hashes, now)) return toResponse(tokens, found);
  }
  throw invalidGrant("The refresh token was replaced. Connect the app again.");
}

/**
 * Ends the grant of a refresh token that comes again long after its first use, and tells the person: somebody else has it (OAuth
 * 2.1, 4.3.1). A client that lost the response, or whose processes share a token, is not punished if it asks again at once.
 */
async function requireFresh(context: CallContext, found: store.StoredToken): Promise<void> {
  const { usedAt, grantId } = found;
  if (usedAt === null || context.now - usedAt < REFRESH_REPEAT_MS) return;
  await disconnectReused(context, found);
  log("warn", "oauth_refresh_token_reused", { requestId: context.requestId, grantId });
  throw invalidGrant("The refresh token was used before. Its app is disconnected now, and has to be connected again.");
}

async function requireClient({ clientHash }: store.StoredToken, parameters: URLSearchParams): Promise<void> {
  if ((await hashClientId(parameters.get("client_id") ?? "")) !== clientHash)
    throw invalidGrant("This was issued to another client.");
}

/** Throws unless the request is for the resource of the grant (RFC 8707, 2.2). */
function requireResource({ resource }: store.StoredToken, parameters: URLSearchParams, baseUrl: string): void {
  const asked = readResource(parameters.getAll("resource"), baseUrl);
  if (asked !== null && asked !== resource)
    throw new OAuthError(
      "invalid_target",
      `The person connected the app to ${resource}. Connect it again for ${asked}.`,
    );
}

function requireNoFurtherScope(text: string | null, scopes: readonly Scope[]): void {
  const known = new Set<string>([...scopes, "offline_access", ""]);
  const further = (text ?? "").split(" ").filter((scope) => !known.has(scope));
  if (further.length > 0) throw new OAuthError("invalid_scope", `The person did not give ${further.join(", ")}.`);
}

/** The challenge of a verifier (RFC 7636, 4.6); null for a text that is none. */
async function challengeOf(verifier: string): Promise<string | null> {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}

function toResponse(
  { access, refresh: refreshToken }: IssuedTokens,
  { scopes, account }: store.StoredToken,
): TokenResponse {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_TTL_MS / 1_000,
    refresh_token: refreshToken,
    scope: scopes.join(" "),
    account,
  };
}

/**
 * Ends what the token is for: with a refresh token the grant, with an access token only that token (RFC 7009, 2.1). An unknown
 * token is no error, because nothing works with it. Returns whether the token is a guess: it has the form of one, and is unknown.
 */
export async function revokeToken(context: CallContext, parameters: URLSearchParams): Promise<boolean> {
  const { db, now } = context;
  const token = parameters.get("token") ?? "";
  const kind = (["refresh", "access"] as const).find((each) => isAppToken(each, token));
  if (kind === undefined) return false;
  const hash = await hashToken(token);
  const found = await store.findToken(db, kind, hash, now);
  if (found === null) return true;
  if (parameters.get("client_id") !== null) await requireClient(found, parameters);
  if (kind === "access") await store.deleteToken(db, hash);
  else await disconnectBySelf(context, found);
  return false;
}
