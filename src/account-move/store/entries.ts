import { Batch } from "../../database/batch.ts";
import { newId } from "../../lib/uuid.ts";
import { ROWS_PER_PAGE } from "../limits.ts";
import { COPIED_TABLES } from "./tables.ts";

/** The entries of the directory for the slugs and the domains of an account that has moved. */

const pageOfLinks = COPIED_TABLES.find(({ name }) => name === "links")?.pageOfKeys;

/** SQL for a page of keys of the account ?1, after the position ?2 or from the first on. Links at custom domains have none. */
const KINDS = {
  links: (isAfter: boolean) =>
    `SELECT iif(domain = '', slug_key, NULL) AS key, json_array(seq) AS position FROM links
     WHERE seq IN (${pageOfLinks?.(isAfter ? "AND seq > ?2 ->> 0" : "", ROWS_PER_PAGE)}) ORDER BY seq`,
  aliases: (isAfter: boolean) =>
    `SELECT slug_key AS key, json_array(link_seq, slug_key) AS position FROM aliases INDEXED BY aliases_by_link
     WHERE account_id = ?1 AND domain = '' ${isAfter ? "AND (link_seq, slug_key) > (?2 ->> 0, ?2 ->> 1)" : ""}
     ORDER BY link_seq, slug_key LIMIT ${ROWS_PER_PAGE}`,
  domains: (isAfter: boolean) =>
    `SELECT domain AS key, json_array(domain) AS position FROM domains
     WHERE account_id = ?1 AND status = 'verified' ${isAfter ? "AND domain > ?2 ->> 0" : ""} ORDER BY domain LIMIT ${ROWS_PER_PAGE}`,
};

export interface KeyPage {
  keys: string[];
  /** The last of the keys, JSON array; null: there are no more. */
  position: string | null;
}

/** Reads a page of the keys that the account has in its database by its links, by aliases and deleted links, or by verified domains. */
export async function readKeys(
  db: D1Database,
  accountId: number,
  kind: keyof typeof KINDS,
  position: string | null,
): Promise<KeyPage> {
  const batch = new Batch(db);
  const read = batch.add<{ key: string | null; position: string }>(
    KINDS[kind](position !== null),
    position === null ? [accountId] : [accountId, position],
  );
  await batch.commitWithRetry();
  const { rows } = read;
  return {
    keys: rows.flatMap(({ key }) => key ?? []),
    position: rows.length < ROWS_PER_PAGE ? null : (rows.at(-1)?.position ?? null),
  };
}

/**
 * Gives the keys of a database to another one. What the directory's own database has needs no entry. An entry that is another's by now
 * stays. May be repeated.
 */
export async function moveEntries(
  directory: D1Database,
  keys: readonly string[],
  { source, target, directoryNumber, now }: { source: number; target: number; directoryNumber: number; now: number },
): Promise<void> {
  if (keys.length === 0) return;
  const list = JSON.stringify(keys.map((key) => [key, newId(now)]));
  const batch = new Batch(directory);
  if (target === directoryNumber)
    batch.add("DELETE FROM directory WHERE shard = ?2 AND key IN (SELECT j.value ->> 0 FROM json_each(?1) j)", [
      list,
      source,
    ]);
  else if (source === directoryNumber)
    batch.add(
      `INSERT INTO directory (key, shard, token, reserved_at) SELECT j.value ->> 0, ?2, j.value ->> 1, ?3 FROM json_each(?1) j
       WHERE true ON CONFLICT (key) DO NOTHING`,
      [list, target, now],
    );
  else
    batch.add(
      `UPDATE directory SET shard = ?2, token = j.value ->> 1, reserved_at = ?3 FROM json_each(?1) j
       WHERE directory.key = j.value ->> 0 AND directory.shard = ?4`,
      [list, target, now, source],
    );
  await batch.commitWithRetry();
}
