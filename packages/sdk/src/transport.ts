import { readError, TernError } from "./error.ts";
import type { LiveSocket } from "./types.ts";

/** How a request is made. All members have defaults. */
export interface RequestOptions {
  /** Ends the request and its retries. */
  signal?: AbortSignal;
  /** Of one attempt, in milliseconds. */
  timeoutMs?: number;
  maxRetries?: number;
  /** Sent instead of a new one, so that a later call repeats this one. Only for operations that take one. */
  idempotencyKey?: string;
  /** Sends `If-Match`: the change is made only if the link still has this `updatedAt`. */
  ifUpdatedAt?: Date | number;
  /** Additional request headers. */
  headers?: Record<string, string>;
}

/** What {@link Transport} sends. */
export interface Call extends RequestOptions {
  /** Undefined members are left out, lists are repeated. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent in place of `body` as it is. Its type is in `headers`. */
  file?: string | Blob;
}

/** One attempt of a request, after its end. It has no key and no body. */
export interface DebugEvent {
  method: string;
  /** The token of a shared page is left out. */
  url: string;
  /** 1 for the first attempt of a request. */
  attempt: number;
  /** 0: there is no response. */
  status: number;
  durationMs: number;
  /** The id of the request in the log of the service; null without a response. */
  requestId: string | null;
}

export interface TransportOptions {
  apiKey: string | null;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  debug?: ((event: DebugEvent) => void) | undefined;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A service that asks for a longer pause than this is not waited for. */
const LONGEST_RETRY_AFTER_SECONDS = 120;
/** Clients that have to wait for the same moment come in the time after it. */
const RETRY_AFTER_JITTER_MS = 1_000;

/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends requests, and repeats those that may be repeated. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** The JSON of a response; undefined for one without content. */
  json<T>(method: string, path: string, call: Call): Promise<T> {
    return this.#send(method, path, call, readJson) as Promise<T>;
  }

  /** A response that is no error. Its body is read by the caller. */
  response(method: string, path: string, call: Call): Promise<Response> {
    return this.#send(method, path, call, async (response) => {
      // Only short links redirect. 304: the caller has the file already.
      if (response.ok || response.status === 304 || !path.startsWith("/api/")) return response;
      return refuse(response);
    });
  }

  /** Deletes something. If an attempt without a response has deleted it, the next one finds nothing: that is a success too. */
  remove(path: string, call: Call): Promise<void> {
    return this.#send("DELETE", path, call, readJson, true) as Promise<void>;
  }

  /** A WebSocket with the key in its headers, which the runtime must support. */
  socket(path: string, query?: object): LiveSocket {
    const headers = Object.fromEntries(this.#headersOf({}));
    const { WebSocket } = globalThis as unknown as { WebSocket: new (url: string, options: object) => LiveSocket };
    return new WebSocket(this.#options.baseUrl.replace(/^http/, "ws") + path + toQuery(query), { headers });
  }

  async #send<T>(
    verb: string,
    path: string,
    call: Call,
    read: (response: Response) => Promise<T>,
    isRemoval = false,
  ): Promise<T> {
    // Anything else after the host's name could change the host.
    if (!path.startsWith("/")) throw new TypeError("The path must begin with a slash.");
    const { signal, maxRetries = this.#options.maxRetries } = call;
    // As fetch sends it, so that a post is never taken for a method that may be repeated.
    const method = verb.toUpperCase();
    const query = toQuery(call.query);
    const url = this.#options.baseUrl + path + (path.includes("?") ? query.replace("?", "&") : query);
    const headers = this.#headersOf(call);
    const content = call.file ?? (call.body === undefined ? null : toJson(call.body));
    /** Whether an attempt without a response may have had its effect. */
    let mayBeDone = false;
    for (let retries = 0; ; retries++) {
      try {
        return await this.#attempt(url, { method, headers, body: content }, call, read, retries + 1);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (!(error instanceof TernError)) throw error;
        if (isRemoval && mayBeDone && error.status === 404) return undefined as T;
        if (retries >= maxRetries || !mayRepeat(error, method, headers)) throw error;
        mayBeDone ||= error.status !== 429;
        await pause(error.retryAfter, retries, signal);
      }
    }
  }

  #headersOf({ body, idempotencyKey, ifUpdatedAt, headers }: Call): Headers {
    const result = new Headers(headers);
    if (this.#options.apiKey !== null) result.set("Authorization", `Bearer ${this.#options.apiKey}`);
    if (body !== undefined) result.set("Content-Type", "application/json");
    // Without an account there is nothing that the key could belong to.
    if (idempotencyKey !== undefined && this.#options.apiKey !== null) result.set("Idempotency-Key", idempotencyKey);
    if (ifUpdatedAt !== undefined) result.set("If-Match", `"${Number(ifUpdatedAt)}"`);
    return result;
  }

  async #attempt<T>(
    url: string,
    request: RequestInit & { method: string },
    { signal, timeoutMs = this.#options.timeoutMs }: Call,
    read: (response: Response) => Promise<T>,
    attempt: number,
  ): Promise<T> {
    const startedAt = Date.now();
    let response: Response | undefined;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      response = await this.#options.fetch(url, {
        ...request,
        // A redirect would turn a POST into a GET.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      if (response.status >= 400) throw await readError(response);
      return await read(response);
    } catch (cause) {
      if (cause instanceof TernError) throw cause;
      if (timeout.signal.aborted) throw new TernError("timeout", `No response within ${timeoutMs} ms.`, { cause });
      throw new TernError("connection_failed", `The connection to ${new URL(url).host} failed.`, { cause });
    } finally {
      clearTimeout(timer);
      this.#options.debug?.({
        method: request.method,
        url: url.replace(/(\/api\/shared\/)[^/?]+/, "$1…"),
        attempt,
        status: response?.status ?? 0,
        durationMs: Date.now() - startedAt,
        requestId: response?.headers.get("X-Request-Id") ?? null,
      });
    }
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (response.ok && response.headers.get("Content-Type")?.includes("json")) return response.json();
  return refuse(response);
}

async function refuse({ status, headers, body }: Response): Promise<never> {
  // The status is enough, whatever becomes of the body.
  await body?.cancel().catch(() => undefined);
  const location = headers.get("Location");
  const reason = location === null ? "no JSON. Read it with client.fetch()." : `a redirect to ${location}.`;
  throw new TernError("unexpected_response", `The response is ${reason}`, { status });
}

/** An attempt without a response may have had its effect. */
function mayRepeat({ status, retryAfter }: TernError, method: string, headers: Headers): boolean {
  if ((retryAfter ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  if (status === 429) return true;
  const isIdempotent = headers.has("Idempotency-Key") || (method !== "POST" && !headers.has("If-Match"));
  return isIdempotent && (status === 0 || status >= 500);
}

function pause(retryAfter: number | null, retries: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS);
  const ms =
    retryAfter === null
      ? longest * (1 + Math.random()) * 0.5
      : retryAfter * 1_000 + Math.random() * RETRY_AFTER_JITTER_MS;
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Throws a RangeError for a `Date` that does not exist: `JSON.stringify` alone makes it null, which clears a field. */
function toJson(body: unknown): string {
  return JSON.stringify(body, function (this: Record<string, unknown>, key: string, value: unknown) {
    const given = this[key];
    return given instanceof Date ? given.toISOString() : value;
  });
}

function toQuery(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null)
        parameters.append(name, each instanceof Date ? each.toISOString() : String(each));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
