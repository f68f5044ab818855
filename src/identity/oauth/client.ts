import type { ServiceContext } from "../../platform/context.ts";
import { sha256Hex } from "../../platform/lib/hash.ts";
import type { Client } from "./client-metadata.ts";
import { fetchClientDocument, isDocumentUrl } from "./client-document.ts";
import { MAX_CLIENT_ID_CHARS } from "./limits.ts";
import { invalidClient } from "./oauth-error.ts";
import { readClientId } from "./registration.ts";

/** The client with this `client_id`. Throws an {@link OAuthError} if there is none. Fetches its metadata document, if it has one. */
export async function findClient(context: ServiceContext, clientId: string): Promise<Client> {
  if (clientId.length > MAX_CLIENT_ID_CHARS) throw invalidClient("The client_id is too long.");
  if (isDocumentUrl(clientId)) return fetchClientDocument(context, clientId);
  const client = await readClientId(context.env, clientId);
  if (client === null) throw invalidClient("The client_id is not known here. The app has to register again.");
  return client;
}

/** The stored form of a `client_id`. */
export function hashClientId(clientId: string): Promise<string> {
  return sha256Hex(clientId);
}
