import type { ErrorBody as Answer } from "#src/platform/http/error-body.ts";
import type { FaultCode } from "#src/platform/http/fault-codes.ts";

/** A fault as the API says it. */
export type Fault = NonNullable<Answer["details"]>[number];

/** What is wrong with a field of the request, or why the request was refused. */
export interface Detail {
  /** The field, or empty. */
  path: string;
  code: FaultCode;
  /** Continues the name of the field, or is a sentence of its own. */
  message: string;
  isSentence?: boolean;
}

export interface ErrorBody {
  error: string;
  code: string;
  details?: Detail[];
  redirectUri?: string | null;
}
