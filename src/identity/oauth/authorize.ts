import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { newAppToken } from "../../platform/auth/app-token.ts";
import { CONFIRMATION_TTL_MS } from "../../platform/auth/limits.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { accessChanged } from "../../platform/auth/require-permissions.ts";
import { roleHas } from "../../platform/auth/roles.ts";
import { isWriting, type Scope } from "../../platform/auth/scopes.ts";
import { sessionActs } from "../../platform/auth/store/conditions.ts";
import { Batch } from "../../platform/database/batch.ts";
import { allOf } from "../../platform/database/parameters.ts";
import { invalidField, limitReached } from "../../platform/http/errors.ts";
import { isLoopbackName } from "../../platform/lib/hosts.ts";
import { hashToken } from "../../platform/lib/token.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import { readAuthorizationRequest, type AuthorizationRequest } from "./authorization-request.ts";
import { hashClientId } from "./client.ts";
import { MAX_GRANTS_PER_PERSON } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { addToUri } from "./redirect-uri.ts";
import { addGrant, grantExists, isConnected } from "./store/grants.ts";

/** A person's answer to an app. */
export interface Decision {
  query: string;
  allow: boolean;
  /** The scopes that the person gives, a part of those that the app asks for. */
  scopes: readonly string[];
}

/** Says who asks for what, before the person decides. Throws an {@link OAuthError}. */
export async function describeRequest(context: MemberContext, query: string) {
  const { db, now, principal, session } = context;
  const request = await readAuthorizationRequest(context, query);
  const { client, clientId, redirectUri, resource } = request;
  const scopes = offeredScopes(context, request);
  const { hostname, protocol } = new URL(redirectUri);
  const clientHash = await hashClientId(clientId);
  const { accountId } = principal;
  return {
    client: { name: client.name, host: client.host, isVerified: client.host !== null, uri: client.uri },
    // Any program can take the links of a private scheme, whatever host they name.
    redirect: {
      host: hostname,
      scheme: protocol.slice(0, -1),
      isLoopback: /^https?:$/.test(protocol) && isLoopbackName(hostname),
    },
    resource,
    scopes: scopes.map((name) => ({ name, isWriting: isWriting(name) })),
    needsConfirmation: now - session.confirmedAt >= CONFIRMATION_TTL_MS,
    isKnown: await isConnected(db, { accountId, userId: principal.user.id, clientHash, resource }, now),
  };
}

/** The scopes that the app asks for and the person's role has. */
function offeredScopes({ principal }: MemberContext, request: AuthorizationRequest): readonly Scope[] {
  const offered = request.scopes.filter((scope) => roleHas(principal.role, scope));
  if (offered.length > 0) return offered;
  const { redirectUri: uri, state, issuer } = request;
  throw new OAuthError("invalid_scope", `The role ${principal.role} has none of the scopes.`, { uri, state, issuer });
}

/** Connects the app or refuses it. Returns the URI to which the person's browser goes on (OAuth 2.1, 4.1.2; RFC 9207). */
export async function decide(context: MemberContext, { query, allow, scopes: given }: Decision): Promise<string> {
  const request = await readAuthorizationRequest(context, query);
  const { redirectUri, state, issuer } = request;
  if (!allow)
    return addToUri(redirectUri, {
      error: "access_denied",
      error_description: "The person refused.",
      state,
      iss: issuer,
    });
  const offered = offeredScopes(context, request);
  const scopes = offered.filter((scope) => given.includes(scope));
  if (scopes.length === 0 || given.some((scope) => !(offered as readonly string[]).includes(scope)))
    throw given.length === 0
      ? invalidField("scopes", "empty")
      : invalidField("scopes", "not_one_of", { allowed: offered });
  const code = await connect(context, request, scopes);
  return addToUri(redirectUri, { code, state, iss: issuer });
}

async function connect(
  context: MemberContext,
  { client, clientId, redirectUri, challenge, resource, scopes: asked }: AuthorizationRequest,
  scopes: readonly Scope[],
): Promise<string> {
  const { db, now, principal, session } = context;
  const { accountId, user, role } = principal;
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const allowed = allOf(sessionActs(accountId, session.id, [role], now), confirmation.holds);
  const id = newId(now);
  const grant = {
    id,
    accountId,
    userId: user.id,
    clientHash: await hashClientId(clientId),
    clientName: client.name,
    clientHost: client.host,
    redirectUri,
    resource,
    scopes,
    refused: asked.filter((scope) => !scopes.includes(scope)),
  };
  const code = newAppToken("code");
  const stored = addGrant(batch, grant, { hash: await hashToken(code), challenge }, session.id, now, allowed);
  const account = { id: accountId };
  addPersonEntry(batch, context, user.id, { account, action: "app.connect", targetId: id }, grantExists(id));
  const mailId = await addNotice(batch, context, "app_connected", user.email, grantExists(id));
  await batch.commit();
  confirmation.require();
  if (stored.hasRoom.first === undefined)
    throw limitReached("limit_reached", { resource: "app", max: MAX_GRANTS_PER_PERSON });
  if (stored.stored.first === undefined) throw accessChanged(principal);
  deliverMails(context, mailId);
  return code;
}
