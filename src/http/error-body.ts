import { z } from "@hono/zod-openapi";

/** The HTTP status of each error code. */
export const STATUS_OF_CODE = {
  invalid_request: 400,
  destination_blocked: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  password_required: 401,
  forbidden: 403,
  account_deleted: 403,
  cross_site: 403,
  confirm_identity: 403,
  mfa_required: 403,
  quota_exceeded: 403,
  wrong_password: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit_reached: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_authorization: 422,
  upgrade_required: 426,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;

/** The body of every error (7). */
export const ErrorBody = z
  .object({
    error: z.string().openapi({ description: "A sentence for people that says what to do." }),
    code: z
      .enum(Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]])
      .openapi({ description: "The kind of error, for programs." }),
    details: z
      .array(
        z.object({
          path: z.string().openapi({ description: "The field, such as `rules.0.url`." }),
          message: z.string().openapi({ description: "What is wrong with it." }),
        }),
      )
      .optional()
      .openapi({ description: "For invalid requests and blocked destinations: the fields and the reasons." }),
  })
  .openapi("Error", {
    description: "Why the request was not carried out.",
    example: {
      error: "url: must begin with http:// or https://",
      code: "invalid_request",
      details: [{ path: "url", message: "must begin with http:// or https://" }],
    },
  });
export type ErrorBody = z.infer<typeof ErrorBody>;
