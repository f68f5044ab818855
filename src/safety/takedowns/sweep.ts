import type { ServiceContext } from "../../platform/context.ts";
import { hostOf } from "../../platform/lib/host-of.ts";
import { isWithin } from "../../platform/lib/hosts.ts";
import { toDestinations } from "../../links/screening.ts";
import { destinationsOf } from "../../links/validate.ts";
import * as store from "./store/sweep.ts";

/**
 * Marks the links to hosts that are taken down, newest first, one host after the other: a piece of the links in each call. Redirects do
 * not wait for it (docs/adr/0051-takedowns-of-hosts.md). Returns the number of pieces. Any number of runs may work at the same time.
 */
export async function sweepHosts(context: ServiceContext): Promise<number> {
  const { db, now } = context;
  const sweep = await store.findDueSweep(db, now);
  if (sweep === undefined) return 0;
  const { rows, last } = await store.readPiece(db, sweep.host, sweep.position);
  await mark(context, sweep, rows);
  await store.moveSweep(db, sweep, last);
  return 1;
}

async function mark(
  { db, now }: ServiceContext,
  { takedownId, host }: store.Sweep,
  rows: readonly store.SweptRow[],
): Promise<void> {
  const found = rows.filter((row) =>
    destinationsOf(toDestinations(row)).some(([, url]) => isWithin(hostOf(url), host)),
  );
  if (found.length === 0) return;
  const accounts = [...new Set(found.flatMap((row) => row.account_id ?? []))];
  // Before the marks, so that each account with a marked link can appeal. The cron tells their owners.
  await store.noteAccounts(db, takedownId, accounts, now);
  const keys = found.map(({ seq }) => seq);
  const marked = await store.markLinks(db, takedownId, keys);
  const linkIds = found.map(({ id }) => id);
  await store.recordFound(db, takedownId, { marked, linkIds }, now);
}
