export interface TakenDownHost {
  /** The id of the takedown in force. */
  id: string;
  host: string;
  /** The packed verdict on links to it (src/redirect/verdict.ts). */
  imposed: number;
}

/** The hosts that are taken down. Reads only an index of takedowns in force. */
export async function listTakenDownHosts(db: D1Database): Promise<TakenDownHost[]> {
  const { results } = await db
    .prepare(
      `SELECT id, target AS host, imposed FROM takedowns INDEXED BY takedowns_in_force
       WHERE kind = 'host' AND reversed_at IS NULL`,
    )
    .all<TakenDownHost>();
  return results;
}
