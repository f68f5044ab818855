import { DAY_MS } from "../../limits.ts";
import { open, readKeys, seal, toBase64 } from "../../platform/lib/encryption.ts";
import { moveDetailFrom } from "./detail.ts";
import type { Parts } from "./parts.ts";
import { LEVEL } from "./rows.ts";
import { markUnsettled } from "./settlement.ts";
import { BACKUP_PAGE_CHARS, MAX_BACKUP_PAGE_CHARS, MAX_CLICK_RETENTION_DAYS } from "../limits.ts";

// What `npm run backup` and `npm run restore` need of a ClickLog. Loaded only for them.

/** A row of the table `clicks`. `segments` is a JSON array without its brackets. */
export type BackedUpRow = {
  day: number;
  link: string;
  part: number;
  level: number;
  clicks: number;
  first_at: number;
  last_at: number;
  last_click_at: number;
  batches: string;
  visitors: string;
  segments: string;
};

/** The last row of a page. */
export interface BackupCursor extends Pick<BackedUpRow, "day" | "link" | "part"> {
  /** What the rows of the link's day were when they were read, if the day goes on; null: it does not. */
  rows: number | null;
}

export interface BackupPage {
  rows: BackedUpRow[];
  /** Where the next page starts; null: there is none. */
  next: BackupCursor | null;
}

export const BACKUP_COLUMNS =
  "day, link, part, level, clicks, first_at, last_at, last_click_at, batches, visitors, segments";

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
    const isSameDay = last?.day === row.day && last.link === row.link;
    const rowChars = row.batches.length + row.visitors.length + row.segments.length;
    if (last !== undefined && chars + rowChars > (isSameDay ? MAX_BACKUP_PAGE_CHARS : BACKUP_PAGE_CHARS))
      return { rows, next: cursorOf(sql, last, isSameDay) };
    rows.push(row);
    chars += rowChars;
  }
  return { rows, next: null };
}

function cursorOf(sql: SqlStorage, { day, link, part }: BackedUpRow, goesOn: boolean): BackupCursor {
  return { day, link, part, rows: goesOn ? checksumOf(sql, day, link, part) : null };
}

function checkUnchanged(sql: SqlStorage, { day, link, part, rows }: BackupCursor): void {
  if (rows === null) return;
  const now = checksumOf(sql, day, link, part);
  // Without a row, the link was deleted, and so were its clicks.
  if (now !== null && now !== rows)
    throw new Error("A day of clicks was rolled up while it was read. Make the backup again.");
}

/** A number that changes if rows of a link's day are rolled up, and not if clicks are added to them. Null: there are none. */
function checksumOf(sql: SqlStorage, day: number, link: string, part: number): number | null {
  return sql
    .exec<{ sum: number | null }>(
      `SELECT sum(iif(level = ${LEVEL.clicks}, 1, octet_length(segments))) AS sum
       FROM clicks WHERE day = ? AND link = ? AND part <= ?`,
      day,
      link,
      part,
    )
    .one().sum;
}

/**
 * Stores rows of a backup; a row that exists is replaced. The database is not the one that the ClickLog knew. `accountId` is null for
 * anonymous links.
 */
export function importRows(
  { sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">,
  parts: Parts,
  rows: readonly BackedUpRow[],
  accountId: number | null,
  now: number,
): void {
  for (const row of rows) {
    if (row.level !== LEVEL.clicks) noteRollup(kv, row, now);
    sql.exec(
      `INSERT OR REPLACE INTO clicks (${BACKUP_COLUMNS}, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.day,
      row.link,
      row.part,
      row.level,
      row.clicks,
      row.first_at,
      row.last_at,
      row.last_click_at,
      row.batches,
      row.visitors,
      row.segments,
      now,
    );
  }
  parts.restartValve();
  parts.renewMemory();
  parts.memory.counters.forgetConfirmations();
  parts.subscriptions.forget();
  if (accountId !== null) parts.retention.expectChange(accountId, now);
}

/** Clicks that were rolled up in another ClickLog are stored here. */
function noteRollup(
  kv: SyncKvStorage,
  { day, level, last_at: lastAt, batches, visitors }: BackedUpRow,
  now: number,
): void {
  if (batches !== "" || visitors !== "") markUnsettled(kv, day);
  // For how long the account keeps single clicks is not known yet.
  const isEarly = level > LEVEL.quarterHours || day >= Math.floor(now / DAY_MS) - MAX_CLICK_RETENTION_DAYS;
  if (isEarly) moveDetailFrom(kv, level, Math.min(now, lastAt + 1));
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
