import type { ServiceContext } from "../../platform/context.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import type { OutboxBatch } from "../../platform/outbox/batch.ts";
import { effectiveVerdict } from "../../redirect/lookup/store/verdict-sql.ts";
import { changeUsage } from "../../access/usage/store.ts";
import type { NewColumns } from "../decide.ts";
import type { LinkCondition } from "./as-read.ts";
import { enqueueLinkEvents } from "./events.ts";
import { bytesOf, type LinkRow } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";
import { REACHABLE_COLUMN } from "./verified-domains.ts";

/** A link as it was read, and as it will be, with the next version. */
export interface ColumnChange {
  before: LinkRow;
  after: LinkRow;
  /** The columns that get other values, beside the version. */
  columns: Partial<StoredColumns>;
}

type StoredColumns = NewColumns & Pick<LinkRow, "verdict">;

export type WrittenChange<Change extends ColumnChange = ColumnChange> = Change & {
  /** Whether visitors reach the link at its domain. */
  isReachable: boolean;
};

/** The columns that can change without a new version. Redirects need the newest values. */
interface UpdatedRow extends Pick<LinkRow, "id" | "password_hash" | "verdict" | "visits"> {
  is_reachable: 0 | 1;
}

/** The next version of a link. */
export function nextVersion({ updated_at: version }: LinkRow, now: number): number {
  return Math.max(now, version + 1);
}

/**
 * Changes those of the links that meet the condition, with a `link.update` of each, and counts their new sizes: within the quota, whose
 * excess ends the transaction, or beyond it. Other statements of the same condition come before it, because afterwards the links have
 * other versions. Returns, after the commit, the changes that were made.
 */
export function writeColumns<Change extends ColumnChange>(
  batch: OutboxBatch,
  changes: readonly Change[],
  { condition, values }: LinkCondition,
  context: ServiceContext,
  countGrowth: typeof changeUsage = changeUsage,
): () => WrittenChange<Change>[] {
  const growths = changes.map(({ before, after }) => [after.id, bytesOf(after) - bytesOf(before)] as const);
  if (growths.some(([, bytes]) => bytes !== 0)) {
    const parameters = new Parameters(values);
    const growth = parameters.add(JSON.stringify(Object.fromEntries(growths)));
    const select = `SELECT l.account_id, 0 AS links, sum(${growth} ->> l.id) AS bytes
      FROM ${LISTED_LINKS} WHERE ${condition} GROUP BY l.account_id`;
    countGrowth(batch, select, parameters.values);
  }
  const changed = changes.map(({ after }) => after);
  enqueueLinkEvents(batch, "link.update", changed, { condition, values }, context);
  const parameters = new Parameters(values);
  const set = assignments(changes, parameters, context.now);
  const updated = batch.add<UpdatedRow>(
    `UPDATE ${LISTED_LINKS} SET ${set.join(", ")} WHERE ${condition}
     RETURNING id, password_hash, ${effectiveVerdict} AS verdict, visits, ${REACHABLE_COLUMN}`,
    parameters.values,
  );
  return () => {
    const rows = new Map(updated.rows.map((row) => [row.id, row]));
    return changes.flatMap((change) => {
      const row = rows.get(change.after.id);
      if (row === undefined) return [];
      const { is_reachable, ...unversioned } = row;
      return [{ ...change, after: { ...change.after, ...unversioned }, isReachable: is_reachable === 1 }];
    });
  };
}

/** Sets for each link the columns that its own change sets. */
function assignments(changes: readonly ColumnChange[], parameters: Parameters, now: number): string[] {
  const names = [...new Set(changes.flatMap(({ columns }) => Object.keys(columns) as (keyof StoredColumns)[]))];
  const own = names.filter((name) => changes.some(({ columns }) => columns[name] !== changes[0]?.columns[name]));
  const items = changes.map(({ after, columns }) => [
    after.id,
    {
      updated_at: after.updated_at,
      ...Object.fromEntries(own.flatMap((name) => (name in columns ? [[name, columns[name]]] : []))),
    },
  ]);
  const item = `${parameters.add(JSON.stringify(Object.fromEntries(items)))} -> l.id`;
  const newValues = new Map<string, string>();
  for (const name of names) {
    const ofLink = `iif(json_type(${item}, '$.${name}') IS NULL, l.${name}, ${item} ->> '${name}')`;
    newValues.set(name, own.includes(name) ? ofLink : parameters.add(changes[0]?.columns[name] ?? null));
  }
  const set = Array.from(newValues, ([name, value]) => `${name} = ${value}`);
  if (newValues.has("expires_at") || newValues.has("max_clicks"))
    set.push(`status = ${newStatus(newValues, parameters.add(now))}`);
  return [...set, `updated_at = ${item} ->> 'updated_at'`];
}

/**
 * SQL for the status with new limits. An expired link may become active again; only expiry.ts makes an active link expired. `visits` can
 * change without a new version, so the database computes the status.
 */
function newStatus(newValues: ReadonlyMap<string, string>, now: string): string {
  const valueOf = (column: string) => newValues.get(column) ?? `l.${column}`;
  return `iif(coalesce(${valueOf("expires_at")} <= ${now}, 0) OR coalesce(${valueOf("max_clicks")} <= l.visits, 0), l.status, 'active')`;
}
