/** Links of an account, unless the operator sets another quota. Deleted links do not count. */
export const DEFAULT_MAX_LINKS_PER_ACCOUNT = 1_000_000;

/** Bytes of an account's links, deleted ones included while they are kept, unless the operator sets another quota. */
export const DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT = 1_024 * 1_024 * 1_024;

/** Accounts that an isolate remembers because they created too many links: about 100 KB. */
export const MAX_REMEMBERED_ACCOUNTS = 1_000;
