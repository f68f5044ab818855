/** The error codes of the endpoints (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
type OAuthErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "request_not_supported"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** An error as clients of OAuth read it. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Where the person can be sent back to with the error; null: nowhere, because the client is not known well enough. */
  readonly redirect: { uri: string; state: string | null; issuer: string } | null;

  constructor(code: OAuthErrorCode, message: string, redirect: OAuthError["redirect"] = null) {
    super(message);
    this.code = code;
    this.redirect = redirect;
  }
}

/** The body of the response (RFC 6749, 5.2). */
export function toErrorBody({ code, message }: OAuthError) {
  return { error: code, error_description: message };
}

export const invalidClient = (message: string) => new OAuthError("invalid_client", message);
