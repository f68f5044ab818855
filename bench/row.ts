import type { Round } from "./load/round.ts";

/** A line of the table: something that is done over and over, beside something that it is measured against. */
export interface Row<Server> {
  name: string;
  title: string;
  /** What is counted; requests, unless it says something else. */
  unit?: string;
  /** What it is measured against, in the same turn. */
  against: "bare" | "reads" | "creates" | null;
  /** The share of the other's operations per second that it is to reach. */
  goal?: number;
  /** How long a round takes, */
  seconds: number;
  /** at the least, where a shorter one says nothing, */
  leastSeconds?: number;
  /** and one that warms up, where that needs longer: code that is slow to begin with is compiled once it has run often. */
  warmUpSeconds?: number;
  prepare: (server: Server) => Promise<Sides>;
}

export interface Sides {
  row: Side;
  reference: Side | null;
}

export type Side = (seconds: number) => Promise<Round>;

/** Rounds that were taken one right after the other, in alternating order. */
export interface Turn {
  row: Round;
  reference: Round | null;
}

/** Takes turns, after one that warms up. */
export async function takeTurns(
  { row, reference }: Sides,
  { turns, seconds, warmUpSeconds = seconds }: { turns: number; seconds: number; warmUpSeconds?: number | undefined },
): Promise<Turn[]> {
  const taken: Turn[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const length = turn === 0 ? warmUpSeconds : seconds;
    const early = turn % 2 === 0 ? await reference?.(length) : undefined;
    const measured = await row(length);
    const beside = early ?? (await reference?.(length)) ?? null;
    if (turn > 0) taken.push({ row: measured, reference: beside });
  }
  return taken;
}
