const ROLLED_UP_THROUGH = "rolledUpThroughDay";

/** The newest day of which clicks were rolled up because of their age, days since 1970; -1: there is none. All older days are rolled up. */
export function rolledUpThrough(kv: SyncKvStorage): number {
  return kv.get<number>(ROLLED_UP_THROUGH) ?? -1;
}

/** Clicks of the day are rolled up in this transaction. */
export function noteRollup(kv: SyncKvStorage, day: number): void {
  if (day > rolledUpThrough(kv)) kv.put(ROLLED_UP_THROUGH, day);
}
