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

/** Maximum pixels of a logo that is drawn into a PNG or a PDF: 1,024 by 1,024. Its bytes are unpacked in memory. */
export const MAX_QR_LOGO_PIXELS = 1_024 * 1_024;

/** Maximum scans of a JPEG that is unpacked. Each may visit all coefficients, which takes 15 ms; usual encoders write up to 18. */
export const MAX_QR_LOGO_SCANS = 32;

/** Maximum memory for unpacking a JPEG, as its decoder counts. Four components of the most pixels need 29. */
export const MAX_QR_LOGO_MEMORY_MIB = 32;

/** How much brighter the background of a code with dots, round corners, a frame or a logo of another size is at least, of 255 (`brightnessOf`). */
export const MIN_STYLED_BRIGHTNESS_DIFFERENCE = 64;

/** Share of the code's width, without margin, that the logo covers with the space around it, in percent. */
export const DEFAULT_QR_LOGO_PERCENT = 22;
export const MIN_QR_LOGO_PERCENT = 10;

/** The same, at most, by level: what it corrects leaves room for damage. Decoders read such codes in each style, at each margin. */
export const MAX_QR_LOGO_PERCENT = { Q: 24, H: 30 } as const;

/** Width of a PDF, in millimetres. */
export const MIN_QR_SIZE_MM = 10;
export const MAX_QR_SIZE_MM = 1_000;
export const DEFAULT_QR_SIZE_MM = 50;

/** The smallest module that printers print and phones read, in millimetres. */
export const MIN_QR_MODULE_MM = 0.25;

/** The smallest module of a PNG with dots, round corners, a logo or a frame. */
export const MIN_DRAWN_MODULE_PX = 3;

/** Characters of the call to action in a frame. */
export const MAX_QR_FRAME_TEXT_CHARS = 30;

/** The smallest margin inside a frame: scanners would read the frame as part of the code. */
export const MIN_FRAMED_MARGIN_MODULES = 2;

/** Modules of a row of the largest code with dots, round corners or a frame (version 20): phones read larger ones badly. */
export const MAX_STYLED_MODULES = 97;
