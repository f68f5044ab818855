// Totals of days move to the day on which their link was created. Who reads day by day may have been there already.

const TOTALS_MOVED = "totalsMoved";

export function noteMovedTotals(kv: SyncKvStorage): void {
  kv.put(TOTALS_MOVED, readMovedTotals(kv) + 1);
}

/** A number that changes when totals move. */
export function readMovedTotals(kv: SyncKvStorage): number {
  return kv.get<number>(TOTALS_MOVED) ?? 0;
}
