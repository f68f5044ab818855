import { Parameters, type Value } from "../../platform/database/parameters.ts";
import type { LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import { isUsedUp } from "./visitors.ts";

/** A condition of statements about the links `l`, with the values that it binds. */
export interface LinkCondition {
  condition: string;
  values: readonly Value[];
}

/**
 * The links that are as they were read: they have the same version, and their visits are used up, or are not. So what their events
 * tell is true. Other columns that change without the version (click counters, the time of an attack, marks of hosts) have the values of
 * the moment of reading.
 */
export function areAsRead(rows: readonly LinkRow[]): LinkCondition {
  const versions = JSON.stringify(Object.fromEntries(rows.map((row) => [row.id, row.updated_at])));
  const usedUp = rows.filter(isUsedUp).map(({ id }) => id);
  const condition = `l.seq IN (${rows.map(({ id }) => sequenceOf(id)).join(",")}) AND l.updated_at = ?1 ->> l.id
    AND coalesce(l.visits >= l.max_clicks, 0) = (instr(?2, l.id) > 0)`;
  return { condition, values: [versions, usedUp.join(",")] };
}

/** The condition with a further one. */
export function and(
  { condition, values }: LinkCondition,
  further: string | ((parameters: Parameters) => string),
): LinkCondition {
  const parameters = new Parameters(values);
  const added = typeof further === "string" ? further : further(parameters);
  return { condition: `${condition} AND ${added}`, values: parameters.values };
}
