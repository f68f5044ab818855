import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../errors.ts";

/** As long as webhooks wait for their receivers (docs/webhooks.md). */
const RESPONSE_TIMEOUT_MS = 10_000;
/** Pauses between attempts while the receiver is away, for example because it restarts. */
const RECONNECT_PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];

const REFUSED = "connection refused";
const BROKEN = "connection closed before the response";
/** The codes of Node.js for connections that end early. */
const BROKEN_CODES = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"]);

/** What is sent to a receiver: as a webhook would send it. */
export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

export interface ForwardResult {
  /** 0 without a response. */
  status: number;
  /** Why there is no response. */
  problem: string | null;
  durationMs: number;
}

/** Returns the URL of the receiver; `localhost:3000` is enough. */
export function parseReceiverUrl(text: string): string {
  const address = text.includes("://") ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:/i.test(address)) return new URL(address).href;
  throw new UsageError(`${text} is no URL. Write it like http://127.0.0.1:3000/hooks.`);
}

interface Patience {
  /** Ends the attempts. */
  signal: AbortSignal;
  /** Called before each pause. */
  onAway: (problem: string) => void;
}

/**
 * Sends a delivery to the receiver. With `patience`, tries again for some seconds while the receiver is away; it may then
 * get a delivery twice. Throws if the signal of `patience` ends the attempts.
 */
export async function forward(url: string, delivery: Delivery, patience?: Patience): Promise<ForwardResult> {
  for (let attempt = 0; ; attempt++) {
    const result = await sendOnce(url, delivery, patience?.signal);
    const pauseMs = RECONNECT_PAUSES_MS[attempt];
    const { problem } = result;
    if (problem !== REFUSED && problem !== BROKEN) return result;
    if (pauseMs === undefined || patience === undefined) return result;
    patience.onAway(problem);
    await pause(pauseMs, undefined, { signal: patience.signal });
  }
}

async function sendOnce(url: string, { headers, body }: Delivery, end?: AbortSignal): Promise<ForwardResult> {
  const startedAt = Date.now();
  const result = (status: number, problem: string | null) => ({ status, problem, durationMs: Date.now() - startedAt });
  const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const signal = end === undefined ? timeout : AbortSignal.any([end, timeout]);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    // The status is enough, whatever becomes of the body.
    await response.body?.cancel().catch(() => undefined);
    return result(response.status, null);
  } catch (error) {
    end?.throwIfAborted();
    return result(0, problemOf(error as Error));
  }
}

function problemOf(error: Error): string {
  if (error.name === "TimeoutError") return `no response within ${RESPONSE_TIMEOUT_MS / 1_000} seconds`;
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code === "ECONNREFUSED") return REFUSED;
  if (code !== undefined && BROKEN_CODES.has(code)) return BROKEN;
  return code ?? error.message;
}
