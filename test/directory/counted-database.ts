/** What was asked of a database. */
export interface Counts {
  roundTrips: number;
  rowsRead: number;
}

interface Counted {
  bind(...values: unknown[]): Counted;
  first(): Promise<unknown>;
  all(): Promise<D1Result>;
  statement: D1PreparedStatement;
}

/** The database, which adds to the counts what redirects ask of it. */
export function countedDatabase(database: D1Database, counts: Counts): D1Database {
  return countedReader(database, counts) as unknown as D1Database;
}

function countedReader(database: D1Database | D1DatabaseSession, counts: Counts) {
  const add = (results: readonly D1Result[]) => {
    counts.roundTrips++;
    for (const { meta } of results) counts.rowsRead += meta.rows_read;
  };
  const toCounted = (statement: D1PreparedStatement): Counted => {
    const all = async () => {
      const result = await statement.all();
      add([result]);
      return result;
    };
    return {
      bind: (...values) => toCounted(statement.bind(...values)),
      first: async () => (await all()).results[0] ?? null,
      all,
      statement,
    };
  };
  return {
    prepare: (sql: string) => toCounted(database.prepare(sql)),
    batch: async (statements: readonly Counted[]) => {
      const results = await database.batch(statements.map(({ statement }) => statement));
      add(results);
      return results;
    },
    withSession: (constraint: string) => countedReader((database as D1Database).withSession(constraint), counts),
  };
}
