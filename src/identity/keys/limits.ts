/** Maximum length of a key's name. */
export const MAX_KEY_NAME_CHARS = 100;
