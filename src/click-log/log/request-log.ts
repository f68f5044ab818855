import { DAY_MS } from "../../limits.ts";
import type { LoggedRequest, RequestBatch } from "../capture/requests.ts";
import { MAX_REQUESTS_PER_DAY, REQUEST_ROWS_PER_SEARCH, REQUESTS_KEPT_DAYS, REQUESTS_PER_ROW } from "../limits.ts";

/** A row has requests of one UTC day in the order in which they arrived. Only the last row of a day has room. */
interface RequestRow {
  /** JSON: {@link LoggedRequest}s. A list of lists would take five times as long to read. */
  requests: string;
  /** Requests of the day that are not kept, until this row was written. */
  leftOut: number;
}

/** Undefined: all. */
export interface RequestFilter {
  keyId?: string | undefined;
  method?: string | undefined;
  /** The first digit of the status. */
  statusClass?: number | undefined;
}

export interface FoundRequest {
  /** Where it is stored. Later ones have a higher position. */
  position: string;
  id: string;
  keyId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  /** Unix milliseconds. */
  createdAt: number;
}

export interface RequestPage {
  /** Those that match, the newest first. */
  found: FoundRequest[];
  /** The last position that was searched; null: there are no further ones. */
  next: string | null;
  /** Requests of the kept days that are not in the log. */
  leftOut: number;
}

const PREFIX = "requests:";
const ROW_DIGITS = 6;
const MAX_ROWS_PER_DAY = MAX_REQUESTS_PER_DAY / REQUESTS_PER_ROW;

/** Days since 1970 have five digits until the year 2243, so keys are in the order of days and rows. */
const keyOf = (day: number, row: number) => `${PREFIX}${day}:${String(row).padStart(ROW_DIGITS, "0")}`;

const rowOf = (key: string) => {
  const [day, row] = key.slice(PREFIX.length).split(":");
  return { day: Number(day), row: Number(row) };
};

/** Adds requests of today. Above the bound of the day, its oldest row is deleted for each new one. */
export function addRequests(kv: SyncKvStorage, { requests, leftOut }: RequestBatch, now: number): void {
  const today = Math.floor(now / DAY_MS);
  const [last] = kv.list<RequestRow>({ prefix: `${PREFIX}${today}:`, reverse: true, limit: 1 });
  let row = last === undefined ? 0 : rowOf(last[0]).row;
  let stored = last === undefined ? [] : (JSON.parse(last[1].requests) as LoggedRequest[]);
  let lost = (last?.[1].leftOut ?? 0) + leftOut;
  const write = () => kv.put(keyOf(today, row), { requests: JSON.stringify(stored), leftOut: lost });
  for (const request of requests) {
    if (stored.length >= REQUESTS_PER_ROW) {
      write();
      row++;
      stored = [];
      if (kv.delete(keyOf(today, row - MAX_ROWS_PER_DAY))) lost += REQUESTS_PER_ROW;
    }
    stored.push(request);
  }
  write();
}

/** Up to `limit` requests that match, the newest first, of the next {@link REQUEST_ROWS_PER_SEARCH} rows after the position. */
export function readRequests(
  kv: SyncKvStorage,
  filter: RequestFilter,
  { after, limit }: { after: string | null; limit: number },
  now: number,
): RequestPage {
  const leftOut = countLeftOut(kv, now);
  const found: FoundRequest[] = [];
  const [afterDay = 0, afterRow = 0, afterPlace = 0] = after === null ? [] : after.split(".").map(Number);
  const end = after === null ? `${PREFIX}~` : keyOf(afterDay, afterRow + 1);
  const start = keyOf(oldestDay(now), 0);
  // The position may be older than the days that are kept.
  if (end <= start) return { found, next: null, leftOut };
  let next: string | null = null;
  let rows = 0;
  for (const [key, { requests }] of kv.list<RequestRow>({
    start,
    end,
    reverse: true,
    limit: REQUEST_ROWS_PER_SEARCH,
  })) {
    rows++;
    const { day, row } = rowOf(key);
    const stored = JSON.parse(requests) as LoggedRequest[];
    const isBegun = day === afterDay && row === afterRow;
    for (const [place, request] of [...stored.entries()].slice(0, isBegun ? afterPlace : undefined).toReversed()) {
      next = `${day}.${row}.${place}`;
      if (!matches(request, filter)) continue;
      found.push(toFound(next, request));
      if (found.length === limit) return { found, next, leftOut };
    }
  }
  return { found, next: rows < REQUEST_ROWS_PER_SEARCH ? null : next, leftOut };
}

function matches([, , key, ofMethod, , status]: LoggedRequest, { keyId, method, statusClass }: RequestFilter): boolean {
  return (
    (keyId === undefined || key === keyId) &&
    (method === undefined || ofMethod === method) &&
    (statusClass === undefined || Math.floor(status / 100) === statusClass)
  );
}

function toFound(position: string, request: LoggedRequest): FoundRequest {
  const [createdAt, id, keyId, method, path, status, durationMs] = request;
  return { position, id, keyId, method, path, status, durationMs, createdAt };
}

/** Whether the text is the position of a request. */
export const isRequestPosition = (text: string): boolean => /^\d{1,6}\.\d{1,6}\.\d{1,3}$/.test(text);

function countLeftOut(kv: SyncKvStorage, now: number): number {
  let leftOut = 0;
  for (let day = oldestDay(now); day <= Math.floor(now / DAY_MS); day++)
    for (const [, row] of kv.list<RequestRow>({ prefix: `${PREFIX}${day}:`, reverse: true, limit: 1 }))
      leftOut += row.leftOut;
  return leftOut;
}

/** Deletes the days that are no longer kept. Returns when the next one is due, Unix milliseconds; null: there is none. */
export function deleteOldRequests(kv: SyncKvStorage, now: number): number | null {
  for (const [key] of kv.list({ prefix: PREFIX, end: keyOf(oldestDay(now), 0) })) kv.delete(key);
  for (const [key] of kv.list({ prefix: PREFIX, limit: 1 })) return (rowOf(key).day + REQUESTS_KEPT_DAYS) * DAY_MS;
  return null;
}

const oldestDay = (now: number) => Math.floor(now / DAY_MS) - REQUESTS_KEPT_DAYS + 1;
