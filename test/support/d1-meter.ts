import { env } from "cloudflare:workers";
import { findTakenDownHosts } from "../../src/redirect/lookup/taken-down-hosts.ts";
import { interceptD1 } from "./d1-client.ts";

export interface Measured {
  /** Round trips to the database. */
  roundTrips: number;
  /** The sum of all statements, as `rowsWritten`. */
  rowsRead: number;
  rowsWritten: number;
  statements: string[];
}

/** A creation of a link may read this many rows more than the one before: a new page of the full-text index. */
export const INDEX_GROWTH_ROWS = 1;

interface Result {
  meta?: { rows_read?: number; rows_written?: number };
}

/**
 * Measures the database cost of `run`, and of all that runs beside it, with D1's own counters: in an isolate that knows the hosts
 * that are taken down, which it reads once in ten seconds. `isCounted` gets the SQL of a round trip.
 */
export async function measureD1(
  run: () => Promise<unknown>,
  isCounted: (sql: string) => boolean = () => true,
): Promise<Measured> {
  await findTakenDownHosts({ env });
  const measured: Measured = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, statements: [] };
  await interceptD1(async (sql, send) => {
    const output = await send();
    if (!isCounted(String(sql))) return output;
    measured.roundTrips++;
    measured.statements.push(...[sql].flat().map((statement) => String(statement).replaceAll(/\s+/g, " ")));
    for (const { meta } of [output].flat() as Result[]) {
      measured.rowsRead += meta?.rows_read ?? 0;
      measured.rowsWritten += meta?.rows_written ?? 0;
    }
    return output;
  }, run);
  return measured;
}
