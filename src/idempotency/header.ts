import { z } from "@hono/zod-openapi";
import { conflict } from "../http/errors.ts";
import { sha256Hex } from "../lib/hash.ts";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../limits.ts";
import type { Idempotency, StoredResponse } from "./store.ts";

/** The header of requests that may be repeated. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARS}}$`),
      `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} visible ASCII characters`,
    )
    .optional()
    .openapi({ description: "With it, repeating the request within 24 hours gives the first answer again." }),
});

/** Reads the header's value into what the store needs; `body` is the validated body, so spacing and order do not matter. */
export async function readIdempotency(
  accountId: number,
  key: string | undefined,
  operation: string,
  body: unknown,
): Promise<Idempotency | null> {
  if (key === undefined) return null;
  return { accountId, key, fingerprint: await sha256Hex(`${operation}\n${JSON.stringify(body)}`) };
}

/** The body of the first answer, or 409 where the key was used for another request. */
export function replay(answer: Pick<StoredResponse, "fingerprint" | "response">, idempotency: Idempotency): string {
  if (answer.fingerprint !== idempotency.fingerprint) {
    throw conflict("This Idempotency-Key was used for another request. Use a new key for each new request.");
  }
  return answer.response;
}
