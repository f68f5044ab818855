import { open, readKeys, seal, toBase64 } from "../../lib/encryption.ts";
import { BACKUP_PAGE_CHARS, MAX_BACKUP_PAGE_CHARS } from "../limits.ts";

// What `npm run backup` and `npm run restore` need of a ClickLog. Loaded only for them.

/** A row of the table `clicks`. `segments` is a JSON array without its brackets. */
export type BackedUpRow = {
  day: number;
  link: string;
  part: number;
  is_rollup: number;
  clicks: number;
  first_at: number;
  last_at: number;
  last_click_at: number;
  segments: string;
};

/** The last row of a page. */
export type BackupCursor = Pick<BackedUpRow, "day" | "link" | "part" | "is_rollup">;

export interface BackupPage {
  rows: BackedUpRow[];
  /** Where the next page starts; null: there is none. */
  next: BackupCursor | null;
}

export const BACKUP_COLUMNS = "day, link, part, is_rollup, clicks, first_at, last_at, last_click_at, segments";

/**
 * Returns the rows after `after`, in the order of the primary key. A page ends between two days of a link, unless one of
 * them exceeds {@link MAX_BACKUP_PAGE_CHARS}. Throws if such a day was rolled up between two of its pages.
 */
export function exportRows(sql: SqlStorage, after: BackupCursor | null): BackupPage {
  if (after !== null) checkUnchanged(sql, after);
  const { day, link, part } = after ?? { day: -1, link: "", part: 0 };
  const rows: BackedUpRow[] = [];
  let chars = 0;
  for (const row of sql.exec<BackedUpRow>(
    `SELECT ${BACKUP_COLUMNS} FROM clicks WHERE (day, link, part) > (?, ?, ?) ORDER BY day, link, part`,
    day,
    link,
    part,
  )) {
    const last = rows.at(-1);
    const limit = last?.day === row.day && last.link === row.link ? MAX_BACKUP_PAGE_CHARS : BACKUP_PAGE_CHARS;
    if (last !== undefined && chars + row.segments.length > limit) return { rows, next: cursorOf(last) };
    rows.push(row);
    chars += row.segments.length;
  }
  return { rows, next: null };
}

export function cursorOf({ day, link, part, is_rollup }: BackupCursor): BackupCursor {
  return { day, link, part, is_rollup };
}

function checkUnchanged(sql: SqlStorage, { day, link, is_rollup }: BackupCursor): void {
  const [first] = sql
    .exec<{ is_rollup: number }>("SELECT is_rollup FROM clicks WHERE day = ? AND link = ? LIMIT 1", day, link)
    .toArray();
  // Without a row, the link was deleted, and so were its clicks.
  if (first !== undefined && first.is_rollup !== is_rollup)
    throw new Error("A day of clicks was rolled up while it was read. Make the backup again.");
}

/** Stores rows of a backup; a row that exists is replaced. */
export function importRows(sql: SqlStorage, rows: readonly BackedUpRow[], now: number): void {
  for (const row of rows) {
    sql.exec(
      `INSERT OR REPLACE INTO clicks (${BACKUP_COLUMNS}, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.day,
      row.link,
      row.part,
      row.is_rollup,
      row.clicks,
      row.first_at,
      row.last_at,
      row.last_click_at,
      row.segments,
      now,
    );
  }
}

/** A known value, encrypted with one of the keys in `ENCRYPTION_KEYS`. */
export interface KeyCheck {
  keyId: string;
  sealed: string;
}

const CHECK_TEXT = "tern backup";
const CHECK_CONTEXT = "key check of a backup";

/** Returns a check for each key. Throws if there is none. */
export async function makeKeyChecks(keys: string): Promise<KeyCheck[]> {
  const known = readKeys(keys);
  if (known.length === 0) throw new Error("The installation has no ENCRYPTION_KEYS");
  return Promise.all(
    known.map(async ({ id, bytes }) => ({
      keyId: id,
      sealed: await seal(`${id}:${toBase64(bytes)}`, CHECK_TEXT, CHECK_CONTEXT),
    })),
  );
}

/** Returns the ids of the keys that `keys` lacks, or has with another value. */
export async function findMissingKeys(keys: string, checks: readonly KeyCheck[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { keyId, sealed } of checks) {
    const text = await open(keys, sealed, CHECK_CONTEXT).catch(() => null);
    if (text !== CHECK_TEXT) missing.push(keyId);
  }
  return missing;
}
