export const MAX_OUTBOUND_URL_CHARS = 2_048;

/** The first port that a called URL may have besides 80 and 443. Those below belong to other protocols, such as SMTP. */
export const MIN_OUTBOUND_HIGH_PORT = 1_024;
