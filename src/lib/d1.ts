import { MAX_SQL_TEXT_BYTES, MAX_WRITE_ATTEMPTS } from "../limits.ts";

// Messages of failures that another try may not meet: https://developers.cloudflare.com/d1/observability/debug-d1/
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|D1 DB is overloaded|D1 DB storage operation exceeded timeout|Cannot resolve D1 DB due to transient issue|internal error|isolate exceeded its memory limit/i;

/** Whether the database failed in a way that may pass: the request was fine, its outcome is unknown. */
export function isTransient(error: unknown): boolean {
  return error instanceof Error && TRANSIENT.test(error.message);
}

/** The columns of the unique index that the write ran into, such as `links.slug`, or null for another error. */
export function violatedColumns(error: unknown): string[] | null {
  const match = error instanceof Error ? /UNIQUE constraint failed: ([^:]+)/.exec(error.message) : null;
  return match?.[1] === undefined ? null : match[1].trim().split(", ");
}

/**
 * Sends a batch (one transaction), again after a transient failure. The first try may have been
 * committed before its answer was lost, so every statement must do nothing when it is repeated.
 */
export async function batchWithRetry(
  db: D1Database,
  statements: D1PreparedStatement[],
): Promise<D1Result<Record<string, unknown>>[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.batch<Record<string, unknown>>(statements);
    } catch (error) {
      if (attempt >= MAX_WRITE_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** The items as JSON arrays, for `json_each` over a bound text: in pieces, where one would be larger than the database takes. */
export function toJsonPieces(items: readonly unknown[]): string[] {
  const pieces: string[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const json = JSON.stringify(item);
    const size = new TextEncoder().encode(json).byteLength + 1;
    if (bytes + size > MAX_SQL_TEXT_BYTES) {
      pieces.push([]);
      bytes = 2;
    }
    pieces.at(-1)?.push(json);
    bytes += size;
  }
  return pieces.map((piece) => `[${piece.join(",")}]`);
}
