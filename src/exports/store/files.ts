import { MAX_EXPORT_PIECE_BYTES } from "../limits.ts";

/** A file inside of an export, as far as it is written. */
export interface StoredEntry {
  entry: number;
  source: string;
  format: string;
  /** 1, and more if the records of a source are in several files. */
  part: number;
  crc: number;
  /** Bytes before compression. */
  size: number;
  packedSize: number;
  /** The number of its last piece. */
  pieces: number;
}

const COLUMNS = "entry, source, format, part, crc, size, packed_size AS packedSize, pieces";

/** The entries of an export, in their order. */
export function listEntries(sql: SqlStorage, exportId: string): StoredEntry[] {
  return sql
    .exec<StoredEntry & Record<string, SqlStorageValue>>(
      `SELECT ${COLUMNS} FROM entries WHERE export_id = ? ORDER BY entry`,
      exportId,
    )
    .toArray();
}

export function insertEntry(sql: SqlStorage, exportId: string, entry: StoredEntry): void {
  const { source, format, part, crc, size, packedSize, pieces } = entry;
  sql.exec(
    "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    exportId,
    entry.entry,
    source,
    format,
    part,
    crc,
    size,
    packedSize,
    pieces,
  );
}

/** Appends compressed bytes to an entry. `crc` and `size` are those of all its bytes before compression. */
export function appendBytes(
  sql: SqlStorage,
  exportId: string,
  entry: StoredEntry,
  bytes: Uint8Array,
  { crc, size }: Pick<StoredEntry, "crc" | "size">,
): void {
  let pieces = entry.pieces;
  for (let start = 0; start < bytes.byteLength; start += MAX_EXPORT_PIECE_BYTES) {
    pieces++;
    insertPiece(sql, exportId, entry.entry, pieces, bytes.subarray(start, start + MAX_EXPORT_PIECE_BYTES));
  }
  sql.exec(
    "UPDATE entries SET crc = ?, size = ?, packed_size = packed_size + ?, pieces = ? WHERE export_id = ? AND entry = ?",
    crc,
    size,
    bytes.byteLength,
    pieces,
    exportId,
    entry.entry,
  );
}

export function insertPiece(sql: SqlStorage, exportId: string, entry: number, number: number, bytes: Uint8Array): void {
  sql.exec("INSERT INTO pieces VALUES (?, ?, ?, ?)", exportId, entry, number, bytes);
}

/** The place of a piece in its export. */
export interface PieceKey {
  entry: number;
  number: number;
}

/** The pieces after `after`, read one by one. */
export function* readPieces(
  sql: SqlStorage,
  exportId: string,
  after: PieceKey,
): Generator<PieceKey & { bytes: Uint8Array }> {
  const rows = sql.exec<{ entry: number; number: number; bytes: ArrayBuffer }>(
    `SELECT entry, number, bytes FROM pieces WHERE export_id = ? AND (entry, number) > (?, ?) ORDER BY entry, number`,
    exportId,
    after.entry,
    after.number,
  );
  for (const { entry, number, bytes } of rows) yield { entry, number, bytes: new Uint8Array(bytes) };
}

/** The bytes that an export takes up. */
export function storedBytes(sql: SqlStorage, exportId: string): number {
  return sql
    .exec<{ bytes: number }>("SELECT coalesce(sum(packed_size), 0) AS bytes FROM entries WHERE export_id = ?", exportId)
    .one().bytes;
}

/** Adds the name of a file in an archive, unless it has one with this name. Returns whether it was added. */
export function addName(sql: SqlStorage, exportId: string, name: string): boolean {
  return (
    sql.exec("INSERT INTO names VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1", exportId, name).toArray().length > 0
  );
}

export function countNames(sql: SqlStorage, exportId: string): number {
  return sql.exec<{ count: number }>("SELECT count(*) AS count FROM names WHERE export_id = ?", exportId).one().count;
}
