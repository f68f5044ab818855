import type { Page } from "../../../platform/http/pagination.ts";
import { firstSequenceAt, sequenceOf } from "../../../links/store/sequence.ts";
import { effectiveVerdict } from "../../../redirect/lookup/store/verdict-sql.ts";
import { MAX_FOUND_PERSONS, MAX_SHOWN_OWNERS, SEARCHED_LINKS } from "../../limits.ts";

export interface AccountRow {
  id: number;
  uuid: string;
  name: string;
  is_personal: 0 | 1;
  /** JSON array. */
  owners: string;
  invited: string | null;
  links: number;
  is_trusted: 0 | 1;
  created_at: number;
  disabled_at: number | null;
  deleted_at: number | null;
  takedown_id: string | null;
}

/** ?4 is the present time. */
const ACCOUNT_COLUMNS = `a.id, a.uuid, a.name, a.personal_user_id IS NOT NULL AS is_personal, a.created_at, a.disabled_at, a.deleted_at,
  a.trust_at IS NULL AS is_trusted, (SELECT u.links FROM account_usage u WHERE u.account_id = a.id) AS links,
  (SELECT json_group_array(email) FROM (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = a.id AND m.role = 'owner' ORDER BY m.user_id LIMIT ${MAX_SHOWN_OWNERS})) AS owners,
  (SELECT i.email FROM invitations i
    WHERE i.account_id = a.id AND i.role = 'owner' AND i.answered_by IS NULL AND i.expires_at > ?4 ORDER BY i.id DESC LIMIT 1) AS invited,
  (SELECT t.id FROM takedowns t INDEXED BY takedowns_in_force
    WHERE t.kind = 'account' AND t.target = CAST(a.id AS TEXT) AND t.reversed_at IS NULL) AS takedown_id`;

/** Of which accounts ?5 is the id or the start of a member's address in its compared form. */
const FOUND = `(a.uuid = ?5 OR a.id IN (SELECT m.account_id
  FROM (SELECT id FROM users WHERE email_key >= ?5 AND email_key < ?5 || char(1114111) ORDER BY email_key LIMIT ${MAX_FOUND_PERSONS}) u
  JOIN memberships m ON m.user_id = u.id))`;

/** The accounts, newest first; one more than the page holds. `search` null: all. */
export async function listAccounts(
  db: D1Database,
  search: string | null,
  page: Page,
  now: number,
): Promise<AccountRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id < ?1 ${search === null ? "" : `AND ${FOUND}`}
       ORDER BY a.id DESC LIMIT ?2 OFFSET ?3`,
    )
    .bind(
      page.after === null ? Number.MAX_SAFE_INTEGER : Number(page.after),
      page.limit + 1,
      page.offset,
      now,
      ...(search === null ? [] : [search]),
    )
    .all<AccountRow>();
  return results;
}

/** A link of any account, or of none. */
export interface FoundRow {
  id: string;
  account_uuid: string | null;
  domain: string;
  slug: string;
  url: string;
  title: string | null;
  has_password: 0 | 1;
  verdict: number;
  clicks: number;
  created_at: number;
}

const FOUND_LINK_COLUMNS = `id, domain, slug, url, title, password_hash IS NOT NULL AS has_password, clicks, created_at,
  ${effectiveVerdict} AS verdict, (SELECT uuid FROM accounts WHERE accounts.id = account_id) AS account_uuid`;

const TEXTS = ["slug", "url", "title", "expired_url", "ios", "android", "geo", "rules"];
const HAS_TEXT = `instr(lower(${TEXTS.map((column) => `ifnull(${column}, '')`).join(" || char(10) || ")}), lower(?3)) > 0`;

/** A part of a list that is read piece after piece. */
interface Piece {
  rows: FoundRow[];
  /** The id of the last link that was looked at; null: there are no further ones. */
  last: string | null;
}

/**
 * Looks at the links after `after`, newest first, and returns those that have the text in a slug, a title or a destination, up to
 * `limit`. Links without an account are in no search index, so up to {@link SEARCHED_LINKS} rows are read. `text` '': all.
 */
export async function searchLinks(db: D1Database, text: string, after: string | null, limit: number): Promise<Piece> {
  const before = after === null ? AFTER_ALL_LINKS : sequenceOf(after);
  const statement =
    text === ""
      ? db
          .prepare(`SELECT ${FOUND_LINK_COLUMNS} FROM links NOT INDEXED WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2`)
          .bind(before, limit)
      : db
          .prepare(
            `SELECT ${FOUND_LINK_COLUMNS} FROM (SELECT * FROM links NOT INDEXED WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2) found
             WHERE ${HAS_TEXT} ORDER BY seq DESC LIMIT ?4`,
          )
          .bind(before, SEARCHED_LINKS, text, limit);
  const { results: rows } = await statement.all<FoundRow>();
  if (rows.length === limit) return { rows, last: rows.at(-1)?.id ?? null };
  if (text === "") return { rows, last: null };
  const last = await db
    .prepare("SELECT id FROM links NOT INDEXED WHERE seq < ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2")
    .bind(before, SEARCHED_LINKS - 1)
    .first<string>("id");
  return { rows, last };
}

const AFTER_ALL_LINKS = firstSequenceAt(Number.MAX_SAFE_INTEGER);

export async function findRow(db: D1Database, id: string): Promise<FoundRow | null> {
  return db
    .prepare(`SELECT ${FOUND_LINK_COLUMNS} FROM links NOT INDEXED WHERE seq = ?1`)
    .bind(sequenceOf(id))
    .first<FoundRow>();
}
