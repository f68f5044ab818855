import { Batch } from "../../../platform/database/batch.ts";
import { holds } from "../../../platform/database/parameters.ts";
import { firstSequenceAt } from "../../../links/store/sequence.ts";
import type { LinkColumns } from "../../../links/store/row.ts";
import { MARKED_LINKS_PER_BATCH, SEARCHED_LINKS, SWEEP_DELAY_MS } from "../../limits.ts";
import { settleReports } from "../../store/settled-reports.ts";

/** The search for the links to a host that is taken down. */
export interface Sweep {
  takedownId: string;
  host: string;
  /** The key of the last link that was looked at; null: none. */
  position: string | null;
}

/** The oldest sweep that is due and not complete; undefined: none. Those of reversed takedowns end. */
export async function findDueSweep(db: D1Database, now: number): Promise<Sweep | undefined> {
  const [, found] = await db.batch<Sweep>([
    db.prepare(`DELETE FROM host_sweeps WHERE takedown_id IN
      (SELECT t.id FROM host_sweeps s JOIN takedowns t ON t.id = s.takedown_id WHERE t.reversed_at IS NOT NULL)`),
    db
      .prepare(
        `SELECT t.id AS takedownId, t.target AS host, s.position
         FROM host_sweeps s JOIN takedowns t ON t.id = s.takedown_id WHERE t.created_at <= ?1 ORDER BY t.id LIMIT 1`,
      )
      .bind(now - SWEEP_DELAY_MS),
  ]);
  return found?.results[0];
}

/** Moves a sweep on, or ends it if `position` is null, unless another run did. */
export async function moveSweep(db: D1Database, { takedownId, position: from }: Sweep, position: string | null) {
  const change = position === null ? "DELETE FROM host_sweeps" : "UPDATE host_sweeps SET position = ?3";
  const parameters = position === null ? [takedownId, from] : [takedownId, from, position];
  await db
    .prepare(`${change} WHERE takedown_id = ?1 AND position IS ?2`)
    .bind(...parameters)
    .run();
}

/** A link that may lead to the host. */
export type SweptRow = Pick<LinkColumns, "url" | "expired_url" | "ios" | "android" | "geo" | "rules"> & {
  seq: string;
  id: string;
  account_id: number | null;
};

const OTHERS = ["expired_url", "ios", "android", "geo", "rules"]
  .map((column) => `ifnull(${column}, '')`)
  .join(" || ' ' || ");
const ALL = `url || ' ' || ${OTHERS}`;
/** The URL up to the first slash after its host. */
const HEAD = "substr(url, 1, 8 + instr(substr(url, 9) || '/', '/'))";
/** The host ?3 is in a destination, or a host may be written in another way: as IPv6, percent-encoded, or with characters beyond ASCII. */
const MAY_LEAD = `(instr(lower(${ALL}), ?3) > 0 OR (?3 GLOB '[[0-9]*' AND instr(${HEAD} || ${OTHERS}, '[') > 0) OR instr(${HEAD} || ${OTHERS}, '%') > 0 OR ${ALL} GLOB '*[^ -~]*')`;

/** Looks at a piece of the links before the position. Returns those that may lead to the host, and the new position; null: the end. */
export async function readPiece(
  db: D1Database,
  host: string,
  position: string | null,
): Promise<{ rows: SweptRow[]; last: string | null }> {
  const before = position ?? firstSequenceAt(Number.MAX_SAFE_INTEGER);
  const { results: rows } = await db
    .prepare(
      `SELECT CAST(seq AS TEXT) AS seq, id, account_id, url, expired_url, ios, android, geo, rules
       FROM (SELECT * FROM links NOT INDEXED WHERE seq < CAST(?1 AS INTEGER) ORDER BY seq DESC LIMIT ?2) l
       WHERE ${MAY_LEAD} ORDER BY l.seq DESC LIMIT ?4`,
    )
    .bind(before, SEARCHED_LINKS, host, MARKED_LINKS_PER_BATCH)
    .all<SweptRow>();
  if (rows.length === MARKED_LINKS_PER_BATCH) return { rows, last: rows.at(-1)?.seq ?? null };
  const last = await db
    .prepare(
      `SELECT CAST(seq AS TEXT) AS seq FROM links NOT INDEXED WHERE seq < CAST(?1 AS INTEGER)
       ORDER BY links.seq DESC LIMIT 1 OFFSET ?2`,
    )
    .bind(before, SEARCHED_LINKS - 1)
    .first<string>("seq");
  return { rows, last };
}

/**
 * Marks links as those of a host that is taken down, unless the takedown is reversed by now. Marks of reversed takedowns are removed
 * from them. Returns the number of links that were not marked before.
 */
export async function markLinks(db: D1Database, takedownId: string, keys: readonly string[]): Promise<number> {
  const { results } = await db
    .prepare(
      `UPDATE links NOT INDEXED SET host_takedowns = (SELECT json_group_array(id) FROM (
           SELECT t.id FROM json_each(links.host_takedowns) h CROSS JOIN takedowns t ON t.id = h.value WHERE t.reversed_at IS NULL
           UNION SELECT ?1))
       WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(?2)) AND instr(ifnull(host_takedowns, ''), ?1) = 0
         AND EXISTS (SELECT 1 FROM takedowns WHERE id = ?1 AND reversed_at IS NULL)
       RETURNING 1`,
    )
    .bind(takedownId, JSON.stringify(keys))
    .all();
  return results.length;
}

/** Notes accounts that the takedown concerns. Their owners are due to be told, unless they were noted before or the takedown was reversed. */
export async function noteAccounts(
  db: D1Database,
  takedownId: string,
  accountIds: readonly number[],
  now: number,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO takedown_accounts (account_id, takedown_id, due_at)
       SELECT value, ?1, iif((SELECT reversed_at FROM takedowns WHERE id = ?1) IS NULL, ?3, NULL) FROM json_each(?2) WHERE true
       ON CONFLICT DO NOTHING`,
    )
    .bind(takedownId, JSON.stringify(accountIds), now)
    .run();
}

/** Counts links that were marked, and decides the open reports of links that lead to the host. */
export async function recordFound(
  db: D1Database,
  takedownId: string,
  { marked, linkIds }: { marked: number; linkIds: readonly string[] },
  now: number,
): Promise<void> {
  const batch = new Batch(db);
  if (marked > 0) batch.sql`UPDATE takedowns SET found_links = found_links + ${marked} WHERE id = ${takedownId}`;
  const isFound = holds`link_id IN (SELECT value FROM json_each(${JSON.stringify(linkIds)}))`;
  const isInForce = holds`EXISTS (SELECT 1 FROM takedowns WHERE id = ${takedownId} AND reversed_at IS NULL)`;
  settleReports(batch, "taken_down", now, isFound, isInForce);
  await batch.commit();
}
