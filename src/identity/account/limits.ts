/** `max-age` of the response of `GET /api/service`. */
export const SERVICE_INFO_MAX_AGE_SECONDS = 60;
