import { wokenBy } from "../../outbox/legacy.ts";
import { IS_SERVED, noneVerified, verifiedAmong, type VerifiedDomain } from "../domain.ts";
import { linkEventsStatements, type LinkEvent } from "./events.ts";
import { expireThoseDue } from "./expiry.ts";
import { idsIn, isLink, sequenceOf, toIdsJson } from "./sequence.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import type { LinkChanges } from "./links.ts";
import { assignmentsOf } from "./update.ts";

const COLUMNS_OF_L = LINK_COLUMNS.replaceAll(/\w+/g, "l.$&");

/** A link to change. */
export interface Target {
  id: string;
  /** A URL of its own, made of the one that it had when it was at this version. */
  url?: { text: string; updatedAt: number };
}

export interface BulkChange {
  columns: LinkChanges;
  /** Where its destinations are; nothing is changed where one is a verified domain. */
  hosts: readonly string[];
}

export interface BulkUpdate {
  /** The account of each link that exists. */
  owners: ReadonlyMap<string, number | null>;
  changed: ReadonlyMap<string, LinkRow>;
  /** Those of the changed that answer at their domains. */
  served: readonly LinkRow[];
  /** The hosts that are verified domains. */
  loops: ReadonlySet<string>;
  webhookIds: string[];
}

/** Makes one change to many links of an account, in one transaction and one round trip. */
export async function updateLinks(
  db: D1Database,
  accountId: number,
  targets: readonly Target[],
  { columns, hosts }: BulkChange,
  event: LinkEvent,
): Promise<BulkUpdate> {
  const json = JSON.stringify(targets.map(({ id, url }) => [sequenceOf(id), id, url?.updatedAt, url?.text]));
  const own = targets.some(({ url }) => url !== undefined);
  const links = { json, accountId };
  const expiry = expireThoseDue(db, links, event);
  const parameters: (string | number | null)[] = [json, accountId, event.now, JSON.stringify(hosts)];
  const bound = (value: string | number | null) => `?${parameters.push(value)}`;
  const assignments = assignmentsOf(columns, "?3", bound);
  if (own) assignments.push("url = j.value ->> 3");
  const results = await db.batch<LinkRow & { served: 0 | 1 }>([
    ...expiry.statements,
    db.prepare(`SELECT l.id, l.account_id FROM ${idsIn("?1")} CROSS JOIN links l ON ${isLink("l")}`).bind(json),
    db
      .prepare(
        `UPDATE links NOT INDEXED SET ${assignments.join(", ")} FROM ${idsIn("?1")}
         WHERE ${isLink("links")} AND links.account_id = ?2 AND ${noneVerified("?4")}
           AND ${own ? "links.updated_at = j.value ->> 2" : "true"} RETURNING ${LINK_COLUMNS}, ${IS_SERVED}`,
      )
      .bind(...parameters),
    ...linkEventsStatements(db, "link.update", links, event, (_, bound) => {
      const url = own ? "l.url = j.value ->> 3" : "true";
      return hosts.length > 0 ? `${url} AND ${noneVerified(bound(JSON.stringify(hosts)))}` : url;
    }),
    ...(hosts.length > 0 ? [verifiedAmong(db, JSON.stringify(hosts))] : []),
  ]);
  const [found, changed, , , owed, domains] = results.slice(expiry.statements.length);
  const verified = (domains?.results ?? []) as unknown as VerifiedDomain[];
  return {
    owners: new Map(found?.results.map(({ id, account_id }) => [id, account_id])),
    changed: new Map(changed?.results.map((row) => [row.id, row])),
    served: changed?.results.filter(({ served }) => served === 1) ?? [],
    loops: new Set(verified.map(({ domain }) => domain)),
    webhookIds: [...expiry.read(results).webhookIds, ...wokenBy(owed)],
  };
}

/** Deletes those of the links that are the account's and notes that their clicks are to be forgotten; answers all that exist, as they were. */
export async function deleteLinks(
  db: D1Database,
  accountId: number,
  ids: readonly string[],
  event: LinkEvent,
): Promise<{ before: LinkRow[]; webhookIds: string[] }> {
  const json = toIdsJson(ids);
  const links = { json, accountId };
  const expiry = expireThoseDue(db, links, event);
  const theirs = `FROM ${idsIn("?1")} CROSS JOIN links l ON ${isLink("l")} WHERE l.account_id = ?2`;
  const results = await db.batch<LinkRow>([
    ...expiry.statements,
    db.prepare(`SELECT ${COLUMNS_OF_L} FROM ${idsIn("?1")} CROSS JOIN links l ON ${isLink("l")}`).bind(json),
    ...linkEventsStatements(db, "link.delete", links, event),
    db
      .prepare(
        `INSERT INTO deleted_links (seq, id, account_id) SELECT l.seq, l.id, l.account_id ${theirs} ON CONFLICT DO NOTHING`,
      )
      .bind(json, accountId),
    db.prepare(`DELETE FROM links WHERE seq IN (SELECT l.seq ${theirs})`).bind(json, accountId),
  ]);
  const [found, , , owed] = results.slice(expiry.statements.length);
  return { before: found?.results ?? [], webhookIds: [...expiry.read(results).webhookIds, ...wokenBy(owed)] };
}
