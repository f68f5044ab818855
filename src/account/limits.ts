import { DAY_MS } from "../duration.ts";

/** `max-age` of the response of `GET /api/service`. */
export const SERVICE_INFO_MAX_AGE_SECONDS = 60;

/** Other owners of a team who are told by mail that it was deleted or restored. */
export const MAX_TOLD_OWNERS = 20;

/** An account that is not trusted yet is checked this often. */
export const TRUST_CHECK_INTERVAL_MS = DAY_MS;
