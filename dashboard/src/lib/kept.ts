import { HOUR_MS } from "#src/limits.ts";
import { readStored, store, type Place } from "./storage.ts";

/** How long something is kept for a person who has to sign in or up first. */
const KEPT_MS = HOUR_MS;

/** What was kept under the name in the last hour; null if there is nothing. */
export function readKept(name: string, place: Place): string | null {
  const [keptAt, value = null] = readStored(name, place)?.split(" ") ?? [];
  if (Date.now() - Number(keptAt) < KEPT_MS) return value;
  keep(name, null, place);
  return null;
}

/** Keeps a value without spaces; null removes it. */
export function keep(name: string, value: string | null, place: Place): void {
  store(name, value === null ? null : `${Date.now()} ${value}`, place);
}
