import { DAY_MS } from "../../limits.ts";

/** Codes and tokens are kept for this time after they have expired, so that an app that is late learns that it must refresh. */
export const EXPIRED_APP_TOKEN_KEPT_MS = DAY_MS;
