import { SECOND_MS } from "../duration.ts";

/** Time for a visit: all redirects, look-ups of names, robots.txt and the page. */
export const VISIT_TIMEOUT_MS = 10 * SECOND_MS;

/** Redirects that a visit follows. */
export const MAX_VISIT_REDIRECTS = 5;

/** Requests of a visit, those for robots.txt included. */
export const MAX_VISIT_REQUESTS = 12;

/** A page is read up to this size, after decompression. What a visit looks for is in its head. */
export const MAX_PAGE_BYTES = 256 * 1_024;

/** A robots.txt is read up to this size, the least that RFC 9309 asks for. */
export const MAX_ROBOTS_BYTES = 500 * 1_024;

/** Characters of a page's title. Longer ones are cut. */
export const MAX_PAGE_TITLE_CHARS = 200;

/** Bytes at the beginning of a page that may declare its character encoding (HTML standard, "prescan"). */
export const ENCODING_PRESCAN_BYTES = 1_024;
