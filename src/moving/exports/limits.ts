import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../limits.ts";

/** Downloads of a file by one caller within this time are one entry of the audit log. */
export const DOWNLOAD_RECORDED_MS = MINUTE_MS;

/** The time in which started exports count. */
export const EXPORT_WINDOW_MS = HOUR_MS;

/** Exports of all data that an account starts in any {@link EXPORT_WINDOW_MS}. */
export const MAX_ACCOUNT_EXPORTS_PER_WINDOW = 2;

/** Exports of links, clicks or QR codes that an account starts in any {@link EXPORT_WINDOW_MS}. */
export const MAX_FILE_EXPORTS_PER_WINDOW = 10;

/** Exports of all data of an account that run at the same time; also its exports of links, clicks or QR codes. */
export const MAX_RUNNING_EXPORTS = 2;

/** Exports of all data of an account that are kept. A new one deletes the oldest. Their files fit into a Durable Object, which holds 10 GB. */
export const MAX_KEPT_ACCOUNT_EXPORTS = 4;

/** Exports of links, clicks or QR codes of an account that are kept. A new one deletes the oldest. Their files fit into a Durable Object, which holds 10 GB. */
export const MAX_KEPT_FILE_EXPORTS = 20;

/** Stored bytes of an export of all data. It is below 4 GB, beyond which a ZIP file needs extensions that some programs lack. */
export const MAX_ACCOUNT_EXPORT_BYTES = 2_000_000_000;

/** Stored bytes of an export of links, clicks or QR codes, compressed. A million links take about 100 MB. */
export const MAX_FILE_EXPORT_BYTES = 450_000_000;

/** Size of a table in a ZIP file, before compression, after which its records go on in another file of it. */
export const MAX_EXPORT_ENTRY_BYTES = 1_000_000_000;

/** An export is deleted after this time. */
export const EXPORT_TTL_MS = 7 * DAY_MS;

/** Links that the start of an export counts, at least {@link MAX_EXPORTED_CODES}. If more match, `total` is at first the number of all links of the account. */
export const MAX_COUNTED_EXPORT_LINKS = 10_000;

/** Links that an export names by their ids. A request body has room for them. */
export const MAX_LISTED_EXPORT_LINKS = 1_000;

/** QR codes in one ZIP file. Drawing one takes up to 10 ms of CPU time. */
export const MAX_EXPORTED_CODES = 10_000;

/** Minimum width and height of the QR codes in a ZIP file: any short URL fits, at every level and with the widest margin. */
export const MIN_EXPORTED_QR_SIZE_PX = 128;

/** Length of a domain in the name of a QR code's file. Windows allows 255 characters for the whole name. */
export const MAX_FILE_NAME_DOMAIN_CHARS = 150;

/** Records that are read from the database at a time for an export. A link may have {@link MAX_BODY_BYTES}. */
export const EXPORT_PAGE_RECORDS = 100;

/** QR codes that are drawn and stored at a time. */
export const EXPORT_PAGE_CODES = 20;

/** Pages that one alarm writes. An invocation may call the database and Durable Objects a thousand times, and use 30 s of CPU time. */
export const EXPORT_PAGES_PER_ALARM = 50;

/** Bytes of a table that are compressed to one piece. Compression makes random bytes longer, by less than 1 %. */
export const EXPORT_CHUNK_BYTES = 800_000;

/** Records with the names of the files in an archive of up to {@link MAX_EXPORTED_CODES}. A page of codes writes one for each. */
export const NAME_BUCKETS = 500;

/** Attempts to read a piece of a file, the first one included. */
export const MAX_EXPORT_READ_ATTEMPTS = 3;
