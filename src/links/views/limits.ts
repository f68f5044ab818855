/** Views that a person has for themselves in an account, those of the list of links and of analytics together. */
export const MAX_OWN_VIEWS = 50;

/** Views that the members of an account share. */
export const MAX_SHARED_VIEWS = 50;

export const MAX_VIEW_NAME_CHARS = 100;

/** Enough for the longest words, tags and domains that most filters have. */
export const MAX_VIEW_QUERY_CHARS = 4_000;
