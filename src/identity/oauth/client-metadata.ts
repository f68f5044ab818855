import { z } from "@hono/zod-openapi";
import { foreignText } from "../../platform/lib/foreign-text.ts";
import { MAX_CLIENT_NAME_CHARS, MAX_REDIRECT_URIS } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { redirectUriError } from "./redirect-uri.ts";
import { readIssue } from "../../platform/http/faults.ts";

/** A program that asks for access. It has no secret: it is what its redirect URIs say. */
export interface Client {
  /** The name that it gives itself, as a line of text. */
  name: string;
  /** The host that serves its metadata document; null: it registered itself, and nobody has verified its name. */
  host: string | null;
  /** Its home page, on that host; null: none. */
  uri: string | null;
  redirectUris: readonly string[];
}

const NAMELESS = "An app without a name";

/** What is read of the metadata of a client, in a registration or in a document. The rest is ignored (RFC 7591, 2). */
export const ClientMetadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().optional().catch(undefined),
  client_uri: z.string().optional().catch(undefined),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
});
export type ClientMetadata = z.infer<typeof ClientMetadata>;

/** Throws an {@link OAuthError} for metadata that no client of this service can have. */
export function requireMetadata(value: unknown): ClientMetadata {
  const parsed = ClientMetadata.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    const code = path.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new OAuthError(code, `${path || "The metadata"} ${readIssue(path, issue?.message ?? "").message}.`);
  }
  const { redirect_uris: uris, grant_types: grants, response_types: responses } = parsed.data;
  for (const uri of uris) {
    const fault = redirectUriError(uri);
    if (fault !== null) throw new OAuthError("invalid_redirect_uri", `A redirect URI ${fault}.`);
  }
  if (grants !== undefined && !grants.includes("authorization_code"))
    throw new OAuthError("invalid_client_metadata", "grant_types must include authorization_code.");
  if (responses !== undefined && !responses.includes("code"))
    throw new OAuthError("invalid_client_metadata", "response_types must include code.");
  return parsed.data;
}

/** The name of a client as a line of text. It is chosen by a stranger. */
export function nameOf({ client_name: name = "" }: ClientMetadata): string {
  return foreignText(name, MAX_CLIENT_NAME_CHARS) || NAMELESS;
}
