import { z } from "@hono/zod-openapi";
import { conflict } from "../http/errors.ts";
import { because } from "../http/faults.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Idempotency, StoredResponse } from "./store/responses.ts";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "./limits.ts";

/** The request header of operations that a client may repeat. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARS}}$`),
      because("wrong_form", { expected: "visible_ascii", max: MAX_IDEMPOTENCY_KEY_CHARS }),
    )
    .optional()
    .openapi({
      description: "Makes the request safe to repeat: within 24 hours, a repeated request returns the first response.",
    }),
});

/** `body` is the validated body, so two spellings of the same JSON are the same request. */
export async function readIdempotency(
  accountId: number,
  key: string | undefined,
  operation: string,
  body: unknown,
): Promise<Idempotency | null> {
  if (key === undefined) return null;
  return { accountId, key, fingerprint: await sha256Hex(`${operation}\n${JSON.stringify(body)}`) };
}

/** Returns the body of the stored response. Throws a 409 if the key was used for another request. */
export function replay(stored: StoredResponse, idempotency: Idempotency): string {
  requireSameRequest(stored, idempotency);
  if (stored.response === null) throw new Error("the response is stored in pieces");
  return stored.response;
}

/** Throws a 409 if the key was used for another request. */
export function requireSameRequest({ fingerprint }: StoredResponse, idempotency: Idempotency): void {
  if (fingerprint === idempotency.fingerprint) return;
  throw conflict("key_used_again");
}
