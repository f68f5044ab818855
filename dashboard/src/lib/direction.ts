/** In which direction the language of the page is written. */
export const DIRECTION = document.documentElement.dir === "rtl" ? "rtl" : "ltr";
