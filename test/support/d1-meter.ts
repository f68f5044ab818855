import { env } from "cloudflare:workers";

export interface Measured {
  /** Round trips to the database. */
  roundTrips: number;
  /** The sum of all statements, as `rowsWritten`. */
  rowsRead: number;
  rowsWritten: number;
  statements: string[];
}

type Send = (this: unknown, ...input: unknown[]) => Promise<unknown>;
interface Result {
  meta?: { rows_read?: number; rows_written?: number };
}

/**
 * Measures the database cost of `run` with D1's own counters. It wraps the private method of the D1 client that all calls
 * use, because the public `.first()` returns no `meta`.
 */
export async function measureD1(run: () => Promise<unknown>): Promise<Measured> {
  const measured: Measured = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, statements: [] };
  const client = clientPrototype();
  const original = client._send;
  client._send = async function send(...input) {
    const output = await original.apply(this, input);
    measured.roundTrips++;
    measured.statements.push(...[input[1]].flat().map((sql) => String(sql).replaceAll(/\s+/g, " ")));
    for (const { meta } of [output].flat() as Result[]) {
      measured.rowsRead += meta?.rows_read ?? 0;
      measured.rowsWritten += meta?.rows_written ?? 0;
    }
    return output;
  };
  try {
    await run();
  } finally {
    client._send = original;
  }
  return measured;
}

export function clientPrototype(): { _send: Send } {
  let object: object = env.DB.withSession("first-primary");
  while (!Object.hasOwn(object, "_send")) object = Object.getPrototypeOf(object) as object;
  return object as { _send: Send };
}
