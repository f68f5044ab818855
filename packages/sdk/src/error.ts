import type { Fault } from "./generated/types.ts";

export interface ErrorFields {
  status?: number;
  details?: readonly Fault[];
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

/** The API has refused a request, did not respond, or a webhook is not genuine. */
export class TernError extends Error {
  /** The HTTP status; 0 if there is no response. */
  declare readonly status: number;
  /**
   * As in the API's documents, such as `not_found`. Besides these: `connection_failed`, `timeout`,
   * `unexpected_response`, and those of `webhooks.verify()`: `invalid_signature`, `stale_timestamp`.
   */
  declare readonly code: string;
  /** What is wrong: of each field, or of the request. Each has a `code` with its values, and an English sentence. */
  declare readonly details: readonly Fault[];
  /** The request's id in the service's log. */
  declare readonly requestId: string | null;
  /** Seconds until the next attempt is allowed. */
  declare readonly retryAfter: number | null;

  override readonly name = "TernError";

  constructor(code: string, message: string, fields: ErrorFields = {}) {
    super(message);
    Object.assign(this, { code, status: 0, details: [], requestId: null, retryAfter: null, ...fields });
  }
}

/** The error of a response with a status that is not a success. */
export async function readError(response: Response): Promise<TernError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => null)) as {
    error?: unknown;
    code?: unknown;
    details?: Fault[];
  } | null;
  const { error, code, details } = body ?? {};
  const known = typeof error === "string" && typeof code === "string";
  return new TernError(
    known ? code : "unexpected_response",
    known ? error : `The service responded with the status ${status}.`,
    {
      status,
      details: details ?? [],
      requestId: headers.get("X-Request-Id"),
      retryAfter: readRetryAfter(headers.get("Retry-After")),
    },
  );
}

/** Seconds, or a date (RFC 9110, 10.2.3). null for one that has passed. */
function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  const result = seconds >= 0 ? seconds : (Date.parse(header ?? "") - Date.now()) / 1_000;
  return result >= 0 ? Math.ceil(result) : null;
}
