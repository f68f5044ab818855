import type { FaultCode } from "#src/http/fault-codes.ts";
import type { FIELD_FAULTS, REFUSALS } from "#src/http/fault-sentences.ts";

// The types of the texts for the faults of the API. Only types come from there: its sentences are not in the pages.

/**
 * What only programmers meet: how a request has to be built. Its texts are the same for all of them: `invalid` for a field, and
 * that of the kind of error for the request as a whole.
 */
export const TECHNICAL = [
  // Fields and parameters
  "wrong_type",
  "given_twice",
  "repeated_name",
  "unknown_field",
  "nothing_given",
  "not_one_given",
  "no_pages_in_csv",
  "needs_key",
  "too_many_times",
  "too_deep",
  "wrong_form",
  "not_an_id",
  "not_a_cursor",
  "not_milliseconds",
  "not_left_out",
  "empty_after_mark",
  "no_destination_of_tag",
  "only_for_pdf",
  "not_for_pdf",
  "not_enough",

  // Paths, headers, bodies, keys
  "no_such_path",
  "not_json",
  "wrong_content_encoding",
  "body_too_deep",
  "not_utf8",
  "broken_query",
  "unused_header",
  "local_only",
  "key_used_again",
  "no_key_sent",
  "lacks_permission",
  "app_lacks_scope",
] as const satisfies readonly FaultCode[];

type Technical = (typeof TECHNICAL)[number];

/** A text for each code, of which functions get the values of the code. */
type TextsOfCodes<Sentences> = {
  [Code in Exclude<keyof Sentences, Technical>]: Sentences[Code] extends string ? string : string | Sentences[Code];
};

/** What is wrong with a field. The text continues its name. */
export type FieldFaultTexts = TextsOfCodes<typeof FIELD_FAULTS>;
/** Why a request was refused: whole sentences. */
export type RefusalTexts = TextsOfCodes<typeof REFUSALS>;
