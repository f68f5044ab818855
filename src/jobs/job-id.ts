import { fnv1a } from "../platform/lib/fnv1a.ts";
import { newId } from "../platform/lib/uuid.ts";

const LAST_GROUP_CHARS = 12;

/**
 * A new id of a job of the account. Jobs are stored by account only, so the id itself tells a job of another account from one
 * that does not exist. The last 48 bits of the UUID are two checksums: of its beginning, which ids of jobs have in common, and
 * of the beginning with the account.
 */
export function newJobId(now: number, accountId: number): string {
  const start = newId(now).slice(0, -LAST_GROUP_CHARS);
  return start + checksum(start) + checksum(start, accountId);
}

/** Whether the id was made for a job of another account, which may be deleted by now. */
export function isJobOfOther(id: string, accountId: number): boolean {
  const [start, end] = [id.slice(0, -LAST_GROUP_CHARS), id.slice(-LAST_GROUP_CHARS)];
  return end.startsWith(checksum(start)) && !end.endsWith(checksum(start, accountId));
}

/** 24 bits in lower-case hex. */
function checksum(...parts: (string | number)[]): string {
  return fnv1a(parts.join()).toString(16).padStart(8, "0").slice(-6);
}
