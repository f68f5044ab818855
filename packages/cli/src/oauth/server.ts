import { TernError } from "@tern/sdk";
import * as oauth from "oauth4webapi";
import type { Tokens } from "../config/logins.ts";
import { UsageError } from "../errors.ts";

/** Of one request. With its repetitions, a refresh takes less than the minute for which the service repeats its answer. */
const TIMEOUT_MS = 15_000;

/** A service, as the library of OAuth knows it. */
export interface Server {
  baseUrl: string;
  metadata: oauth.AuthorizationServer;
  /** Of a request to it. */
  options: () => { signal: AbortSignal };
}

/** Reads what the authorization server of the service says of itself (RFC 8414). Throws if people cannot log in there. */
export async function discover(baseUrl: string): Promise<Server> {
  // Only `http://` to this computer gets this far: see normalizeBaseUrl.
  const isLocal = baseUrl.startsWith("http:");
  const options = () => ({
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(isLocal && { [oauth.allowInsecureRequests]: true }),
  });
  const issuer = new URL(baseUrl);
  const metadata = await asTernError(baseUrl, async () => {
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options() });
    if (response.status === 404)
      throw new UsageError(`${baseUrl} takes no login by the browser. Use an API key: tern login --key`);
    return oauth.processDiscoveryResponse(issuer, response);
  });
  const { authorization_endpoint: page, token_endpoint: token, registration_endpoint: registration } = metadata;
  // The browser opens the page, and the others get secrets.
  for (const endpoint of [page, token, registration, metadata.revocation_endpoint])
    if (URL.parse(endpoint ?? "")?.origin !== issuer.origin)
      throw new TernError("unexpected_response", `${baseUrl} names the login page of another address.`);
  return { baseUrl, metadata, options };
}

/** What is stored of a response with tokens. */
export function toTokens(clientId: string, response: oauth.TokenEndpointResponse): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 0, scope = "" } = response;
  const account = response["account"] as Partial<Tokens["account"]> | undefined;
  if (refreshToken === undefined || typeof account?.id !== "string" || typeof account.name !== "string")
    throw new TernError("unexpected_response", "The service gave no refresh token, or did not name the account.");
  const { id, name } = account;
  const expiresAt = Date.now() + seconds * 1_000;
  return { clientId, accessToken, expiresAt, refreshToken, scopes: scope.split(" "), account: { id, name } };
}

/** Does `work`, and throws its errors of the connection and of OAuth as those of the SDK. */
export async function asTernError<T>(baseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const { status, error: code, error_description: description = code } = error;
      throw new TernError(code, description, { status, cause: error });
    }
    if (error instanceof oauth.OperationProcessingError)
      throw new TernError("unexpected_response", `${error.message}.`, { status: statusOf(error), cause: error });
    if (error instanceof TypeError || (error as Error).name === "TimeoutError")
      throw new TernError("connection_failed", `The connection to ${new URL(baseUrl).host} failed.`, { cause: error });
    throw error;
  }
}

const statusOf = ({ cause }: Error): number => (cause instanceof Response ? cause.status : 0);
