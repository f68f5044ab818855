/** The query parameter that the QR codes made here add to a short URL, to tell clicks through them from others. */
export const QR_PARAMETER = "qr=1";
