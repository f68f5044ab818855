import type { ServiceContext } from "../../context.ts";
import { ALWAYS, Parameters, type Condition, type Value } from "../../database/parameters.ts";
import { groupBySize } from "../../database/json-pieces.ts";
import { newId, newIds } from "../../lib/uuid.ts";
import type { OutboxBatch } from "../../outbox/batch.ts";
import { eventBody } from "../../outbox/statements.ts";
import { LINK_MEMBERS, toLink, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks, sequenceOf } from "./sequence.ts";

/**
 * The events of links. The bodies of creations and changes are made by {@link toLink}, before the transaction. Those of other changes
 * are made by the database, in the transaction that changes the links.
 */

type LinkEventType = "link.create" | "link.update" | "link.delete" | "link.expired";

/** Links of one account, by their ids. */
export interface OwnLinks {
  accountId: number;
  ids: readonly string[];
}

/**
 * The values that statements about a change of links bind: ?1 is the current time, ?2 the origin of the service, ?3 its host,
 * and from ?4 on are the change's own values. So SQL about the change is the same for its events and its other statements.
 */
export function changeValues({ now, baseUrl }: Pick<ServiceContext, "now" | "baseUrl">, ...own: Value[]): Value[] {
  const { origin, host } = new URL(baseUrl);
  return [now, origin, host, ...own];
}

/** The links that events report, in SQL. */
interface ReportedLinks {
  /** A FROM clause, with conditions, in which the links are `l`. */
  from: string;
  /** A different number for each link, 0 to 4095. */
  number: string;
  /** The account, if all links belong to one. */
  account?: string;
  /** There seldom are any. */
  isRare?: boolean;
  /** The number of links if it is known, and 4096 otherwise. */
  count?: number;
}

/** Enqueues an event for each of the account's links `l` that exists, and meets the condition, at this point of the batch. */
export function enqueueLinkEvents(
  batch: OutboxBatch,
  type: LinkEventType,
  { accountId, ids }: OwnLinks,
  context: ServiceContext,
  condition: Condition = ALWAYS,
): void {
  const parameters = new Parameters(changeValues(context));
  const { condition: isListed, position } = listedLinks(ids, parameters);
  const account = parameters.add(accountId);
  const from = `${LISTED_LINKS} WHERE ${isListed} AND l.account_id = ${account} AND ${condition(parameters)}`;
  enqueueEvents(batch, type, context.now, parameters.values, { from, number: position, account, count: ids.length });
}

interface EventsCondition {
  /** SQL about the link `l`. ?2 of the values is the account. */
  condition: string;
  values: readonly Value[];
}

/**
 * Enqueues an event for each of the account's links that exists, and meets the condition, at this point of the batch. The rows are
 * the links as the events report them.
 */
export function enqueueRows(
  batch: OutboxBatch,
  type: "link.create" | "link.update",
  rows: readonly LinkRow[],
  { condition, values }: EventsCondition,
  { now, baseUrl }: Pick<ServiceContext, "now" | "baseUrl">,
): void {
  const ids = newIds(now, rows.length);
  const events = rows.map((row, index) => {
    const body = eventBody(type, now, toLink(row, baseUrl, now));
    return { seq: sequenceOf(row.id), id: row.id, eventId: ids[index], tagKeys: row.tag_keys, body };
  });
  for (const piece of groupBySize(events)) {
    const parameters = new Parameters(values);
    const event = parameters.add(JSON.stringify(piece));
    const [first = "", last = ""] = [piece[0]?.eventId, piece.at(-1)?.eventId];
    // A constant id saves the sorting of the events.
    const id = first === last ? parameters.add(first) : "e.value ->> 'eventId'";
    const select = `SELECT ${id} AS id, l.account_id, '${type}' AS type, l.id AS link_id, e.value ->> 'tagKeys' AS tag_keys,
      e.value ->> 'body' AS body, ${parameters.add(now)} AS created_at FROM json_each(${event}) e
      CROSS JOIN links AS l NOT INDEXED ON l.seq = CAST(e.value ->> 'seq' AS INTEGER) AND l.id = e.value ->> 'id'
      WHERE ${condition}`;
    batch.enqueue({ select, parameters: parameters.values, account: "?2" }, first === last ? first : { first, last });
  }
}

/** Enqueues an event for each of the links. `values` are {@link changeValues}. */
export function enqueueEvents(
  batch: OutboxBatch,
  type: LinkEventType,
  now: number,
  values: Value[],
  { from, number, account, isRare = false, count = 4_096 }: ReportedLinks,
): void {
  // The last 12 bits of the ids number the events.
  const start = newId(now).slice(0, -3);
  const [first, last] = [`${start}000`, start + (count - 1).toString(16).padStart(3, "0")];
  // A constant id saves the sorting of the events.
  const id = first === last ? `'${first}'` : `'${start}' || printf('%03x', ${number})`;
  const members = type === "link.expired" ? `${LINK_MEMBERS} || ${EXPIRY_REASON}` : LINK_MEMBERS;
  const body = `'{"event":"${type}","timestamp":' || CAST(?1 AS INTEGER) || ',"data":{' || ${members} || '}}'`;
  const sql = `SELECT ${id} AS id, l.account_id, '${type}' AS type, l.id AS link_id,
    l.tag_keys, ${body} AS body, ?1 AS created_at FROM ${from}`;
  batch.enqueue(
    { select: sql, parameters: values, isRare, ...(account !== undefined && { account }) },
    first === last ? first : { first, last },
  );
}

/** SQL for a further member: the setting that ended the link. */
const EXPIRY_REASON = `iif(l.expires_at <= ?1, ',"reason":"expiresAt"', ',"reason":"maxClicks"')`;

/** The links whose keys `select` gives, as `seq`. The keys come first, also where the table was small at the last ANALYZE. */
export function selectedLinks(select: string): ReportedLinks {
  return {
    from: `(SELECT l.*, row_number() OVER () AS number FROM (${select}) k CROSS JOIN links l ON l.seq = k.seq) l`,
    number: "l.number",
  };
}
