import { Batch } from "../../database/batch.ts";
import { ROWS_PER_PAGE, MAX_STATEMENT_BYTES } from "../limits.ts";
import type { Companion, MovedTable } from "./tables.ts";

/** Reading the rows of an account in one database, and writing them to another. A row is the text of a JSON object. */

/** The columns of each table. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** Reads the columns of the tables that are stored. */
export async function readColumns(db: D1Database, tables: readonly string[]): Promise<Columns> {
  const batch = new Batch(db);
  const read = tables.map((name) => batch.add<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`));
  await batch.commitWithRetry();
  return new Map(tables.map((name, n) => [name, (read[n]?.rows ?? []).map((column) => column.name)]));
}

/** A column of any type: a BLOB is an object with its hexadecimal digits. */
const ANY = "body";

/** Members of an object in one pair of parentheses: an expression on D1 has at most 100 levels, and a function 32 arguments. */
const MEMBERS_PER_GROUP = 10;

/** SQL for the row `t` as a JSON object. */
function rowOf(columns: readonly string[]): string {
  const members = columns.map((column) => {
    const value =
      column === ANY
        ? `iif(typeof(t.${ANY}) = 'blob', json_object('hex', hex(t.${ANY})), json_quote(iif(typeof(t.${ANY}) = 'blob', NULL, t.${ANY})))`
        : `json_quote(t.${column})`;
    return `'"${column}":' || ${value}`;
  });
  const groups = Array.from({ length: Math.ceil(members.length / MEMBERS_PER_GROUP) }, (_, n) =>
    members.slice(n * MEMBERS_PER_GROUP, (n + 1) * MEMBERS_PER_GROUP),
  );
  const comma = " || ',' || ";
  return `'{' || ${groups.map((group) => `(${group.join(comma)})`).join(comma)} || '}'`;
}

const valueOf = (column: string) =>
  column === ANY
    ? `iif(json_type(j.value, '$.${ANY}') = 'object', unhex(j.value ->> '$.${ANY}.hex'), j.value ->> '${ANY}')`
    : `j.value ->> '${column}'`;

const arrayOf = (columns: readonly string[]) => `json_array(${columns.map((column) => `t.${column}`).join(", ")})`;
export const tupleOf = (columns: readonly string[], row = "t.") =>
  `(${columns.map((column) => `${row}${column}`).join(", ")})`;
const elements = (json: string, count: number) =>
  `(${Array.from({ length: count }, (_, n) => `${json} ->> ${n}`).join(", ")})`;

export interface Page {
  rows: string[];
  /** JSON arrays. */
  keys: string[];
  /** JSON array, of the last row; null: there are no more rows. */
  position: string | null;
}

/** Reads a page of the account's rows after the position, a JSON array; null: from the first. */
export async function readPage(
  db: D1Database,
  columns: Columns,
  table: MovedTable,
  accountId: number,
  position: string | null,
): Promise<Page> {
  const { name, key, order, isOwn, pageOfKeys } = table;
  const from = (after: string) =>
    pageOfKeys === undefined
      ? `WHERE ${isOwn} ${after} ORDER BY ${order.join(", ")} LIMIT ${ROWS_PER_PAGE}`
      : `WHERE t.seq IN (${pageOfKeys(after, ROWS_PER_PAGE)}) ORDER BY t.seq`;
  const after = position === null ? "" : `AND ${tupleOf(order, "")} > ${elements("?2", order.length)}`;
  const batch = new Batch(db);
  const found = batch.add<{ row: string; key: string; position: string }>(
    `SELECT ${rowOf(columnsOf(columns, name))} AS row, ${arrayOf(key)} AS key, ${arrayOf(order)} AS position FROM ${name} t ${from(after)}`,
    position === null ? [accountId] : [accountId, position],
  );
  await batch.commitWithRetry();
  const { rows } = found;
  return {
    rows: rows.map(({ row }) => row),
    keys: rows.map((row) => row.key),
    position: rows.length < ROWS_PER_PAGE ? null : (rows.at(-1)?.position ?? null),
  };
}

/** Reads those rows with the keys, JSON arrays, that exist. */
export async function readRows(
  db: D1Database,
  columns: Columns,
  { name, key }: MovedTable,
  keys: readonly string[],
): Promise<string[]> {
  const batch = new Batch(db);
  const read = batch.add<{ row: string }>(
    `SELECT ${rowOf(columnsOf(columns, name))} AS row FROM ${name} t
     WHERE ${tupleOf(key)} IN (SELECT ${key.map((_, n) => `k.value ->> ${n}`).join(", ")} FROM json_each(?1) k)`,
    [`[${keys.join(",")}]`],
  );
  await batch.commitWithRetry();
  return read.rows.map(({ row }) => row);
}

/** Reads the rows of another table that go with those of the keys. */
export async function readCompanions(
  db: D1Database,
  columns: Columns,
  { name, isWith }: Companion,
  keys: readonly string[],
): Promise<string[]> {
  const batch = new Batch(db);
  const read = batch.add<{ row: string }>(
    `SELECT ${rowOf(columnsOf(columns, name))} AS row FROM ${name} t WHERE ${isWith}`,
    [`[${keys.join(",")}]`],
  );
  await batch.commitWithRetry();
  return read.rows.map(({ row }) => row);
}

/** A run of a move, which writes only while no later run has begun. */
export interface Run {
  accountId: number;
  id: string;
  /** Since when changes are noted. */
  watch: string;
  /** Up to this decimal `seq` the destination watch of the source had taken in all links at that time. */
  watchedTo: string;
}

export type Watch = Pick<Run, "watch" | "watchedTo">;

/** SQL that holds for the run with the account and the id ?n and ?n+1 while no later run has begun. */
export const isNewest = (n: number): string =>
  `EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = ?${n} AND run = ?${n + 1} AND is_complete = 0)`;
const IS_NEWEST = isNewest(2);

/** Adds statements that delete the rows with the keys. */
export function deleteKeys(
  batch: Batch,
  { name, key }: Pick<MovedTable, "name" | "key">,
  keys: readonly string[],
  run: Run,
): void {
  batch.add(
    `DELETE FROM ${name} WHERE ${tupleOf(key, "")} IN (SELECT ${key.map((_, n) => `k.value ->> ${n}`).join(", ")} FROM json_each(?1) k)
       AND ${IS_NEWEST}`,
    [`[${keys.join(",")}]`, run.accountId, run.id],
  );
}

/** Adds statements that store the rows in place of those with the same keys. */
export function writeRows(
  batch: Batch,
  columns: Columns,
  table: Pick<MovedTable, "name" | "key" | "inTheWay" | "yields">,
  rows: readonly string[],
  run: Run,
): void {
  const { name, key, inTheWay = [], yields = false } = table;
  const names = columnsOf(columns, name);
  for (const piece of toPieces(rows)) {
    const values = [piece, run.accountId, run.id];
    const isSame = `${tupleOf(key, "")} IN (SELECT ${key.map((column) => `j.value ->> '${column}'`).join(", ")} FROM json_each(?1) j)${yields ? " AND account_id = ?2" : ""}`;
    for (const condition of [isSame, ...inTheWay])
      batch.add(`DELETE FROM ${name} WHERE ${condition} AND ${IS_NEWEST}`, values);
    batch.add(
      `INSERT INTO ${name} (${names.join(", ")}) SELECT ${names.map(valueOf).join(", ")} FROM json_each(?1) j WHERE ${IS_NEWEST}${yields ? " ON CONFLICT DO NOTHING" : ""}`,
      values,
    );
  }
}

/** Adds a statement that deletes the account's rows. */
export function deleteOwn(batch: Batch, { name, isOwn }: MovedTable, run: Run): void {
  batch.add(`DELETE FROM ${name} WHERE ${isOwn} AND ${isNewest(1)}`, [run.accountId, run.id]);
}

function columnsOf(columns: Columns, table: string): readonly string[] {
  const found = columns.get(table) ?? [];
  if (found.length === 0) throw new Error(`the table ${table} has no columns`);
  return found;
}

/** JSON arrays of the rows, none too large for a bound value unless one row is. */
function toPieces(rows: readonly string[]): string[] {
  const pieces: string[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const size = new TextEncoder().encode(row).byteLength + 1;
    if (bytes + size > MAX_STATEMENT_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(row);
    bytes += size;
  }
  return pieces.map((piece) => `[${piece.join(",")}]`);
}
