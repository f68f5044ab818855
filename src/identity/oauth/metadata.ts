import { SCOPES, SCOPES_OF_RESOURCE, type AppResource } from "../../platform/auth/scopes.ts";

/** The metadata of a protected resource (RFC 9728, 2). `identifier` is the one that the client asked for. */
export function resourceMetadata(origin: string, identifier: string, resource: AppResource) {
  return {
    resource: identifier,
    resource_name: "Tern",
    authorization_servers: [origin],
    scopes_supported: SCOPES_OF_RESOURCE[resource],
    bearer_methods_supported: ["header"],
  };
}

/** The metadata of the authorization server (RFC 8414, 2). */
export function serverMetadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    // Only here: a client that asks a resource for it would ask the person for something that each grant has.
    scopes_supported: [...SCOPES, "offline_access"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
