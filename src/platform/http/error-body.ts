import { z } from "@hono/zod-openapi";
import { FIELD_FAULTS, RESOURCES } from "./fault-sentences.ts";
import { FAULT_CODES, type Fault } from "./faults.ts";

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

const text = (description: string) => z.string().optional().openapi({ description });
const number = (description: string) => z.number().optional().openapi({ description });

/** What is wrong with a field, or with the request as a whole. */
export const FaultBody = z
  .object({
    path: z.string().openapi({ description: "The field, such as `rules.0.url`. Empty: the request as a whole." }),
    code: z.enum(FAULT_CODES).openapi({ description: "What is wrong, for programs." }),
    message: z.string().openapi({
      description: "The English sentence. In a 400, it continues the name of the field.",
    }),
    actual: number("The size or number that the request has."),
    address: text("The IP address that the sentence names."),
    allowed: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .openapi({ description: "What is accepted, or what is lacking." }),
    at: number("A place: the number of a character, a line or an object, from 1."),
    column: number("The column of the fault in the body, from 1."),
    days: number("Days after which the reason ends."),
    example: text("What would be right, or what helps."),
    expected: text("The JSON type, or the name of the form, that the value must have."),
    field: text("Another field that the reason names."),
    level: text("The error correction of the QR code."),
    line: number("The line of the fault in the body, from 1."),
    max: number("The most that is accepted."),
    maxDepth: number("The deepest nesting that is accepted."),
    maxHosts: number("The most hosts that are accepted."),
    min: number("The least that is accepted."),
    reason: text("Why: a word or a code of its own list."),
    resource: z.enum(RESOURCES).optional().openapi({ description: "What kind of thing it is about." }),
    suggestion: text("What was probably meant."),
    unit: text("What is counted."),
    value: text("The thing that the sentence names."),
  } satisfies Record<keyof Fault, z.ZodType>)
  .openapi("Fault", {
    description: "What is wrong with a field, or with the request as a whole. Each code has its own values.",
    example: { path: "title", code: "too_long", message: "must have at most 300 characters", max: 300 },
  });

/** The body of every error (7). */
export const ErrorBody = z
  .object({
    error: z.string().openapi({ description: "A sentence for people that says what to do." }),
    code: z
      .enum(Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]])
      .openapi({ description: "The kind of error, for programs." }),
    details: z.array(FaultBody).optional().openapi({
      description: "The faults: of each invalid field, or of the request. Some kinds of errors have none.",
    }),
  })
  .openapi("Error", {
    description: "Why the request was not carried out.",
    example: {
      error: "url: must begin with http:// or https://",
      code: "invalid_request",
      details: [{ path: "url", code: "not_http", message: FIELD_FAULTS.not_http }],
    },
  });
export type ErrorBody = z.infer<typeof ErrorBody>;
