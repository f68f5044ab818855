import type { ServiceContext } from "../../platform/context.ts";
import { findRepeatedKey } from "../../platform/http/json-keys.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { readLimited } from "../../platform/lib/read-limited.ts";
import { readBecause } from "../../platform/http/faults.ts";
import { checkHost, guardOf, urlError } from "../../platform/outbound/url-guard.ts";
import { nameOf, requireMetadata, type Client, type ClientMetadata } from "./client-metadata.ts";
import { CLIENT_DOCUMENT_TIMEOUT_MS, MAX_CLIENT_DOCUMENT_BYTES } from "./limits.ts";
import { invalidClient } from "./oauth-error.ts";

// Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the `client_id` is the URL of a document with the
// metadata of the client. Whoever controls that URL is the client.

/** Whether the `client_id` is the URL of a document: https with a path (section 3). */
export function isDocumentUrl(clientId: string): boolean {
  return /^https:\/\//i.test(clientId);
}

/** Returns why there cannot be a document at this URL; null if there can. */
function documentUrlError(text: string, url: URL): string | null {
  if (url.protocol !== "https:") return "must be https";
  if (url.pathname === "/" && !/^https:\/\/[^/?#]+\//i.test(text)) return "must have a path";
  if (text.includes("#")) return "must not have a fragment";
  if (/\/\.{1,2}(\/|$)/.test(text)) return "must not have the segments . and ..";
  return null;
}

/** The client with this document. Throws an {@link OAuthError} unless the document is there and names itself. */
export async function fetchClientDocument(context: ServiceContext, clientId: string): Promise<Client> {
  const guard = guardOf(context.env, context.baseUrl);
  // Only the first sentence: what follows is advice on webhooks.
  const refused = urlError(clientId, guard);
  const fault =
    (refused && readBecause("", refused).message.split(".")[0]) ?? documentUrlError(clientId, new URL(clientId));
  if (fault !== null) throw invalidClient(`The client_id ${fault}.`);
  const url = new URL(clientId);
  const verdict = await checkHost(url, guard).catch(() => "unresolvable" as const);
  if (verdict !== "allowed") throw invalidClient("The host of the client_id is not a public one.");
  const document = await fetchJson(url);
  if (document.client_id !== clientId)
    throw invalidClient("The document at the client_id is that of another client: its client_id differs.");
  const metadata = requireMetadata(document);
  requirePublicClient(metadata);
  return {
    name: nameOf(metadata),
    host: url.host,
    uri: uriOnHost(metadata.client_uri, url.host),
    redirectUris: metadata.redirect_uris,
  };
}

/** A client that prefers to prove itself with a key is accepted if it can do without. */
function requirePublicClient(metadata: ClientMetadata): void {
  const { token_endpoint_auth_method: method = "none", token_endpoint_auth_methods_supported: others = [] } = metadata;
  if (method !== "none" && !others.includes("none"))
    throw invalidClient("The client must be a public one: its token_endpoint_auth_method must be none.");
}

function uriOnHost(uri: string | undefined, host: string): string | null {
  const url = uri === undefined ? null : URL.parse(uri);
  return url?.protocol === "https:" && url.host === host ? url.href : null;
}

async function fetchJson(url: URL): Promise<{ client_id?: unknown }> {
  const signal = AbortSignal.timeout(CLIENT_DOCUMENT_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Accept: "application/json" }, redirect: "manual", signal });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const body = await Promise.race([readLimited(response.body, MAX_CLIENT_DOCUMENT_BYTES + 1), rejectOnAbort(signal)]);
    if (body.byteLength > MAX_CLIENT_DOCUMENT_BYTES) throw new Error("too large");
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
    const document: unknown = JSON.parse(text);
    if (findRepeatedKey(text) !== null) throw new Error("a name more than once");
    if (typeof document !== "object" || document === null) throw new Error("no object");
    return document;
  } catch (error) {
    const reason = describeError(error).error.replaceAll(/https?:\S+/gi, "…");
    log("info", "client_document_failed", { host: url.host, error: reason });
    throw invalidClient("The document at the client_id could not be read.");
  }
}

// Reading does not always end when the signal aborts.
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("timeout")), { once: true });
  });
}
