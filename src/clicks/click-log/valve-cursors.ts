import type { LinkDay } from "./rollup.ts";

// Where the phases of the valve are. The storage keys have the days of links that were rolled up last.

const PREFIX = "valve:";
const START: LinkDay = { day: -1, link: "" };

export function readCursor(kv: SyncKvStorage, phase: string): LinkDay {
  return kv.get<LinkDay>(PREFIX + phase) ?? START;
}

export function putCursor(kv: SyncKvStorage, phase: string, { day, link }: LinkDay): void {
  kv.put(PREFIX + phase, { day, link });
}

export function forgetCursors(kv: SyncKvStorage): void {
  const keys = [...kv.list({ prefix: PREFIX })].map(([key]) => key);
  for (const key of keys) kv.delete(key);
}
