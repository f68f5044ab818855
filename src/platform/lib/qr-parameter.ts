/** The service's QR codes add this query parameter to the short URL, so that clicks through them can be counted apart. */
export const QR_PARAMETER = "qr=1";
