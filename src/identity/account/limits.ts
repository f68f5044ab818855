import { DAY_MS } from "../../limits.ts";

/** `max-age` of the response of `GET /api/service`. */
export const SERVICE_INFO_MAX_AGE_SECONDS = 60;

/** An account that is not trusted yet is checked this often. */
export const TRUST_CHECK_INTERVAL_MS = DAY_MS;
