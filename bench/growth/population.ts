import { DAY_MS, NOW } from "../metered/year.ts";

// Accounts with all that they may have, made in SQL: of links about ten thousand a second. What differs from link to link
// is made of its number, so it is the same in every run.

const YEAR_MS = 365 * DAY_MS;
/** Of one statement; the database keeps its changes in memory until it is done. */
const ROWS_PER_STATEMENT = 20_000;
const LINKS_PER_ACCOUNT = 1_000;

export const domainOf = (accountId: number): string => `go-${accountId}.acme.com`;

/** Numbers from ?1 to ?2, each with a hash of it and of the account ?3 + n / ?4; of one account ?4 is out of reach. */
const NUMBERED = `WITH RECURSIVE n (i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
  o (i, account) AS (SELECT i, CAST(?3 AS INTEGER) + i / CAST(?4 AS INTEGER) FROM n),
  h (i, account, h) AS (SELECT i, account, (i * 2654435761 + account * 40503) % 4294967296 FROM o)`;

const LINKS = `${NUMBERED},
  m AS (SELECT *, CAST(?5 AS INTEGER) + i * CAST(?6 AS INTEGER) AS at, h >> 11 AS r FROM h)
  INSERT INTO links (seq, id, account_id, domain, slug, url, title, tags, status, expires_at, max_clicks, visits,
    external_id, redirect_status, clicks, last_clicked_at, created_at, updated_at)
  SELECT (at << 21) | r,
    printf('%08x-%04x-7%03x-%04x-%012x', at >> 16, at & 65535, r >> 9, 32768 | ((r & 511) << 5), i),
    account,
    CASE WHEN (h >> 3) % 5 = 0 THEN 'go-' || account || '.acme.com' ELSE '' END,
    printf('%x-%x-%x', account, i, h % 4096),
    'https://www.shop-' || (h % 997) || '.example/' || char(97 + h % 26, 97 + (h >> 5) % 26, 97 + (h >> 9) % 26) || '/' || i,
    CASE WHEN h % 3 = 0 THEN NULL ELSE 'Page ' || i || ' of the catalogue' END,
    CASE WHEN (h >> 7) % 4 = 0 THEN '' ELSE char(31) || 'common' || char(31) || 'tag-' || ((h >> 9) % 40) || char(31) END,
    CASE WHEN (h >> 13) % 7 = 0 THEN 'expired' ELSE 'active' END,
    CASE WHEN (h >> 13) % 7 = 0 THEN at + 1000 WHEN (h >> 13) % 7 < 3 THEN ?7 + h % 1000000000 END,
    CASE WHEN (h >> 17) % 20 = 0 THEN 1000 END,
    (h >> 17) % 20 = 0,
    CASE WHEN h % 2 = 0 THEN 'item-' || i END,
    302,
    CASE WHEN h % 5 < 2 THEN 0 ELSE (h >> 4) % 997 END,
    CASE WHEN h % 5 < 2 THEN 0 ELSE at + h % 1000000 END,
    at, at FROM m`;

async function inPieces(db: D1Database, sql: string, first: number, last: number, more: unknown[]): Promise<void> {
  for (let from = first; from <= last; from += ROWS_PER_STATEMENT) {
    const to = Math.min(last, from + ROWS_PER_STATEMENT - 1);
    await db
      .prepare(sql)
      .bind(from, to, ...more)
      .run();
  }
}

/** The links `first` to `last` of an account, each newer than the one before. */
export async function insertLinksOf(db: D1Database, accountId: number, first: number, last: number): Promise<void> {
  await insertLinks(db, first, last, [accountId, last * 2]);
}

/** Spread over the year before now. A million are half a minute apart. */
function insertLinks(db: D1Database, first: number, last: number, owner: [number, number]): Promise<void> {
  return inPieces(db, LINKS, first, last, [...owner, NOW - YEAR_MS, 31_000, NOW + 30 * DAY_MS]);
}

const ID = (of: string) => `printf('%s-${of}-7000-8000-%012x', ?5, i)`;

const OF_ACCOUNTS = [
  `${NUMBERED} INSERT INTO accounts (id, uuid, name, created_at) SELECT account, ${ID("0001")}, 'other', 0 FROM h`,
  `${NUMBERED} INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at)
     SELECT ${ID("0002")}, account, 'other', printf('%08x%056x', h, i), 'abcd', '[]', 0 FROM h`,
  `${NUMBERED} INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     SELECT ${ID("0003")}, account, 'go-' || account || '.acme.com', printf('%032x', h), 'verified', ?6 + h % 1000000, 0, 0, 0 FROM h`,
  `${NUMBERED} INSERT INTO webhooks (id, account_id, url, events, secret, secret_start, status, created_at)
     SELECT ${ID("0004")}, account, 'https://hooks.acme.com/', '["link.create"]', '', '', 'active', 0 FROM h`,
];

/** Links `first` to `last` that belong to others, a thousand to each, who have a key, a domain and a webhook too. */
export async function insertOthers(db: D1Database, first: number, last: number): Promise<void> {
  const [firstAccount, lastAccount] = [first, last].map((n) => Math.floor(n / LINKS_PER_ACCOUNT)) as [number, number];
  const known = await db.prepare("SELECT count(*) AS n FROM accounts WHERE name = 'other'").first<number>("n");
  for (const sql of OF_ACCOUNTS) {
    const more = sql.includes("?6") ? [NOW + 300 * DAY_MS] : [];
    await inPieces(db, sql, Math.max(firstAccount, known ?? 0), lastAccount, [FIRST_OTHER, 1, "00000000", ...more]);
  }
  await insertLinks(db, first, last, [FIRST_OTHER, LINKS_PER_ACCOUNT]);
}

/** Behind the accounts that are made one by one. */
const FIRST_OTHER = 1_000;

const EVENTS = `${NUMBERED} INSERT INTO events (id, type, body, webhooks, created_at)
  SELECT ${ID("0005")}, 'link.create', '{}', json_array(?6), ?7 FROM h`;
const DELIVERIES = `${NUMBERED} INSERT INTO deliveries (webhook_id, event_id, status)
  SELECT ?6, ${ID("0005")}, CASE WHEN h % 50 = 0 THEN 'failed' ELSE 'delivered' END FROM h`;
const ANSWERS = `${NUMBERED} INSERT INTO idempotency_keys (account_id, key, fingerprint, resource_id, response, created_at)
  SELECT ?3, 'key-' || i, '', '', '{}', ?5 FROM h`;

/** Events that a webhook has had in the last weeks. */
export async function insertEvents(db: D1Database, webhookId: string, first: number, last: number): Promise<void> {
  const at = NOW - 10 * DAY_MS;
  const prefix = at.toString(16).padStart(12, "0").slice(0, 8);
  await inPieces(db, EVENTS, first, last, [0, last * 2, prefix, webhookId, at]);
  await inPieces(db, DELIVERIES, first, last, [0, last * 2, prefix, webhookId]);
}

/** What an account's requests with an Idempotency-Key were answered today. */
export async function insertAnswers(db: D1Database, accountId: number, first: number, last: number): Promise<void> {
  await inPieces(db, ANSWERS, first, last, [accountId, last * 2, NOW - 3_600_000]);
}
