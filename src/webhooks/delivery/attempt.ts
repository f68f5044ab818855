import { open } from "../../platform/lib/encryption.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { readLimited } from "../../platform/lib/read-limited.ts";
import type { OutgoingEvent } from "../../platform/outbox/event-types.ts";
import type { AttemptRecord } from "../delivery-contract.ts";
import type { WebhookFormat } from "../formats.ts";
import type { TargetRow } from "../store/row.ts";
import { signingSecretsOf } from "../store/secrets.ts";
import { deliveryHeaders } from "./signature.ts";
import { toMessage } from "./message.ts";
import { checkHost, urlError, type UrlGuard } from "../../platform/outbound/url-guard.ts";
import {
  MAX_KEPT_RESPONSE_BYTES,
  MAX_STATUS_TEXT_CHARS,
  MAX_WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_TIMEOUT_MS,
} from "../limits.ts";

/** The URL that events are sent to, in which format, and the secrets that sign them. */
export interface SigningTarget {
  url: string;
  format: WebhookFormat;
  /** The valid secrets, newest first. */
  secrets: readonly string[];
}

/** Decrypts the secrets that are valid at `now`. Throws if the Worker lacks their encryption key. */
export async function toSigningTarget(row: TargetRow, encryptionKeys: string, now: number): Promise<SigningTarget> {
  const sealed = signingSecretsOf(row, now);
  const secrets = await Promise.all(sealed.map((secret) => open(encryptionKeys, secret, row.id)));
  return { url: row.url, format: row.format, secrets };
}

/** The outcome of an attempt. The record has the details. */
export type Attempt = { record: AttemptRecord } & Outcome;

type Outcome = { ok: true } | Failed;

interface Failed {
  ok: false;
  retryAfterMs: number | null;
  /** The beginning of the response body; null: there was no response. */
  responseBody: string | null;
}

type Sent = Pick<AttemptRecord, "status" | "statusText"> & Outcome;

/**
 * Returns the function that sends an event to the target once. Make one for each turn: it looks up the host once for all
 * events of the turn. The function never throws: every error is a failed attempt.
 */
export function attemptsAt(target: SigningTarget, guard: UrlGuard): (event: OutgoingEvent) => Promise<Attempt> {
  let checked: Promise<string | null> | undefined;
  const check = () => (checked ??= checkTarget(target.url, guard));
  return async (event) => {
    const at = Date.now();
    const { status, statusText, ...outcome } = await send(target, event, check, at);
    return { record: { at, status, statusText, durationMs: Date.now() - at }, ...outcome };
  };
}

/** Why the target must not be called; null: it may be called. */
async function checkTarget(text: string, guard: UrlGuard): Promise<string | null> {
  if (urlError(text, guard) !== null) return "blocked address";
  const verdict = await checkHost(new URL(text), guard).catch(() => "unresolvable" as const);
  if (verdict === "unresolvable") return "connection failed";
  return verdict === "allowed" ? null : "blocked address";
}

/** The outcome without a response. */
const noResponse = (statusText: string): Sent => ({
  ok: false,
  status: 0,
  statusText,
  retryAfterMs: null,
  responseBody: null,
});

async function send(
  target: SigningTarget,
  event: OutgoingEvent,
  check: () => Promise<string | null>,
  now: number,
): Promise<Sent> {
  const refusal = await check();
  if (refusal !== null) return noResponse(refusal);
  const url = new URL(target.url);
  const body = bodyFor(target, event);
  if (body === null) return noResponse("no message");
  const headers = await deliveryHeaders(target.secrets, { ...event, body }, now);
  const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
  try {
    return await post(url, body, headers, signal);
  } catch (error) {
    if (signal.aborted) return noResponse("timeout");
    // The runtime's message may contain the URL, whose query string may hold a secret.
    const reason = describeError(error).error.replaceAll(/https?:\S+/gi, "…");
    log("info", "webhook_connection_failed", { host: url.host, error: reason });
    return noResponse("connection failed");
  }
}

/** What is sent; null: no message can be made of the event. */
function bodyFor({ format }: SigningTarget, { id, body }: OutgoingEvent): string | null {
  if (format === "event") return body;
  try {
    return toMessage(body, format);
  } catch (error) {
    log("error", "webhook_message_failed", { eventId: id, ...describeError(error) });
    return null;
  }
}

async function post(url: URL, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Sent> {
  const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
  const { status } = response;
  // Reading does not always end when the signal aborts.
  const reading = Promise.race([readLimited(response.body, MAX_WEBHOOK_RESPONSE_BYTES), rejectOnAbort(signal)]);
  // The status decides: a body that is cut off, or not compressed as its header says, is left out.
  const received = await reading.catch((error: unknown) => {
    if (signal.aborted) throw error;
    return new Uint8Array();
  });
  if (response.ok) return { ok: true, status, statusText: null };
  return {
    ok: false,
    status,
    statusText: response.statusText.slice(0, MAX_STATUS_TEXT_CHARS).toWellFormed() || `status ${status}`,
    retryAfterMs: readRetryAfter(response.headers.get("Retry-After")),
    responseBody: decodeBeginning(received),
  };
}

/** The first {@link MAX_KEPT_RESPONSE_BYTES} as text. Invalid UTF-8 is replaced; a character that is cut off is left out. */
function decodeBeginning(bytes: Uint8Array): string {
  const stream = bytes.byteLength > MAX_KEPT_RESPONSE_BYTES;
  return new TextDecoder().decode(bytes.subarray(0, MAX_KEPT_RESPONSE_BYTES), { stream });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the request timed out")), { once: true });
  });
}

/** Reads a `Retry-After` in seconds or as a date. Returns milliseconds from now, or null if it is absent or invalid. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
