import { CLEANUP_INTERVAL_MS, LONE_CALL_RESOLUTION_MS } from "./limits.ts";

// The first call of a client sets the alarm that deletes the client's storage. A million alarms cost a dollar, and so do a million
// stored windows. If the client makes no other call, the time of the alarm is enough: it says when the call was, and for what.

export interface LoneCall {
  operation: string;
  /** Unix milliseconds. */
  at: number;
}

/** Operations that are often the only one of a client in a day. Their order is that of stored numbers: append new ones only. */
const OPERATIONS = [
  "GET /api/links",
  "POST /api/links",
  "GET /api/links/:id",
  "PATCH /api/links/:id",
  "DELETE /api/links/:id",
  "GET /api/links/:id/clicks",
  "GET /api/links/:id/clicks/records",
  "GET /api/links/:id/qr",
  "GET /api/links/by-url",
  "PUT /api/links/upsert",
  "POST /api/shorten (authenticated)",
  "POST /api/shorten (anonymous)",
  "create links",
  "GET /api/clicks",
  "GET /api/clicks/records",
  "GET /api/slugs/:slug",
  "GET /api/tags",
  "GET /api/keys/current",
  "GET /api/usage",
  "GET /api/health",
  "GET /api/service",
  "GET /api/shared/:token",
  "GET /api/shared/:token/clicks",
  "GET /api/auth/session",
  "POST /api/auth/sign-in",
  "POST /mcp",
  "password",
];

/**
 * The time of the alarm for this call, about {@link CLEANUP_INTERVAL_MS} after it; null: the call must be stored. The call's time is
 * rounded up, so that it does not leave its window early, and the number of the operation is added.
 */
export function alarmOfLoneCall({ operation, at }: LoneCall): number | null {
  const number = OPERATIONS.indexOf(operation);
  if (number === -1) return null;
  return Math.ceil(at / LONE_CALL_RESOLUTION_MS) * LONE_CALL_RESOLUTION_MS + CLEANUP_INTERVAL_MS + number;
}

/** The inverse of {@link alarmOfLoneCall}. */
export function readLoneCall(alarm: number): LoneCall | null {
  const number = alarm % LONE_CALL_RESOLUTION_MS;
  const operation = OPERATIONS[number];
  return operation === undefined ? null : { operation, at: alarm - CLEANUP_INTERVAL_MS - number };
}
