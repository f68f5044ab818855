/** A moment: a `Date`, Unix milliseconds, ISO 8601 with `Z` or an offset, or a day in UTC such as `2030-01-31`. */
export type Time = Date | number | string;

/** The filters of a query: in place of a list, they take one value too. */
export type OneOrMore<T> = { [K in keyof T]: NonNullable<T[K]> extends string[] ? T[K] | string : T[K] };

/** An error in a part of a response. */
export interface ErrorBody {
  /** A sentence for people. */
  error: string;
  code: ErrorCode;
  details?: { path: string; message: string }[];
}

export type ErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "invalid_credentials"
  | "password_required"
  | "forbidden"
  | "account_deleted"
  | "cross_site"
  | "confirm_identity"
  | "mfa_required"
  | "quota_exceeded"
  | "wrong_password"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "limit_reached"
  | "gone"
  | "precondition_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "upgrade_required"
  | "rate_limited"
  | "internal"
  | "unavailable";

/** How far work in the background is. */
export interface Progress {
  done: number;
  total: number;
}
