import { toJsonPieces } from "../../../src/platform/database/json-pieces.ts";
import { BACKUP_SEARCHED_ROWS } from "../limits.ts";
import { deletedLinkBytes, linkBytes } from "../../../src/links/store/row.ts";
import type { Database } from "./installation.ts";
import type { Statement } from "./worker.ts";

interface Counted {
  /** null: anonymous links. */
  account_id: number | null;
  links: number;
  bytes: number;
  /** The highest key of the page. */
  last: string;
}

/** Counts the links of all accounts in a database and their bytes, and stores the results, so that it may be repeated. */
export async function countUsage(database: Database): Promise<void> {
  const totals = new Map<number, { links: number; bytes: number }>();
  const add = ({ account_id: accountId, links, bytes }: Counted) => {
    if (accountId === null) return;
    const total = totals.get(accountId) ?? { links: 0, bytes: 0 };
    totals.set(accountId, { links: total.links + links, bytes: total.bytes + bytes });
  };
  for await (const row of countTable(
    database,
    "links",
    linkBytes((column) => column),
  ))
    add(row);
  for await (const row of countTable(database, "deleted_links", deletedLinkBytes("link"))) add({ ...row, links: 0 });
  const pieces = toJsonPieces(Array.from(totals, ([accountId, { links, bytes }]) => [accountId, links, bytes]));
  await database.database([
    {
      sql: "UPDATE account_usage SET links = 0, link_bytes = 0",
      values: [],
    },
    ...pieces.map(storeTotals),
  ]);
}

/** Reads a table in pages, because a statement of D1 may take only some seconds. */
async function* countTable(database: Database, table: string, bytes: string): AsyncGenerator<Counted> {
  for (let after: string | undefined = "-1"; after !== undefined;) {
    const sql = `WITH page AS MATERIALIZED (SELECT seq, account_id, ${bytes} AS bytes FROM ${table}
        WHERE seq > CAST(? AS INTEGER) ORDER BY seq LIMIT ${BACKUP_SEARCHED_ROWS})
      SELECT account_id, count(*) AS links, sum(bytes) AS bytes, (SELECT CAST(max(seq) AS TEXT) FROM page) AS last
      FROM page GROUP BY account_id`;
    const [rows = []] = (await database.database([{ sql, values: [after] }])) as unknown as Counted[][];
    yield* rows;
    after = rows[0]?.last;
  }
}

function storeTotals(piece: string): Statement {
  return {
    sql: `UPDATE account_usage SET links = t.value ->> 1, link_bytes = t.value ->> 2
      FROM json_each(?) t WHERE account_usage.account_id = t.value ->> 0`,
    values: [piece],
  };
}
