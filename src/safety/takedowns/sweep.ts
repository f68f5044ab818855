import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { hostOf } from "../../platform/lib/host-of.ts";
import { toDestinations } from "../../links/screening.ts";
import { destinationsOf } from "../../links/validate.ts";
import { SWEEP_RUN_MS, SWEPT_AGAIN_MS } from "../limits.ts";
import { isWithin } from "../../platform/lib/hosts.ts";
import { tellOwners } from "./tell-owners.ts";
import * as store from "./store/sweep.ts";

/** Begins to look for the links to a host that was taken down. The cron goes on with what this does not finish. */
export async function beginSweeps(context: ServiceContext): Promise<void> {
  try {
    await sweepHosts(context);
  } catch (error) {
    log("warn", "host_sweep_failed", describeError(error));
  }
}

/**
 * Marks the links to hosts that are taken down, newest first, for up to {@link SWEEP_RUN_MS}. Returns how many it
 * marked. Any number of runs may work at the same time.
 */
export async function sweepHosts(context: ServiceContext): Promise<number> {
  const until = Date.now() + SWEEP_RUN_MS;
  let marked = 0;
  for (const sweep of await store.listSweeps(context.db)) marked += await sweepHost(context, sweep, until);
  return marked;
}

async function sweepHost(context: ServiceContext, sweep: store.Sweep, until: number): Promise<number> {
  const { db, now } = context;
  const beganAt = sweep.beganAt ?? now;
  let present = sweep;
  let marked = 0;
  do {
    const { rows, last } = await store.readPiece(db, sweep.host, present.position);
    marked += await mark(context, sweep, rows);
    if (last === null) {
      await endPass(db, present, beganAt);
      return marked;
    }
    const next = { ...present, position: last, beganAt };
    if (!(await store.moveSweep(db, present, next))) return marked;
    present = next;
  } while (Date.now() < until);
  return marked;
}

/**
 * Calls that had begun before the takedown may have stored links since, so a pass that began late enough is the last one.
 */
async function endPass(db: D1Database, sweep: store.Sweep, beganAt: number): Promise<void> {
  if (beganAt >= sweep.takenDownAt + SWEPT_AGAIN_MS) await store.endSweep(db, sweep);
  else await store.moveSweep(db, sweep, { position: null, beganAt: null });
}

async function mark(
  context: ServiceContext,
  { takedownId, host }: store.Sweep,
  rows: readonly store.SweptRow[],
): Promise<number> {
  const { db, now } = context;
  const found = rows.filter((row) =>
    destinationsOf(toDestinations(row)).some(([, url]) => isWithin(hostOf(url), host)),
  );
  if (found.length === 0) return 0;
  const accounts = [...new Set(found.flatMap((row) => row.account_id ?? []))];
  // Before the marks, so that each account with a marked link can appeal.
  const told = await store.noteAccounts(db, takedownId, accounts, now);
  const keys = found.map(({ seq }) => seq);
  const marked = await store.markLinks(db, takedownId, keys);
  const linkIds = found.map(({ id }) => id);
  await store.recordFound(db, takedownId, { marked, linkIds }, now);
  for (const accountId of told) await tellOwners(context, { accountId, takedownId });
  return marked;
}
