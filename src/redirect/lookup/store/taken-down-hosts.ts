import { readAlone, type Source } from "./links.ts";

export interface TakenDownHost {
  /** The id of the takedown in force. */
  id: string;
  host: string;
  /** The packed verdict on links to it (src/redirect/verdict.ts). */
  imposed: number;
}

/** By their names. Each stands for its subdomains too. */
export type TakenDownHosts = ReadonlyMap<string, TakenDownHost>;

const IN_FORCE = `SELECT id, target AS host, imposed FROM takedowns INDEXED BY takedowns_in_force
  WHERE kind = 'host' AND reversed_at IS NULL`;

/** The hosts that are taken down. Reads only an index of takedowns in force. */
export async function listTakenDownHosts(db: D1Database, source: Source = "primary"): Promise<TakenDownHost[]> {
  return (await readAlone(db, source, { sql: IN_FORCE, parameters: [] })).results as unknown as TakenDownHost[];
}
