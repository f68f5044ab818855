import type { Because } from "#src/platform/http/fault-codes.ts";
import type { Detail, ErrorBody, Fault } from "./error-body.ts";

/** A response of the API that is not a success, or a request that had no response (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /** As in the API's documents; `offline` without a response. */
  readonly code: string;
  /** What is wrong, by the paths of the fields. */
  readonly details: readonly Detail[];
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  /** Where an app gets the error that it has caused itself. */
  readonly redirectUri: string | null;

  constructor(status: number, body: ErrorBody, headers: Headers | null) {
    super(body.error);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.redirectUri = body.redirectUri ?? null;
    const seconds = headers?.get("Retry-After") ?? null;
    this.retryAfter = seconds === null ? null : Number(seconds);
    this.requestId = headers?.get("X-Request-Id") ?? null;
  }
}

export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface RequestOptions {
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  file?: Blob;
  /** An `X-Account-Id` in them replaces the current account. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What the pages do for a request that cannot go on. Set by the shell. */
interface Hooks {
  /** Asks the person to confirm the identity. Resolves with false if they do not. */
  confirmIdentity: () => Promise<boolean>;
  /** The session has ended. */
  signedOut: () => void;
  /** The team of the account needs a second factor, and the person has none. */
  factorNeeded: () => void;
  /** The person may not do this, perhaps because they are no member of the account any more. */
  forbidden: () => void;
}

const NO_HOOKS: Hooks = {
  confirmIdentity: () => Promise.resolve(false),
  signedOut: () => undefined,
  factorNeeded: () => undefined,
  forbidden: () => undefined,
};
let hooks = NO_HOOKS;
let accountId: string | null = null;

/** Sets the hooks. Returns what removes them. */
export function setHooks(value: Hooks): () => void {
  hooks = value;
  return () => {
    hooks = NO_HOOKS;
  };
}

/** Makes all later requests act for this account. */
export function actFor(id: string | null): void {
  accountId = id;
}

/** The id of the account that requests act for; null before anybody has signed in. */
export const actingFor = (): string | null => accountId;

/** The longest wait before a read is repeated that was limited. */
const MAX_WAIT_SECONDS = 15;
const MAX_ATTEMPTS = 3;

/** Calls the API and returns the JSON of its response. Throws an {@link ApiError} for every other outcome. */
export async function call<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await respond(method, path, options);
  return (await response.json()) as T;
}

/** Like {@link call}, for a response that is not JSON. */
export async function respond(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(method, path, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "confirm_identity" && attempt === 1) {
        if (!(await hooks.confirmIdentity())) throw error;
        continue;
      }
      if (error.status === 401 && error.code === "unauthorized" && !path.startsWith("/api/auth/sign-in"))
        hooks.signedOut();
      // The pages of operators ask for the factor themselves: no account needs it.
      if (method === "GET" && error.code === "mfa_required" && !path.startsWith("/api/admin/")) hooks.factorNeeded();
      if (error.code === "forbidden") hooks.forbidden();
      const seconds = error.retryAfter ?? 1;
      const repeats = method === "GET" && (error.status === 429 || error.status === 503) && seconds <= MAX_WAIT_SECONDS;
      if (!repeats || attempt >= MAX_ATTEMPTS) throw error;
      await wait(seconds * 1_000, options.signal);
    }
  }
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const headers = new Headers(options.headers);
  if (accountId !== null && !headers.has("X-Account-Id")) headers.set("X-Account-Id", accountId);
  const body = options.file ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  let response: Response;
  try {
    response = await fetch(urlOf(path, options.query), {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(options.signal !== undefined && { signal: options.signal }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, { error: "The service could not be reached.", code: "offline" }, null);
  }
  if (response.ok) return response;
  throw new ApiError(response.status, await readError(response), response.headers);
}

async function readError(response: Response): Promise<ErrorBody> {
  try {
    return await inPlainWords(await response.json());
  } catch {
    return { error: `The service responded with ${response.status}.`, code: "internal" };
  }
}

/** The error in words for people. Their code is loaded with the first error; without it, the error says only its kind. */
export async function inPlainWords(body: ErrorBody): Promise<ErrorBody> {
  const words = await loadWords();
  return words?.plainError(body) ?? { ...body, error: `The service responded with "${body.code}".` };
}

const loadWords = () => import("./plain-error.ts").catch(() => null);

/** Why a field is refused, in words that continue its name; null if they could not be loaded. */
export async function reasonInWords(because: Because): Promise<string | null> {
  return (await loadWords())?.plainReason(because) ?? null;
}

/** The job, import or export with the reason of its failure in words for people; without a reason if none is known. */
export async function withReason<T extends { error: string | null; fault: Fault | null }>(job: T): Promise<T> {
  return job.error === null ? job : { ...job, error: (await loadWords())?.plainFailure(job.fault) ?? null };
}

/** A path with its query; undefined, null and empty values are left out, lists are repeated. */
export function urlOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") params.append(name, String(each));
    }
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The URL of a file or a socket, which cannot have headers. */
export function urlForAccount(path: string, query: Query = {}): string {
  return urlOf(path, { ...query, accountId });
}

/** Resolves after the time; rejects if the signal is aborted before. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
