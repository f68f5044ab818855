/** Maximum size of an uploaded file. */
export const MAX_IMPORT_FILE_BYTES = 50_000_000;

/** Size of an uploaded file beyond which an object stores it: it takes 6 ms of CPU time for each megabyte. */
export const MAX_OWN_FILE_BYTES = 2_000_000;

/** Maximum number of links in a file. */
export const MAX_IMPORT_ROWS = 100_000;

/** Maximum size of one row of a file. A link may have {@link MAX_BODY_BYTES}; its old service may have stored more. */
export const MAX_IMPORT_ROW_BYTES = 256 * 1_024;

/** Lines of a quoted cell after which it is read literally if each of them looks like a row. So the rest is not searched for its end. */
export const MAX_LINES_IN_LITERAL_CELL = 10;

/** Maximum number of columns of a file, or of different fields in its JSON objects. */
export const MAX_IMPORT_COLUMNS = 200;

/** Maximum length of the name of a column. The end of a longer one is cut off. */
export const MAX_IMPORT_COLUMN_CHARS = 100;

/** The bytes at the beginning of a file that its format is recognised by. */
export const IMPORT_HEAD_BYTES = 64 * 1_024;

/** Rows that are stored, checked and imported as a page. */
export const IMPORT_PAGE_ROWS = 500;

/** Links that one transaction creates. Other queries of the database wait for it. */
export const IMPORT_BATCH_LINKS = 50;

/** Rows that are validated before other calls of the isolate run: a few milliseconds of CPU. */
export const IMPORT_ROWS_PER_TURN = 25;

/** Bytes of a file after which a page of rows ends, also with fewer rows. */
export const IMPORT_PAGE_BYTES = 1_000_000;

/** Pages of rows that are read from the file at a time. */
export const IMPORT_PAGES_PER_READING = 4;

/** Rows that are shown before an import is started. */
export const IMPORT_SAMPLE_ROWS = 5;

/** Length of a cell of these rows. The end of a longer one is cut off. */
export const IMPORT_SAMPLE_CHARS = 100;

/** Length of a word that is not known, as a problem quotes it. The end of a longer one is cut off. */
export const MAX_QUOTED_WORD_CHARS = 40;

/** Hosts of a file that are listed, to choose a domain for each. */
export const MAX_IMPORT_HOSTS = 100;

/** Other slugs that are tried for a link whose slug is taken. */
export const MAX_IMPORT_SLUG_ATTEMPTS = 6;

/** Links that one page of an undo deletes. Redirects in the same isolate wait while their entries are published. */
export const IMPORT_UNDO_LINKS = 25;

/** Links a second that a long import creates at most, so that redirects and the API stay fast. */
export const IMPORTED_LINKS_PER_SECOND = 100;
