import { createHmac } from "node:crypto";

/**
 * Turns a visitor into a positive number. It cannot be reversed once the salt is deleted: HMAC-SHA-256, of which the
 * first 52 bits are kept. Under one salt, equal visitors have equal numbers.
 */
export function hashVisitor(salt: Uint8Array, ip: string, userAgent: string): number {
  const digest = createHmac("sha256", salt).update(`${ip}\n${userAgent}`).digest("hex");
  return Number.parseInt(digest.slice(0, 13), 16) || 1;
}
