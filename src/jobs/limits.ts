import { DAY_MS } from "../duration.ts";

/** How long completed jobs are kept. */
export const JOB_RETENTION_MS = 30 * DAY_MS;
