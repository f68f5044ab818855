import { DAY_MS, SECOND_MS } from "../../limits.ts";

/** A read of the row of the installation that takes longer has failed. */
export const INSTALLATION_READ_TIMEOUT_MS = 3 * SECOND_MS;
/** For how long an isolate relies on its last read that the installation has no origin. */
export const NO_ORIGIN_TTL_MS = 5 * SECOND_MS;
/** For how long the edge cache keeps the origin. */
export const ORIGIN_TTL_SECONDS = DAY_MS / SECOND_MS;
