import { MAX_KEPT_DELIVERIES } from "../../../src/limits.ts";
import { DAY_MS, NOW, YEAR_DAYS } from "../instrumented/year.ts";

// Fills tables in SQL, about ten thousand links a second. All values are derived from the row's number, so every run has the
// same rows.

/** The database keeps the changes of a statement in memory until its end. */
const ROWS_PER_STATEMENT = 5_000;
const LINKS_PER_ACCOUNT = 250;
/** Id of the first account that `insertOthers` creates: above those of createAccount. */
const FIRST_OTHER = 1_000;

/** The share of the links that are archived: the newest ones, so that lists must skip them. */
const ARCHIVED_SHARE = 0.12;

export const domainOf = (accountId: number): string => `go-${accountId}.acme.com`;

/** The verified domain of a fifth of the links that {@link insertLinksOf} makes. */
export async function insertDomainOf(db: D1Database, accountId: number): Promise<string> {
  const insert = db.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     VALUES ('ffffffff-0000-7000-8000-000000000000', ?1, ?2, '', 'verified', ?3, 0, 0, 0)`,
  );
  const domain = domainOf(accountId);
  await insert.bind(accountId, domain, NOW * 2).run();
  return domain;
}

/** Numbers from ?1 to ?2. Each has an account, which is ?3 + number / ?4, and a hash of both. */
const NUMBERED = `WITH RECURSIVE n (i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
  o (i, account) AS (SELECT i, CAST(?3 AS INTEGER) + i / CAST(?4 AS INTEGER) FROM n),
  h (i, account, h) AS (SELECT i, account, (i * 2654435761 + account * 40503) % 4294967296 FROM o)`;

const LINKS = `${NUMBERED},
  m AS (SELECT *, CAST(?5 AS INTEGER) + i * CAST(?6 AS INTEGER) AS at, h >> 11 AS r FROM h)
  INSERT INTO links (seq, id, account_id, domain, slug, url, url_hash, title, tags, tag_keys, status, expires_at, max_clicks, visits,
    external_id, redirect_status, clicks, last_clicked_at, created_at, updated_at, archived)
  SELECT (at << 21) | r,
    printf('%08x-%04x-7%03x-%04x-%012x', at >> 16, at & 65535, r >> 9, 32768 | ((r & 511) << 5), i),
    account,
    CASE WHEN (h >> 3) % 5 = 0 THEN 'go-' || account || '.acme.com' ELSE '' END,
    printf('%x-%x-%x', account, i, h % 4096),
    'https://www.shop-' || (h % 997) || '.example/' || char(97 + h % 26, 97 + (h >> 5) % 26, 97 + (h >> 9) % 26) || '/' || i,
    h,
    CASE WHEN h % 3 = 0 THEN NULL ELSE 'Page ' || i || ' of the catalogue' END,
    CASE WHEN (h >> 7) % 4 > 0 THEN json_array('common', 'tag-' || ((h >> 9) % 40)) END,
    CASE WHEN (h >> 7) % 4 > 0 THEN json_array(char(127) || 'common' || char(127), char(127) || 'tag-' || ((h >> 9) % 40) || char(127)) END,
    CASE WHEN (h >> 13) % 7 = 0 THEN 'expired' ELSE 'active' END,
    CASE WHEN (h >> 13) % 7 = 0 THEN at + 1000 WHEN (h >> 13) % 7 < 3 THEN ?7 + h % 1000000000 END,
    CASE WHEN (h >> 17) % 20 = 0 THEN 1000 END,
    (h >> 17) % 20 = 0,
    CASE WHEN h % 2 = 0 THEN 'item-' || i END,
    302,
    CASE WHEN h % 5 < 2 THEN 0 ELSE 1 + (h >> 4) % 996 END,
    CASE WHEN h % 5 < 2 THEN 0 ELSE at + h % 1000000 END,
    at, at,
    i > ?2 - (?2 - ?1) * ${ARCHIVED_SHARE} FROM m`;

async function inPieces(db: D1Database, sql: string, first: number, last: number, values: unknown[]): Promise<void> {
  const statement = db.prepare(sql);
  for (let from = first; from <= last; from += ROWS_PER_STATEMENT)
    await statement.bind(from, Math.min(last, from + ROWS_PER_STATEMENT - 1), ...values).run();
}

/** The values of ?3 and ?4 that give all rows up to `last` to the same account. */
const toOneAccount = (accountId: number, last: number) => [accountId, last * 2];

/** Links `first` to `last`, each newer than the one before, from a year before `end` on. */
async function insertLinks(db: D1Database, first: number, last: number, accounts: number[], end = NOW): Promise<void> {
  const values = [...accounts, end - YEAR_DAYS * DAY_MS, 31_000, end + 30 * DAY_MS];
  await inPieces(db, LINKS, first, last, values);
}

/** Links `first` to `last` of an account, from a year before `end` on; without it, before `NOW`. */
export function insertLinksOf(db: D1Database, accountId: number, first: number, last: number, end?: number) {
  return insertLinks(db, first, last, toOneAccount(accountId, last), end);
}

const ID = (kind: string) => `printf('%s-${kind}-7000-8000-%012x', ?5, i)`;

const ACCOUNTS = `${NUMBERED} INSERT INTO accounts (id, uuid, name, created_at)
  SELECT account, ${ID("0001")}, 'other', 0 FROM h`;
const KEYS = `${NUMBERED} INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at)
  SELECT ${ID("0002")}, account, 'other', printf('%08x%056x', h, i), 'abcd', '[]', 0 FROM h`;
const DOMAINS = `${NUMBERED} INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
  SELECT ${ID("0003")}, account, 'go-' || account || '.acme.com', printf('%032x', h), 'verified', ?6 + h % 1000000, 0, 0, 0 FROM h`;
const WEBHOOKS = `${NUMBERED} INSERT INTO webhooks (id, account_id, url, host, events, secret, secret_start, status, created_at)
  SELECT ${ID("0004")}, account, 'https://hooks.acme.com/', 'hooks.acme.com', '["link.create"]', '', '', 'active', 0 FROM h`;
/** Links `first` to `last` of other accounts. Each has 250 links, a key, a domain and a webhook. */
export async function insertOthers(db: D1Database, first: number, last: number): Promise<void> {
  const [firstAccount, lastAccount] = [first, last].map((n) => Math.floor(n / LINKS_PER_ACCOUNT)) as [number, number];
  const present = await db.prepare("SELECT count(*) AS n FROM accounts WHERE name = 'other'").first<number>("n");
  const insert = (sql: string, ...values: unknown[]) =>
    inPieces(db, sql, Math.max(firstAccount, present ?? 0), lastAccount, [FIRST_OTHER, 1, "00000000", ...values]);
  await insert(ACCOUNTS);
  await insert(KEYS);
  await insert(DOMAINS, NOW + 300 * DAY_MS);
  await insert(WEBHOOKS);
  await insertLinks(db, first, last, [FIRST_OTHER, LINKS_PER_ACCOUNT]);
}

const DELIVERIES = `${NUMBERED} INSERT INTO deliveries (webhook_id, event_id, type, status, created_at, body)
  SELECT ?6, ${ID("0005")}, 'link.create', CASE WHEN h % 5 = 0 THEN 'failed' ELSE 'delivered' END, ?7, '{}' FROM h`;
const IDEMPOTENCY_KEYS = `${NUMBERED} INSERT INTO idempotency_keys (account_id, key, fingerprint, request_id, status, response, created_at)
  SELECT ?3, 'key-' || i, '', '', 201, '{}', ?5 FROM h`;

/** Finished deliveries of a webhook, ten days old. It gets half of those that a webhook keeps, whatever `last` is. */
export async function insertDeliveries(db: D1Database, webhookId: string, first: number, end: number): Promise<void> {
  const last = Math.min(end, MAX_KEPT_DELIVERIES / 2);
  const at = NOW - 10 * DAY_MS;
  const prefix = at.toString(16).padStart(12, "0").slice(0, 8);
  await inPieces(db, DELIVERIES, first, last, [...toOneAccount(0, last), prefix, webhookId, at]);
}

/** Stored responses under idempotency keys, an hour old. */
export async function insertIdempotencyKeys(
  db: D1Database,
  accountId: number,
  first: number,
  last: number,
): Promise<void> {
  await inPieces(db, IDEMPOTENCY_KEYS, first, last, [...toOneAccount(accountId, last), NOW - 3_600_000]);
}
