import { DAY_MS } from "../duration.ts";

/** How long entries of the audit log are kept. */
export const AUDIT_RETENTION_MS = 365 * DAY_MS;
