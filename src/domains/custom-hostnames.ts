import { readLimited } from "../lib/read-limited.ts";
import {
  CUSTOM_HOSTNAME_RETRY_MS,
  CUSTOM_HOSTNAME_TIMEOUT_MS,
  MAX_CERTIFICATE_ERROR_CHARS,
  MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES,
  MAX_RETRY_AFTER_MS,
} from "../limits.ts";

/** Cloudflare for SaaS: https://developers.cloudflare.com/api/resources/custom_hostnames/ */
export interface Registry {
  /** Of the zone's custom hostnames. */
  url: string;
  token: string;
}

/** The token is a secret that the operator may set; `wrangler types` knows only those that are required. */
type Variables = Pick<Env, "CLOUDFLARE_API_URL" | "CLOUDFLARE_SAAS_ZONE_ID"> & { CLOUDFLARE_SAAS_TOKEN?: string };

/** Null where the operator has set up none. */
export function registryOf(variables: Variables): Registry | null {
  const { CLOUDFLARE_API_URL: api, CLOUDFLARE_SAAS_ZONE_ID: zone, CLOUDFLARE_SAAS_TOKEN: token } = variables;
  if (!zone || !token) return null;
  return { url: `${api.replace(/\/$/, "")}/zones/${encodeURIComponent(zone)}/custom_hostnames`, token };
}

/** A custom hostname as far as it matters here. */
interface CustomHostname {
  id: string;
  status: string;
  error: string | null;
}

type Failure = { outcome: "failed"; retryAfterMs: number; reason: string; refused: boolean };
export type Registration = { outcome: "registered"; hostname: CustomHostname } | Failure;
export type Removal = { outcome: "removed" } | Failure;

type Answer = { outcome: "ok"; result: unknown } | { outcome: "missing" } | { outcome: "duplicate" } | Failure;

const SSL = { method: "http", type: "dv" };
const DUPLICATE = 1406;

/**
 * Registers the name, or asks how it stands with it. Done twice it is registered once. `restart` has the
 * certificate's validation begin anew, for a domain that has only now come to lead here.
 */
export async function register(
  registry: Registry,
  { name, id, restart }: { name: string; id: string | null; restart: boolean },
): Promise<Registration> {
  if (id !== null) {
    const known = await (restart ? ask(registry, "PATCH", `/${id}`, { ssl: SSL }) : ask(registry, "GET", `/${id}`));
    if (known.outcome !== "missing") return registrationOf(known);
  }
  const created = await ask(registry, "POST", "", { hostname: name, ssl: SSL });
  return created.outcome === "duplicate" ? find(registry, name) : registrationOf(created);
}

/** Removes the name; that it is not there is as good. */
export async function remove(registry: Registry, name: string): Promise<Removal> {
  const found = await search(registry, name);
  if (found.outcome !== "ok") return failureOf(found);
  if (found.hostname === null) return { outcome: "removed" };
  const removed = await ask(registry, "DELETE", `/${found.hostname.id}`);
  return removed.outcome === "ok" || removed.outcome === "missing" ? { outcome: "removed" } : failureOf(removed);
}

async function find(registry: Registry, name: string): Promise<Registration> {
  const found = await search(registry, name);
  if (found.outcome !== "ok") return failureOf(found);
  if (found.hostname === null) return failure("the name is taken and cannot be found", true);
  return { outcome: "registered", hostname: found.hostname };
}

/** The search also finds names that hold this one. */
async function search(registry: Registry, name: string) {
  const answer = await ask(registry, "GET", `?hostname=${encodeURIComponent(name)}`);
  if (answer.outcome !== "ok") return answer;
  const list = (Array.isArray(answer.result) ? answer.result : []) as HostnameJson[];
  const exact = list.find(({ hostname }) => hostname === name);
  return { outcome: "ok" as const, hostname: exact === undefined ? null : toHostname(exact) };
}

function registrationOf(answer: Answer): Registration {
  const hostname = answer.outcome === "ok" ? toHostname(answer.result as HostnameJson) : null;
  return hostname === null ? failureOf(answer) : { outcome: "registered", hostname };
}

function failureOf(answer: Answer): Failure {
  return answer.outcome === "failed" ? answer : failure(`an answer without use: ${answer.outcome}`);
}

function failure(reason: string, refused = false, retryAfterMs = CUSTOM_HOSTNAME_RETRY_MS): Failure {
  return { outcome: "failed", retryAfterMs, reason: reason.slice(0, MAX_CERTIFICATE_ERROR_CHARS), refused };
}

interface HostnameJson {
  id?: unknown;
  hostname?: unknown;
  status?: string;
  verification_errors?: unknown[];
  ssl?: { status?: string; validation_errors?: { message?: unknown }[] };
}

/** The certificate's status, or once that is active the hostname's. */
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

interface Envelope {
  success?: unknown;
  errors?: { code?: unknown; message?: unknown }[];
  result?: unknown;
}

async function ask(registry: Registry, method: string, path: string, body?: object): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), CUSTOM_HOSTNAME_TIMEOUT_MS);
  try {
    const response = await fetch(registry.url + path, {
      method,
      headers: { Authorization: `Bearer ${registry.token}`, "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: controller.signal,
    });
    const bytes = await readLimited(response.body, MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES);
    return answerOf(response, new TextDecoder().decode(bytes));
  } catch (error) {
    return failure(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  } finally {
    clearTimeout(timer);
  }
}

function answerOf({ status, headers }: Response, text: string): Answer {
  if (status === 404) return { outcome: "missing" };
  const envelope = parse(text);
  const errors = envelope?.errors ?? [];
  if (status === 409 || errors.some(({ code }) => code === DUPLICATE)) return { outcome: "duplicate" };
  // DELETE answers with the bare id.
  if (status < 300 && envelope !== null && envelope.success !== false)
    return { outcome: "ok", result: envelope.result };
  const told = errors.map(({ message }) => String(message)).join("; ");
  const refused = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  const seconds = Number(headers.get("Retry-After"));
  const wait = seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
  return failure(told === "" ? `status ${status}` : told, refused, Math.max(wait, CUSTOM_HOSTNAME_RETRY_MS));
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}
