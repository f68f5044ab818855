/** Maximum length of the name of a UTM template. */
export const MAX_UTM_TEMPLATE_NAME_CHARS = 100;
