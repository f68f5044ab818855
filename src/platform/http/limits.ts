/** Maximum size of the body of a bulk creation. Each of its links may have {@link MAX_BODY_BYTES}. */
export const MAX_BULK_BODY_BYTES = 5 * 1_024 * 1_024;

/** Values (arrays, objects, strings, numbers and literals, at any depth) in a request body. A link with the most rules has fewer. */
export const MAX_BODY_VALUES = 16_000;

/** Values in the body of a bulk creation: 2,000 for each link on average. To parse and validate them takes up to about 30 MB. */
export const MAX_BULK_BODY_VALUES = 200_000;

/** Bytes that are still read of a body that is refused because of its size, so that the client gets the answer. */
export const MAX_REFUSED_BODY_BYTES = 64 * 1_024;

/** Milliseconds that are waited for these bytes. */
export const MAX_REFUSED_BODY_MS = 2_000;

/** Maximum number of validation errors that one response lists, or one result of a bulk request. */
export const MAX_ERROR_DETAILS = 20;

/** Length of the path of a validation error. Paths contain keys of the request. The end of a longer one is cut off. */
export const MAX_ERROR_PATH_CHARS = 200;

/** Length of the message of a validation error. Some quote the request. The end of a longer one is cut off. */
export const MAX_ERROR_MESSAGE_CHARS = 500;

/** Length of a value of a fault, which may repeat the request. The end of a longer one is cut off. */
export const MAX_ERROR_VALUE_CHARS = 200;

/** Characters of an `If-Match` header. */
export const MAX_IF_MATCH_CHARS = 8_192;

/** Maximum length of a time in a query. */
export const MAX_QUERY_TIME_CHARS = 64;

/** Text of the rows of a page beyond which an object writes the response: it takes 10 ms of CPU time for each megabyte. */
export const MAX_OWN_ROW_CHARS = 2_000_000;
