import { describeError, log } from "../../lib/log.ts";
import { MAX_STATUS_TEXT_CHARS, MAX_WEBHOOK_RESPONSE_BYTES, WEBHOOK_TIMEOUT_MS } from "../../limits.ts";
import { readLimited } from "../../lib/read-limited.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { checkHost, urlError, type UrlGuard } from "./url-guard.ts";
import { signatureHeaders } from "./signature.ts";

/** Where an event is sent, and what it is signed with. */
export interface SigningTarget {
  url: string;
  /** All that sign at the moment, the newest first. */
  secrets: readonly string[];
}

export interface OutgoingEvent {
  id: string;
  type: EventType;
  body: string;
}

/** One attempt as the log shows it. */
export interface AttemptRecord {
  at: number;
  /** What the receiver answered; 0: it did not. */
  status: number;
  /** Why it failed; null: it did not. */
  statusText: string | null;
  durationMs: number;
}

export interface Attempt extends AttemptRecord {
  ok: boolean;
  /** What a failed one asked for in `Retry-After`. */
  retryAfterMs: number | null;
  /** 410: the receiver wants no more. */
  gone: boolean;
}

/** Sends the event once (6.3, 6.5). Never throws: whatever happens is an outcome. */
export async function attempt(target: SigningTarget, event: OutgoingEvent, guard: UrlGuard): Promise<Attempt> {
  const at = Date.now();
  const outcome = await send(target, event, guard, at);
  return { at, durationMs: Date.now() - at, retryAfterMs: null, gone: false, ...outcome };
}

type Outcome = Pick<Attempt, "ok" | "status" | "statusText"> & Partial<Attempt>;

const unanswered = (statusText: string): Outcome => ({ ok: false, status: 0, statusText });

async function send(target: SigningTarget, event: OutgoingEvent, guard: UrlGuard, now: number): Promise<Outcome> {
  if (urlError(target.url, guard) !== null) return unanswered("blocked address");
  const url = new URL(target.url);
  const verdict = await checkHost(url, guard).catch(() => "unresolvable" as const);
  if (verdict === "unresolvable") return unanswered("connection failed");
  if (verdict !== "allowed") return unanswered("blocked address");
  const timestamp = Math.floor(now / 1_000);
  const signature = await signatureHeaders(target.secrets, { eventId: event.id, timestamp, body: event.body });
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhook/1.0",
    "X-Service-Event": event.type,
    ...signature,
  };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), WEBHOOK_TIMEOUT_MS);
  try {
    return await post(url, event.body, headers, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return unanswered("timeout");
    // The runtime's message may repeat the URL, and that may hold a secret.
    const reason = describeError(error).error.replaceAll(/https?:\S+/gi, "…");
    log("info", "webhook_connection_failed", { host: url.host, error: reason });
    return unanswered("connection failed");
  } finally {
    clearTimeout(timer);
  }
}

async function post(url: URL, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Outcome> {
  const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
  const { status } = response;
  await Promise.race([readLimited(response.body, MAX_WEBHOOK_RESPONSE_BYTES), aborted(signal)]);
  if (response.ok) return { ok: true, status, statusText: null };
  return {
    ok: false,
    status,
    statusText: response.statusText.slice(0, MAX_STATUS_TEXT_CHARS).toWellFormed() || `status ${status}`,
    retryAfterMs: readRetryAfter(response.headers.get("Retry-After")),
    gone: status === 410,
  };
}

/** Rejects once the time is over, also where reading does not end by itself. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the time is over")), { once: true });
  });
}

/** Milliseconds from now; null where the header is absent or makes no sense. Seconds, or a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
