import { readLimited } from "../platform/lib/read-limited.ts";
import { MAX_RETRY_AFTER_MS, SECOND_MS } from "../limits.ts";
import {
  CUSTOM_HOSTNAME_RETRY_MS,
  CUSTOM_HOSTNAME_TIMEOUT_MS,
  MAX_CERTIFICATE_ERROR_CHARS,
  MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES,
} from "./limits.ts";

/** Cloudflare for SaaS: https://developers.cloudflare.com/api/resources/custom_hostnames/ */
export interface CustomHostnameApi {
  /** The URL of the zone's custom hostnames. */
  url: string;
  token: string;
}

const CLOUDFLARE_API = "https://api.cloudflare.com/client/v4";

/** The token is an optional secret; `wrangler types` lists only required ones. */
type Variables = Pick<Env, "CLOUDFLARE_SAAS_ZONE_ID"> & { CLOUDFLARE_SAAS_TOKEN?: string };

/** The API as configured, or null if the operator does not use custom hostnames. */
export function customHostnameApiOf(variables: Variables): CustomHostnameApi | null {
  const { CLOUDFLARE_SAAS_ZONE_ID: zone, CLOUDFLARE_SAAS_TOKEN: token } = variables;
  if (!zone || !token) return null;
  return { url: `${CLOUDFLARE_API}/zones/${encodeURIComponent(zone)}/custom_hostnames`, token };
}

interface CustomHostname {
  id: string;
  /** The certificate's status, and the hostname's once the certificate is active. */
  status: string;
  error: string | null;
}

interface Failure {
  outcome: "failed";
  retryAfterMs: number;
  reason: string;
  /** Cloudflare refuses this hostname: the domain's owner should see the reason. Other failures concern the operator. */
  refused: boolean;
}

export type RegisterResult = { outcome: "registered"; hostname: CustomHostname } | Failure;
export type RemoveResult = { outcome: "removed" } | Failure;

type ApiResult = { outcome: "ok"; result: unknown } | { outcome: "missing" } | { outcome: "duplicate" } | Failure;

const SSL = { method: "http", type: "dv" };
const DUPLICATE = 1406;

/**
 * Registers a hostname, or reads its state if it is registered already. Idempotent. With `restart`, Cloudflare validates
 * the certificate again.
 */
export async function registerHostname(
  api: CustomHostnameApi,
  { hostname, id, restart }: { hostname: string; id: string | null; restart: boolean },
): Promise<RegisterResult> {
  if (id !== null) {
    const known = await (restart ? request(api, "PATCH", `/${id}`, { ssl: SSL }) : request(api, "GET", `/${id}`));
    if (known.outcome !== "missing") return toRegisterResult(known);
  }
  const created = await request(api, "POST", "", { hostname, ssl: SSL });
  if (created.outcome !== "duplicate") return toRegisterResult(created);
  const found = await findHostname(api, hostname);
  if (found.outcome !== "ok") return toFailure(found);
  if (found.hostname === null) return failure("the hostname is taken and cannot be found", { refused: true });
  return { outcome: "registered", hostname: found.hostname };
}

/** Removes a hostname. A hostname that does not exist counts as removed. */
export async function removeHostname(api: CustomHostnameApi, hostname: string): Promise<RemoveResult> {
  const found = await findHostname(api, hostname);
  if (found.outcome !== "ok") return toFailure(found);
  if (found.hostname === null) return { outcome: "removed" };
  const removed = await request(api, "DELETE", `/${found.hostname.id}`);
  return removed.outcome === "ok" || removed.outcome === "missing" ? { outcome: "removed" } : toFailure(removed);
}

/** Cloudflare's search also returns hostnames that contain this one. */
async function findHostname(api: CustomHostnameApi, name: string) {
  const found = await request(api, "GET", `?hostname=${encodeURIComponent(name)}`);
  if (found.outcome !== "ok") return found;
  const list = (Array.isArray(found.result) ? found.result : []) as HostnameJson[];
  const exact = list.find(({ hostname }) => hostname === name);
  return { outcome: "ok" as const, hostname: exact === undefined ? null : toHostname(exact) };
}

function toRegisterResult(result: ApiResult): RegisterResult {
  const hostname = result.outcome === "ok" ? toHostname(result.result as HostnameJson) : null;
  return hostname === null ? toFailure(result) : { outcome: "registered", hostname };
}

function toFailure(result: ApiResult): Failure {
  return result.outcome === "failed" ? result : failure(`unexpected response: ${result.outcome}`);
}

function failure(
  reason: string,
  { refused = false, retryAfterMs = CUSTOM_HOSTNAME_RETRY_MS }: { refused?: boolean; retryAfterMs?: number } = {},
): Failure {
  return { outcome: "failed", retryAfterMs, reason: reason.slice(0, MAX_CERTIFICATE_ERROR_CHARS), refused };
}

interface HostnameJson {
  id?: unknown;
  hostname?: unknown;
  status?: string;
  verification_errors?: unknown[];
  ssl?: { status?: string; validation_errors?: { message?: unknown }[] };
}

function toHostname(json: HostnameJson | null): CustomHostname | null {
  if (typeof json?.id !== "string") return null;
  const errors = [
    ...(json.ssl?.validation_errors ?? []).map(({ message }) => message),
    ...(json.verification_errors ?? []),
  ];
  const error = errors.map(String).join("; ").slice(0, MAX_CERTIFICATE_ERROR_CHARS);
  const certificate = json.ssl?.status ?? "initializing";
  const status = certificate === "active" ? (json.status ?? "active") : certificate;
  return { id: json.id, status, error: error === "" ? null : error };
}

async function request(api: CustomHostnameApi, method: string, path: string, body?: object): Promise<ApiResult> {
  const signal = AbortSignal.timeout(CUSTOM_HOSTNAME_TIMEOUT_MS);
  try {
    const response = await fetch(api.url + path, {
      method,
      headers: { Authorization: `Bearer ${api.token}`, "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal,
    });
    // Some statuses are enough without a body.
    const bytes = await readLimited(response.body, MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return new Uint8Array();
    });
    return toApiResult(response, new TextDecoder().decode(bytes));
  } catch (error) {
    return failure(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

interface Envelope {
  success?: unknown;
  errors?: { code?: unknown; message?: unknown }[];
  result?: unknown;
}

function toApiResult({ status, headers }: Response, text: string): ApiResult {
  if (status === 404) return { outcome: "missing" };
  const envelope = parse(text);
  const errors = envelope?.errors ?? [];
  if (status === 409 || errors.some(({ code }) => code === DUPLICATE)) return { outcome: "duplicate" };
  // The response to DELETE is `{"id": …}` without `success`.
  if (status < 300 && envelope !== null && envelope.success !== false)
    return { outcome: "ok", result: envelope.result };
  const messages = errors.map(({ message }) => String(message)).join("; ");
  const refused = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  const seconds = Number(headers.get("Retry-After"));
  const wait = seconds > 0 ? Math.min(seconds * SECOND_MS, MAX_RETRY_AFTER_MS) : 0;
  const retryAfterMs = Math.max(wait, CUSTOM_HOSTNAME_RETRY_MS);
  return failure(messages === "" ? `status ${status}` : messages, { refused, retryAfterMs });
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}
