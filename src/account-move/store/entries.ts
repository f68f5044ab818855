import { Batch } from "../../database/batch.ts";
import { Parameters } from "../../database/parameters.ts";
import { directoryKeySql } from "../../directory/key.ts";
import { newId } from "../../lib/uuid.ts";
import { ROWS_PER_PAGE } from "../limits.ts";
import { COPIED_TABLES } from "./tables.ts";

/** The entries of the directory for the slugs and the domains of an account that has moved. */

const pageOfLinks = COPIED_TABLES.find(({ name }) => name === "links")?.pageOfKeys;

const KEY = directoryKeySql("domain", "slug_key");

/** `anonymousAliases` are those at `ANONYMOUS_HOST`; without one, there are none to read. */
export const KINDS_OF_KEYS = ["links", "aliases", "anonymousAliases", "domains"] as const;
type Kind = (typeof KINDS_OF_KEYS)[number];
type KeysSql = (after: string | null, anonymousHost: () => string) => string;

function aliasesAt(domain: string, after: string | null): string {
  return `SELECT ${KEY} AS key, json_array(link_seq, slug_key) AS position FROM aliases INDEXED BY aliases_by_link
    WHERE account_id = ?1 AND domain = ${domain} ${after === null ? "" : `AND (link_seq, slug_key) > (${after} ->> 0, ${after} ->> 1)`}
    ORDER BY link_seq, slug_key LIMIT ${ROWS_PER_PAGE}`;
}

/** SQL for a page of keys of the account ?1, after a position or from the first on. Links at custom domains have none. Both are SQL. */
const KINDS: Record<Kind, KeysSql> = {
  links: (after, host) =>
    `SELECT iif(domain IN ('', ${host()}), ${KEY}, NULL) AS key, json_array(seq) AS position FROM links
     WHERE seq IN (${pageOfLinks?.(after === null ? "" : `AND seq > ${after} ->> 0`, ROWS_PER_PAGE)}) ORDER BY seq`,
  aliases: (after) => aliasesAt("''", after),
  anonymousAliases: (after, host) => aliasesAt(host(), after),
  domains: (after) =>
    `SELECT domain AS key, json_array(domain) AS position FROM domains
     WHERE account_id = ?1 AND status = 'verified' ${after === null ? "" : `AND domain > ${after} ->> 0`}
     ORDER BY domain LIMIT ${ROWS_PER_PAGE}`,
};

export interface KeyPage {
  keys: string[];
  /** The last of the keys, JSON array; null: there are no more. */
  position: string | null;
}

/** Reads a page of the keys that the account has in its database by its links, by aliases and deleted links, or by verified domains. */
export async function readKeys(
  { env, db }: { env: Pick<Env, "ANONYMOUS_HOST">; db: D1Database },
  accountId: number,
  kind: Kind,
  position: string | null,
): Promise<KeyPage> {
  const batch = new Batch(db);
  const parameters = new Parameters([accountId]);
  const after = position === null ? null : parameters.add(position);
  const sql = KINDS[kind](after, () => parameters.add(env.ANONYMOUS_HOST));
  const read = batch.add<{ key: string | null; position: string }>(sql, parameters.values);
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
