import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Lifetime of an authorization code (OAuth 2.1, 4.1.2). */
export const CODE_TTL_MS = MINUTE_MS;

/** Lifetime of an access token. Its grant is read at each call, so an end takes effect before. */
export const ACCESS_TOKEN_TTL_MS = 8 * HOUR_MS;

/** For this time after its first use, a refresh token returns the same successor again. Later, its use ends the grant. */
export const REFRESH_REPEAT_MS = MINUTE_MS;

/** Apps that one person has connected to all their accounts. */
export const MAX_GRANTS_PER_PERSON = 100;

/**
 * Requests to `/oauth/token` and `/oauth/revoke` without a valid grant from one address in any {@link RATE_LIMIT_WINDOW_MS}. Their
 * token is read in any case, because requests of valid grants are never refused for their address.
 */
export const MAX_INVALID_TOKEN_REQUESTS = 60;

/** Requests to `/oauth/token` of one grant in any {@link RATE_LIMIT_WINDOW_MS}. */
export const MAX_TOKEN_REQUESTS_PER_GRANT = 120;

/** Maximum size of the body of a request to an endpoint of OAuth, in bytes. */
export const MAX_OAUTH_BODY_BYTES = 16 * 1_024;

/** Maximum size of a client's metadata document, in bytes (draft-ietf-oauth-client-id-metadata-document, 6.6). */
export const MAX_CLIENT_DOCUMENT_BYTES = 5 * 1_024;

/** Timeout of the request for such a document, after its name is resolved. */
export const CLIENT_DOCUMENT_TIMEOUT_MS = 5 * SECOND_MS;

/** Maximum number of redirect URIs of a client. */
export const MAX_REDIRECT_URIS = 20;

/** Maximum length of a redirect URI. */
export const MAX_REDIRECT_URI_CHARS = 1_000;

/** Maximum length of a `client_id`. One that a registration makes has all metadata of the client. */
export const MAX_CLIENT_ID_CHARS = 4_000;

/** Maximum length of a client's name. Longer ones are cut. */
export const MAX_CLIENT_NAME_CHARS = 80;

/** Maximum length of the query of an authorization request. */
export const MAX_AUTHORIZATION_QUERY_CHARS = 10_000;
