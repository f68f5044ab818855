import type { ServiceContext } from "../../../platform/context.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { Parameters, type Value } from "../../../platform/database/parameters.ts";
import { and, areAsRead } from "../../store/as-read.ts";
import { findLinks } from "../../store/links.ts";
import { firstSequenceAt } from "../../store/sequence.ts";
import { nextVersion, writeColumns, type ColumnChange } from "../../store/write-columns.ts";
import { OutboxBatch } from "../../../platform/outbox/batch.ts";
import type { Findings } from "../judge.ts";
import {
  ACCOUNT_VISIT_INTERVAL_MS,
  BROKEN_MAIL_DELAY_MS,
  BROKEN_MAIL_INTERVAL_MS,
  DUE_PER_RUN,
  NEW_LINK_SETTLE_MS,
  NEW_LINKS_PER_RUN,
  VISIT_LEASE_MS,
} from "../limits.ts";

const NEXT_LINKS = `SELECT seq, id, account_id FROM links
  WHERE seq > (SELECT seq FROM destination_cursor) AND seq < CAST(?1 AS INTEGER) ORDER BY seq LIMIT ${NEW_LINKS_PER_RUN}`;

/**
 * Takes in the next links of accounts in the order of their creation: each is due for a visit, those of one account one after
 * the other. Returns their number.
 */
export async function takeInLinks({ db, now }: ServiceContext): Promise<number> {
  const until = firstSequenceAt(now - NEW_LINK_SETTLE_MS);
  const batch = new Batch(db);
  batch.add("INSERT INTO destination_cursor (id, seq) VALUES (1, 0) ON CONFLICT DO NOTHING");
  const taken = batch.add(
    `INSERT INTO destinations (link_id, link_seq, account_id, due_at)
     SELECT l.id, l.seq, l.account_id, ${ACCOUNT_VISIT_INTERVAL_MS} * row_number() OVER (PARTITION BY l.account_id ORDER BY l.seq)
       + max(?2 - ${ACCOUNT_VISIT_INTERVAL_MS}, coalesce((SELECT max(q.due_at) FROM destinations q INDEXED BY destinations_queued
           WHERE q.account_id = l.account_id AND q.is_queued = 1), 0))
     FROM (${NEXT_LINKS}) l WHERE l.account_id IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1`,
    [until, now],
  );
  batch.add(
    `UPDATE destination_cursor SET seq = last FROM (SELECT max(seq) AS last FROM (${NEXT_LINKS})) WHERE last IS NOT NULL`,
    [until],
  );
  await batch.commit();
  return taken.rows.length;
}

/** A destination whose visit is due, with its link. */
export interface DueDestination {
  link_id: string;
  account_id: number;
  /** null: the link is deleted. */
  link: { url: string; hash: number; isActive: boolean; created_at: number; last_clicked_at: number } | null;
  found: Findings | null;
}

interface DueRow {
  link_id: string;
  account_id: number;
  url: string | null;
  url_hash: number;
  is_active: 0 | 1;
  created_at: number;
  last_clicked_at: number;
  visited_hash: number | null;
  outcome: Findings["outcome"];
  failures: number;
  broken_since: number | null;
  page_title: string | null;
  icon: string | null;
  final_host: string;
  response_status: number | null;
}

const DUE = `FROM destinations INDEXED BY destinations_due WHERE due_at <= ?1
  ORDER BY due_at LIMIT ${DUE_PER_RUN}`;

/** Returns the destinations that are due, the longest due first, and leases them for {@link VISIT_LEASE_MS}. */
export async function claimDue({ db, now }: ServiceContext): Promise<DueDestination[]> {
  const batch = new Batch(db);
  const due = batch.add<DueRow>(
    `SELECT d.link_id, d.account_id, l.url, l.url_hash, l.status = 'active' AND NOT l.disabled AS is_active, l.created_at,
       l.last_clicked_at, d.visited_hash, d.outcome, d.failures, d.broken_since, d.page_title, d.icon, d.final_host, d.response_status
     FROM (SELECT * ${DUE}) d LEFT JOIN links l ON l.seq = d.link_seq AND l.id = d.link_id ORDER BY d.due_at`,
    [now],
  );
  batch.add(
    `UPDATE destinations SET due_at = ?2, is_queued = 0 WHERE due_at <= ?1 AND link_id IN (SELECT link_id ${DUE})`,
    [now, leaseEnd(now)],
  );
  await batch.commit();
  return due.rows.map(toDue);
}

function toDue(row: DueRow): DueDestination {
  const { link_id, account_id, url, url_hash: hash, created_at, last_clicked_at } = row;
  const found = {
    outcome: row.outcome,
    failures: row.failures,
    brokenSince: row.broken_since,
    title: row.page_title,
    icon: row.icon,
    host: row.final_host,
    status: row.response_status,
  };
  return {
    link_id,
    account_id,
    link: url === null ? null : { url, hash, isActive: row.is_active === 1, created_at, last_clicked_at },
    found: row.visited_hash === hash ? found : null,
  };
}

function leaseEnd(now: number): number {
  return now + VISIT_LEASE_MS;
}

/** What a visit found, and when the next one is due. */
export interface VisitRecord {
  id: string;
  dueAt: number;
  hash: number;
  found: Findings;
}

/** Postpones destinations that were not visited. */
export async function postpone(context: ServiceContext, dueAt: ReadonlyMap<string, number>): Promise<void> {
  if (dueAt.size === 0) return;
  const list = [...dueAt].map(([id, at]) => ({ id, at }));
  await context.db
    .prepare(`UPDATE destinations SET due_at = j.value ->> 'at' FROM json_each(?1) j WHERE ${IS_LEASED}`)
    .bind(JSON.stringify(list), leaseEnd(context.now))
    .run();
}

/** Not if the URL of the link has changed meanwhile: then it is due at once. */
const IS_LEASED = "link_id = j.value ->> 'id' AND due_at = ?2";

/**
 * Records visits, in one transaction with a `link.update` of each of the links `changed`, whose destination is broken now, or
 * is no longer. A link whose URL has changed meanwhile is left out. One of `changed` with another change is visited again when its lease
 * ends.
 */
export async function recordVisits(
  context: ServiceContext,
  records: readonly VisitRecord[],
  changed: readonly string[],
): Promise<void> {
  if (records.length === 0) return;
  const { db, now } = context;
  const found = new Map(records.map((record) => [record.id, record]));
  const links = changed.length === 0 ? [] : await findLinks(db, changed);
  const rows = links.filter((row) => row.url_hash === found.get(row.id)?.hash);
  const batch = new OutboxBatch(context);
  const { condition, values } = areAsRead(rows);
  const parameters = new Parameters(values);
  const add = (value: Value) => parameters.add(value);
  batch.add(
    `UPDATE destinations SET due_at = j.value ->> 'dueAt', visited_hash = j.value ->> 'hash', checked_at = ${add(now)},
       outcome = j.value ->> '$.found.outcome', failures = j.value ->> '$.found.failures',
       broken_since = j.value ->> '$.found.brokenSince', page_title = j.value ->> '$.found.title',
       icon = j.value ->> '$.found.icon', final_host = j.value ->> '$.found.host',
       response_status = j.value ->> '$.found.status'
     FROM json_each(${add(JSON.stringify(records))}) j WHERE link_id = j.value ->> 'id' AND due_at = ${add(leaseEnd(now))}
       AND (link_id NOT IN (SELECT value FROM json_each(${add(JSON.stringify(changed))}))
         OR EXISTS (SELECT 1 FROM links l WHERE l.seq = link_seq AND l.id = link_id AND ${condition}))`,
    parameters.values,
  );
  if (rows.length > 0) {
    const changes = rows.map((before): ColumnChange => {
      const destination = JSON.stringify({ ...found.get(before.id)?.found, checkedAt: now });
      return { before, after: { ...before, destination, updated_at: nextVersion(before, now) }, columns: {} };
    });
    const isRecorded = (own: Parameters) => `EXISTS (SELECT 1 FROM destinations d
      WHERE d.link_id = l.id AND d.visited_hash = l.url_hash AND d.checked_at = ${own.add(now)})`;
    writeColumns(batch, changes, and({ condition, values }, isRecorded), context);
    batch.add(
      `INSERT INTO broken_destination_mails (account_id, told_until, due_at)
       SELECT DISTINCT account_id, ?2 - 1, ?2 + ${BROKEN_MAIL_DELAY_MS} FROM destinations
       WHERE link_id IN (SELECT value FROM json_each(?1)) AND broken_since = ?2
       ON CONFLICT (account_id) DO UPDATE
         SET due_at = coalesce(due_at, max(excluded.due_at, told_until + ${BROKEN_MAIL_INTERVAL_MS}))`,
      [JSON.stringify(changed), now],
    );
  }
  await batch.commit();
}
