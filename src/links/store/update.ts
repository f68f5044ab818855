import { violatedColumns } from "../../database/errors.ts";
import { wokenBy } from "../../outbox/legacy.ts";
import { displaceStatements, type Place } from "./remove-previous-owner-links.ts";
import { IS_SERVED, isVerifiedFor, noneVerified, verifiedAmong, type VerifiedDomain } from "../domain.ts";
import { linkEventStatements, type Condition, type LinkEvent } from "./events.ts";
import { expireIfDue } from "./expiry.ts";
import { sequenceOf } from "./sequence.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { isReserved, RESERVED_SLUGS } from "../slug.ts";
import type { LinkChanges } from "./links.ts";

export interface Change {
  columns: LinkChanges;
  /** Where its destinations are; the change is refused where one is a verified domain. */
  hosts: readonly string[];
  /** The URL that the new one was made of: the link is changed only if it still has that. */
  fromUrl?: string;
  /** A place that is taken, perhaps by the link of a former holder of the domain. */
  contested?: Place | undefined;
}

export type UpdateOutcome =
  /** `served`: it answers at its domain. */
  | { outcome: "updated"; before: LinkRow; after: LinkRow; served: boolean; webhookIds: string[] }
  | { outcome: "not_found" }
  | { outcome: "forbidden" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "domain_refused" }
  | { outcome: "leads_back"; hosts: ReadonlySet<string> }
  | { outcome: "slug_reserved" }
  | { outcome: "changed_meanwhile" };

/** Changes an account's link in one round trip; only the given columns, so changes of different fields do not undo each other. */
export async function updateLink(
  db: D1Database,
  accountId: number,
  id: string,
  change: Change,
  event: LinkEvent,
): Promise<UpdateOutcome> {
  const link = { id, accountId };
  const expiry = expireIfDue(db, link, event);
  const displacement = displaceStatements(db, accountId, change.contested ? [change.contested] : [], event);
  const before = [...expiry.statements, ...displacement.statements];
  try {
    const results = await db.batch<LinkRow & { served: 0 | 1 }>([
      ...before,
      db.prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE seq = ?1 AND id = ?2`).bind(sequenceOf(id), id),
      updateStatement(db, link, change, event),
      ...linkEventStatements(db, "link.update", link, event, unlessRefused(change, accountId, change.columns.url)),
      ...domainStatements(db, change),
    ]);
    const [found, changed, , , owed, domains] = results.slice(before.length);
    const woken = [
      expiry.read(results).webhookIds,
      displacement.read(results.slice(expiry.statements.length)),
      wokenBy(owed),
    ].flat();
    const verified = (domains?.results ?? []) as unknown as VerifiedDomain[];
    const [was, is] = [found?.results[0], changed?.results[0]];
    if (was !== undefined && is !== undefined)
      return { outcome: "updated", before: was, after: is, served: is.served === 1, webhookIds: woken };
    return refusalOf(was, accountId, change, verified);
  } catch (error) {
    const columns = violatedColumns(error);
    if (columns?.includes("links.slug")) return { outcome: "slug_taken" };
    if (columns?.includes("links.external_id")) return { outcome: "external_id_taken" };
    throw error;
  }
}

function refusalOf(
  was: LinkRow | undefined,
  accountId: number,
  { columns, hosts, fromUrl }: Change,
  verified: readonly VerifiedDomain[],
): UpdateOutcome {
  if (was === undefined) return { outcome: "not_found" };
  if (was.account_id !== accountId) return { outcome: "forbidden" };
  const holder = verified.find(({ domain }) => domain === columns.domain);
  if (columns.domain && holder?.account_id !== accountId) return { outcome: "domain_refused" };
  const loops = verified.map(({ domain }) => domain).filter((domain) => hosts.includes(domain));
  if (loops.length > 0) return { outcome: "leads_back", hosts: new Set(loops) };
  return { outcome: fromUrl !== undefined && was.url !== fromUrl ? "changed_meanwhile" : "slug_reserved" };
}

function updateStatement(
  db: D1Database,
  { id, accountId }: { id: string; accountId: number },
  change: Change,
  { now }: LinkEvent,
): D1PreparedStatement {
  const parameters: (string | number | null)[] = [sequenceOf(id), id, accountId, now];
  const bound = (value: string | number | null) => `?${parameters.push(value)}`;
  const assignments = assignmentsOf(change.columns, "?4", bound);
  const conditions = unlessRefused(change, accountId, change.fromUrl)("links", bound);
  return db
    .prepare(
      `UPDATE links SET ${assignments.join(", ")}
       WHERE seq = ?1 AND id = ?2 AND account_id = ?3 AND ${conditions} RETURNING ${LINK_COLUMNS}, ${IS_SERVED}`,
    )
    .bind(...parameters);
}

/** What a change sets, beside its columns the status and the version; `now` is SQL. */
export function assignmentsOf(
  columns: LinkChanges,
  now: string,
  bound: (value: string | number | null) => string,
): string[] {
  const assignments: string[] = [];
  const next: Record<string, string> = { expires_at: "expires_at", max_clicks: "max_clicks" };
  for (const [column, value] of Object.entries(columns)) {
    next[column] = bound(value);
    assignments.push(`${column} = ${next[column]}`);
  }
  return [
    ...assignments,
    // An expired link may come back; one that is over now is moved, and reported, by expiry.ts.
    `status = iif(coalesce(${next["expires_at"]} <= ${now}, false) OR coalesce(${next["max_clicks"]} <= visits, false), status, 'active')`,
    `updated_at = max(${now}, updated_at + 1)`,
  ];
}

/** What must hold for the change; it holds, or not, before the change and after it alike, where `url` is that of its time. */
function unlessRefused({ columns, hosts, fromUrl }: Change, accountId: number, url: string | undefined): Condition {
  return (table, bound) => {
    const conditions = ["true"];
    if (hosts.length > 0) conditions.push(noneVerified(bound(JSON.stringify(hosts))));
    if (columns.domain) conditions.push(isVerifiedFor(bound(accountId), bound(columns.domain)));
    // Words are reserved on the service's own domain.
    if (columns.domain === undefined && columns.slug !== undefined && isReserved(columns.slug)) {
      conditions.push(`${table}.domain <> ''`);
    }
    if (columns.domain === "" && columns.slug === undefined) {
      const reserved = bound(JSON.stringify([...RESERVED_SLUGS]));
      conditions.push(`${table}.slug NOT IN (SELECT value FROM json_each(${reserved}))`);
    }
    if (fromUrl !== undefined && url !== undefined) conditions.push(`${table}.url = ${bound(url)}`);
    return conditions.join(" AND ");
  };
}

function domainStatements(db: D1Database, { columns, hosts }: Change): D1PreparedStatement[] {
  const names = columns.domain ? [columns.domain, ...hosts] : hosts;
  return names.length === 0 ? [] : [verifiedAmong(db, JSON.stringify(names))];
}
