/** Minimum width and height of the image. */
export const MIN_QR_SIZE_PX = 64;

/** Maximum width and height of the image. */
export const MAX_QR_SIZE_PX = 2_048;

/** Width and height of the image without `size`. */
export const DEFAULT_QR_SIZE_PX = 512;

/** Maximum width of the margin. */
export const MAX_QR_MARGIN_MODULES = 16;

/** Width of the margin without `margin`: the quiet zone that scanners expect. */
export const DEFAULT_QR_MARGIN_MODULES = 4;

/** Characters that the largest code can hold, if they are digits. */
export const MAX_QR_CONTENT_CHARS = 7_089;

/** Maximum size of the logo. Base64 makes it a third longer, and a request body must have room for it and the content. */
export const MAX_QR_LOGO_BYTES = 32 * 1_024;

/** Maximum share of the code's width, without margin, that the logo covers with the space around it. Levels Q and H correct it. */
export const MAX_QR_LOGO_SHARE = 0.22;
