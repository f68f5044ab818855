import type { Operation } from "./calls/index.ts";

/** CPU time of the largest bulk call in milliseconds, with the work of the database, its 900 deliveries and their receivers. */
const BULK_CPU_MS = 10_000;
/** Memory of the largest bulk call, with that of the database and of the receivers. An isolate has 128 MiB. */
const BULK_BYTES = 128 * 1_024 * 1_024;

const BULK = { cpuMs: BULK_CPU_MS, bytes: BULK_BYTES };

/** What a call of an operation may use, at most. */
export const BUDGETS: Partial<Record<Operation, { cpuMs: number; bytes: number }>> = {
  "POST /api/links/bulk": BULK,
  "PATCH /api/links/bulk": BULK,
  "DELETE /api/links/bulk": BULK,
};
