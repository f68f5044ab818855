import type { JobRecord, PieceKey } from "../job.ts";

/** Stores records. The first part of a record replaces all parts of the one at its place. */
export function putRecords(sql: SqlStorage, jobId: string, records: readonly JobRecord[]): void {
  for (const { list, number, part, value } of records) {
    if (part === 0) deleteRecord(sql, jobId, list, number);
    sql.exec(
      "INSERT OR REPLACE INTO records (job_id, list, number, part, value) VALUES (?, ?, ?, ?, ?)",
      jobId,
      list,
      number,
      part,
      value,
    );
  }
}

export function deleteRecord(sql: SqlStorage, jobId: string, list: string, number: number): void {
  sql.exec("DELETE FROM records WHERE job_id = ? AND list = ? AND number = ?", jobId, list, number);
}

export function deleteRecords(sql: SqlStorage, jobId: string): void {
  sql.exec("DELETE FROM records WHERE job_id = ?", jobId);
}

/** The parts of a record in order. */
export function readParts(sql: SqlStorage, jobId: string, list: string, number: number): (string | ArrayBuffer)[] {
  const query = "SELECT value FROM records WHERE job_id = ? AND list = ? AND number = ? ORDER BY part";
  return [...sql.exec<{ value: string | ArrayBuffer }>(query, jobId, list, number)].map(({ value }) => value);
}

export function readPart(
  sql: SqlStorage,
  jobId: string,
  list: string,
  number: number,
  part: number,
): string | ArrayBuffer | null {
  const query = "SELECT value FROM records WHERE job_id = ? AND list = ? AND number = ? AND part = ?";
  return sql.exec<{ value: string | ArrayBuffer }>(query, jobId, list, number, part).toArray()[0]?.value ?? null;
}

/** The number of the first record of the list at `from` or later; null: there is none. */
export function nextNumber(sql: SqlStorage, jobId: string, list: string, from: number): number | null {
  const query = "SELECT min(number) AS number FROM records WHERE job_id = ? AND list = ? AND number >= ?";
  return sql.exec<{ number: number | null }>(query, jobId, list, from).one().number;
}

/** The number after the last record of the list; 0: the list is empty. */
export function endOf(sql: SqlStorage, jobId: string, list: string): number {
  const query = "SELECT coalesce(max(number) + 1, 0) AS number FROM records WHERE job_id = ? AND list = ?";
  return sql.exec<{ number: number }>(query, jobId, list).one().number;
}

/** The parts of a list's records after `after`, in their order, read one by one. */
export function* readPieces(
  sql: SqlStorage,
  jobId: string,
  list: string,
  after: PieceKey,
): Generator<PieceKey & { bytes: Uint8Array }> {
  const query = `SELECT number, part, value FROM records
    WHERE job_id = ? AND list = ? AND (number, part) > (?, ?) ORDER BY number, part`;
  const rows = sql.exec<{ number: number; part: number; value: ArrayBuffer }>(
    query,
    jobId,
    list,
    after.number,
    after.part,
  );
  for (const { number, part, value } of rows) yield { number, part, bytes: new Uint8Array(value) };
}
