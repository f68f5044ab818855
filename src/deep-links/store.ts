import type { DomainRow } from "../redirect/domain-entry.ts";

export interface OwnedDomainRow extends DomainRow {
  id: string;
  status: "pending" | "verified";
}

const COLUMNS = `id, account_id, domain, status, root_url, not_found_url, apple_app_site_association, asset_links, updated_at`;
const BY_ID = `SELECT ${COLUMNS} FROM domains WHERE id = ?1`;

export async function findDomain(db: D1Database, id: string): Promise<OwnedDomainRow | null> {
  return db.prepare(BY_ID).bind(id).first<OwnedDomainRow>();
}

/** JSON, or null to remove a file; those that are undefined stay as they are. */
export interface FileChanges {
  apple_app_site_association: string | null | undefined;
  asset_links: string | null | undefined;
}

/** Changes an account's domain; answers it after that, or unchanged where it is another account's. */
export async function updateFiles(
  db: D1Database,
  accountId: number,
  id: string,
  changes: FileChanges,
  now: number,
): Promise<OwnedDomainRow | null> {
  const parameters: (string | number | null)[] = [id, accountId, now];
  const assignments = Object.entries(changes)
    .filter((change): change is [string, string | null] => change[1] !== undefined)
    .map(([column, value]) => `${column} = ?${parameters.push(value)}`);
  const update = `UPDATE domains SET ${[...assignments, "updated_at = max(?3, updated_at + 1)"].join(", ")}
    WHERE id = ?1 AND account_id = ?2`;
  const [, found] = await db.batch<OwnedDomainRow>([
    db.prepare(update).bind(...parameters),
    db.prepare(BY_ID).bind(id),
  ]);
  return found?.results[0] ?? null;
}
