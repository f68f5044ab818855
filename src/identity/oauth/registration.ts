import { SCOPES } from "../../platform/auth/scopes.ts";
import { fromBase64Url, toBase64Url } from "../../platform/lib/base64url.ts";
import { fromBase64, toBase64 } from "../../platform/lib/encryption.ts";
import { sign, verifySignature } from "../../platform/lib/hmac.ts";
import { nameOf, requireMetadata, type Client } from "./client-metadata.ts";
import { MAX_CLIENT_ID_CHARS } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";

// Dynamic registration (RFC 7591) without rows: a `client_id` is the metadata of the client with a signature of this service.
// So strangers can register as often as they want, and nothing is stored for them.

const PURPOSE = "client_id of a registered client of OAuth";
const START = "reg.";

/** Registers a client, and returns its metadata with the `client_id` (RFC 7591, 3.2.1). */
export async function registerClient(env: Env, body: unknown) {
  const metadata = requireMetadata(body);
  const [name, redirectUris] = [nameOf(metadata), metadata.redirect_uris];
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify([name, redirectUris])));
  const clientId = `${START}${text}.${toUrl(await sign(env.ENCRYPTION_KEYS, PURPOSE, text))}`;
  if (clientId.length > MAX_CLIENT_ID_CHARS)
    throw new OAuthError("invalid_client_metadata", "The redirect URIs are too long altogether.");
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: SCOPES.join(" "),
  };
}

/** The client of a `client_id` that this service made; null: it did not make it. */
export async function readClientId(env: Env, clientId: string): Promise<Client | null> {
  if (!clientId.startsWith(START)) return null;
  const [text = "", signature = "", ...rest] = clientId.slice(START.length).split(".");
  if (rest.length > 0 || !(await verifySignature(env.ENCRYPTION_KEYS, PURPOSE, text, fromUrl(signature)))) return null;
  const [name, redirectUris] = JSON.parse(new TextDecoder().decode(fromBase64Url(text))) as [string, string[]];
  return { name, redirectUris, host: null, uri: null };
}

const toUrl = (base64: string) => toBase64Url(fromBase64(base64));

function fromUrl(text: string): string {
  try {
    return toBase64(fromBase64Url(text));
  } catch {
    return "";
  }
}
