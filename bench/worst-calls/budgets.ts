import type { Operation } from "./requests.ts";

// About twice what the calls use, because the time differs from machine to machine.

/**
 * CPU time of the largest bulk call in milliseconds, with the work of the database, its 900 deliveries and their receivers.
 * The deliveries take three quarters of it.
 */
const BULK_CPU_MS = 20_000;
/** Memory of the largest bulk call, with that of the database and of the receivers. */
const BULK_BYTES = 256 * 1_024 * 1_024;

const BULK = { cpuMs: BULK_CPU_MS, bytes: BULK_BYTES };

/** What a call of an operation may use, at most. */
export const BUDGETS: Partial<Record<Operation, { cpuMs: number; bytes: number }>> = {
  "POST /api/links/bulk": BULK,
  "PATCH /api/links/bulk": BULK,
  "DELETE /api/links/bulk": BULK,
};
