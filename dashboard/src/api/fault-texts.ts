import type { ErrorCode } from "#src/platform/http/error-body.ts";
import type { FieldFaultCode, RefusalCode } from "#src/platform/http/fault-codes.ts";
import type { FIELD_FAULTS, REFUSALS } from "#src/platform/http/fault-sentences.ts";

// The types of the texts for the faults of the API. Only types come from there: its sentences are not in the pages.

/** What only programmers meet: how a field has to be sent. Several codes share a text (`plainErrors.technical`). */
export const TECHNICAL_FIELDS = {
  wrong_type: "wrong_kind",
  none_of_types: "wrong_kind",
  given_twice: "twice",
  repeated_name: "twice",
  too_many_times: "twice",
  unknown_field: "unknown",
  nothing_given: "incomplete",
  not_one_given: "incomplete",
  empty_after_mark: "incomplete",
  no_pages_in_csv: "not_here",
  needs_key: "not_here",
  not_left_out: "not_here",
  no_destination_of_tag: "not_here",
  only_for_pdf: "not_here",
  not_for_pdf: "not_here",
  too_deep: "too_deep",
  not_an_id: "gone",
  not_a_cursor: "gone",
} as const satisfies Partial<Record<FieldFaultCode, string>>;

/** The same of requests. Their text is that of a kind of error: of the error itself (null), or of another kind. */
export const TECHNICAL_REFUSALS = {
  not_json: "upgrade_required",
  wrong_content_encoding: "upgrade_required",
  body_too_deep: "upgrade_required",
  not_utf8: "upgrade_required",
  broken_query: "upgrade_required",
  unused_header: "upgrade_required",
  local_only: null,
  no_such_path: null,
  key_used_again: null,
  no_key_sent: null,
  lacks_permission: null,
  app_lacks_scope: null,
  app_needs_proof: null,
  body_too_full: null,
} as const satisfies Partial<Record<RefusalCode, ErrorCode | null>>;

type Technical = keyof typeof TECHNICAL_FIELDS | keyof typeof TECHNICAL_REFUSALS;

/** A text for each code, of which functions get the values of the code. */
type TextsOfCodes<Sentences> = {
  [Code in Exclude<keyof Sentences, Technical>]: Sentences[Code] extends string ? string : string | Sentences[Code];
};

/** What is wrong with a field. The text continues its name. */
export type FieldFaultTexts = TextsOfCodes<typeof FIELD_FAULTS>;
/** Why a request was refused: whole sentences. */
export type RefusalTexts = TextsOfCodes<typeof REFUSALS>;
