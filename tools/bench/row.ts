import type { Round } from "./load/round.ts";

/** One line of the speed table: a repeated operation, and the reference that it is compared with. */
export interface RowDescription {
  name: string;
  title: string;
  /** What is counted, if not requests. */
  unit?: string;
  /** Name of the reference; null if there is none. */
  against: string | null;
  /** Which latency is compared, if it is not the rate. */
  latency?: "p50" | "p95" | "p99";
  /** Desired ratio to the reference. */
  goal?: number;
  /** Length of a round. */
  seconds: number;
  /** Shortest round that gives a result. */
  leastSeconds?: number;
  /** Length of the first round, which is not counted; by default that of the others. Code that runs often is compiled in it. */
  warmUpSeconds?: number;
}

export interface Row<Server> extends RowDescription {
  prepare: (server: Server) => Promise<Sides>;
}

/** How the operation and its reference are measured. */
export interface Sides {
  row: Side;
  reference: Side | null;
}

export type Side = (seconds: number) => Promise<Round>;

/** A round of the operation and a round of its reference, measured one right after the other. */
export interface Turn {
  row: Round;
  reference: Round | null;
}

/** Measures `turns` turns after one to warm up. The reference goes first in every other turn. */
export async function takeTurns(
  { row, reference }: Sides,
  { turns, seconds, warmUpSeconds = seconds }: { turns: number; seconds: number; warmUpSeconds?: number | undefined },
): Promise<Turn[]> {
  const taken: Turn[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const length = turn === 0 ? warmUpSeconds : seconds;
    const before = turn % 2 === 0 ? await reference?.(length) : undefined;
    const measured = await row(length);
    const compared = before ?? (await reference?.(length)) ?? null;
    if (turn > 0) taken.push({ row: measured, reference: compared });
  }
  return taken;
}
