-- The whole database as it is now. An installation gets it from migrations/, whose README.md says how to change it.
-- Times are Unix milliseconds. They are passed in by the Worker, never taken from SQL.

-- The migrations that this database has been through; the newest is its version.
CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY
) STRICT;

-- The tenant: whatever belongs to someone names its account. `id` is internal and short, because
-- every link repeats it in its indexes; `uuid` is for the wire.
CREATE TABLE IF NOT EXISTS accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,          -- SHA-256 of the whole key, lower-case hex: all that is kept of it
  last_four TEXT NOT NULL,
  permissions TEXT NOT NULL,          -- JSON array
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS api_keys_by_account ON api_keys (account_id, id);
-- Counts the places that are taken (five an account) without reading revoked or expired keys.
CREATE INDEX IF NOT EXISTS api_keys_active ON api_keys (account_id, expires_at) WHERE revoked_at IS NULL;

-- `seq` is the leading 63 time and random bits of `id` (src/links/store/sequence.ts): finding a link by its id and
-- listing links in order of creation need no index of their own, and every index below ends with it.
CREATE TABLE IF NOT EXISTS links (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id),  -- NULL: shortened without a key, belongs to nobody
  domain TEXT NOT NULL,               -- '' is the service's own domain, whichever host serves it today
  slug TEXT NOT NULL COLLATE NOCASE,
  url TEXT NOT NULL,
  title TEXT,
  tags TEXT NOT NULL,                 -- each between two U+001F, as in '␟sale␟print␟'; '' without any
  status TEXT NOT NULL CHECK (status IN ('active', 'expired')),
  expires_at INTEGER,
  expired_url TEXT,
  max_clicks INTEGER,
  visits INTEGER NOT NULL DEFAULT 0,  -- claimed visits, only of links with max_clicks
  external_id TEXT,
  password_hash TEXT,                 -- scrypt with its parameters
  ios TEXT,
  android TEXT,
  geo TEXT,                           -- JSON object of destinations by country; NULL without any
  rules TEXT,                         -- JSON array; NULL without any
  preview TEXT,                       -- JSON object
  redirect_status INTEGER NOT NULL,
  clicks INTEGER NOT NULL DEFAULT 0,  -- brought up to date when somebody asks for links
  last_clicked_at INTEGER NOT NULL DEFAULT 0,  -- 0: never
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL         -- grows with every change of a setting, also when a clock stands still
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS links_by_slug ON links (domain, slug);
CREATE UNIQUE INDEX IF NOT EXISTS links_by_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_account ON links (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_status ON links (account_id, status) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_domain ON links (account_id, domain) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_clicks ON links (account_id, clicks) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_by_last_click ON links (account_id, last_clicked_at) WHERE account_id IS NOT NULL;
-- What is still to expire: for the cron, and for one account.
CREATE INDEX IF NOT EXISTS links_due ON links (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_due_by_account ON links (account_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;

-- Used up: the last of `max_clicks` visits was claimed, and the link is not yet moved to 'expired'.
CREATE INDEX IF NOT EXISTS links_used_up ON links (account_id) WHERE status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks;

-- What the search index knows of a link: its terms, and beside them the link itself, so that a page of
-- results is read from the index alone. The trigram tokenizer makes every three characters a term:
-- `account_term` is exactly one (the account's number in three private-use characters), `status_term`
-- too; a domain stands between '^^' and '$$'.
CREATE VIEW IF NOT EXISTS searchable_links AS
  SELECT
    char(57344 + account_id / 40960000 % 6400, 57344 + account_id / 6400 % 6400, 57344 + account_id % 6400) AS account_term,
    substr(status, 1, 3) AS status_term,
    '^^' || domain || '$$' AS domain_term,
    *
  FROM links WHERE account_id IS NOT NULL;

-- Text, tags and the filters beside them: any combination is one look-up.
CREATE VIRTUAL TABLE IF NOT EXISTS links_fts USING fts5 (
  account_term, status_term, domain_term, tags, slug, url, title,
  id UNINDEXED, account_id UNINDEXED, domain UNINDEXED, expires_at UNINDEXED, expired_url UNINDEXED,
  max_clicks UNINDEXED, visits UNINDEXED, external_id UNINDEXED, password_hash UNINDEXED, ios UNINDEXED,
  android UNINDEXED, geo UNINDEXED, rules UNINDEXED, preview UNINDEXED, redirect_status UNINDEXED,
  clicks UNINDEXED, last_clicked_at UNINDEXED, created_at UNINDEXED,
  updated_at UNINDEXED,
  content = 'searchable_links', content_rowid = 'seq', tokenize = 'trigram'
);

CREATE TRIGGER IF NOT EXISTS links_fts_insert AFTER INSERT ON links BEGIN
  INSERT INTO links_fts (rowid, account_term, status_term, domain_term, tags, slug, url, title)
    SELECT seq, account_term, status_term, domain_term, tags, slug, url, title FROM searchable_links WHERE seq = NEW.seq;
END;

CREATE TRIGGER IF NOT EXISTS links_fts_before_update BEFORE UPDATE ON links
WHEN OLD.account_id IS NOT NEW.account_id OR OLD.status IS NOT NEW.status OR OLD.domain IS NOT NEW.domain
  OR OLD.tags IS NOT NEW.tags OR OLD.slug IS NOT NEW.slug OR OLD.url IS NOT NEW.url OR OLD.title IS NOT NEW.title
BEGIN
  INSERT INTO links_fts (links_fts, rowid, account_term, status_term, domain_term, tags, slug, url, title)
    SELECT 'delete', seq, account_term, status_term, domain_term, tags, slug, url, title FROM searchable_links WHERE seq = OLD.seq;
END;

CREATE TRIGGER IF NOT EXISTS links_fts_update AFTER UPDATE ON links
WHEN OLD.account_id IS NOT NEW.account_id OR OLD.status IS NOT NEW.status OR OLD.domain IS NOT NEW.domain
  OR OLD.tags IS NOT NEW.tags OR OLD.slug IS NOT NEW.slug OR OLD.url IS NOT NEW.url OR OLD.title IS NOT NEW.title
BEGIN
  INSERT INTO links_fts (rowid, account_term, status_term, domain_term, tags, slug, url, title)
    SELECT seq, account_term, status_term, domain_term, tags, slug, url, title FROM searchable_links WHERE seq = NEW.seq;
END;

CREATE TRIGGER IF NOT EXISTS links_fts_delete BEFORE DELETE ON links BEGIN
  INSERT INTO links_fts (links_fts, rowid, account_term, status_term, domain_term, tags, slug, url, title)
    SELECT 'delete', seq, account_term, status_term, domain_term, tags, slug, url, title FROM searchable_links WHERE seq = OLD.seq;
END;

-- Whose a domain is: several accounts may try for one, the first that proves it has it. A link answers at a
-- domain only while the domain is verified for the link's own account.
CREATE TABLE IF NOT EXISTS domains (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  domain TEXT NOT NULL,               -- lower case, international names in Punycode
  token TEXT NOT NULL,                -- the value of the TXT record that proves it
  status TEXT NOT NULL CHECK (status IN ('pending', 'verified')),
  txt_found INTEGER,                  -- what the last look-up found: 0, 1 or NULL without one
  cname_found INTEGER,
  root_url TEXT,
  not_found_url TEXT,
  apple_app_site_association TEXT,    -- JSON object
  asset_links TEXT,                   -- JSON array
  checked_at INTEGER,                 -- the last look-up
  check_at INTEGER,                   -- the next one by the cron; only of verified ones
  verified_at INTEGER,
  lost_at INTEGER,                    -- since this time its TXT record is gone; after a week it is pending
  hostname_id TEXT,                   -- of the custom hostname at Cloudflare; these four only where the operator wants one
  hostname_status TEXT,
  hostname_error TEXT,
  hostname_at INTEGER,                -- when Cloudflare is to be asked next
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL         -- grows with every change of a setting or of the status
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX IF NOT EXISTS domains_verified ON domains (domain) WHERE status = 'verified';
CREATE UNIQUE INDEX IF NOT EXISTS domains_by_account ON domains (account_id, domain);
CREATE INDEX IF NOT EXISTS domains_newest ON domains (account_id, id);
CREATE INDEX IF NOT EXISTS domains_to_check ON domains (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS domains_to_register ON domains (hostname_at) WHERE hostname_at IS NOT NULL;

-- Domains that were deleted and whose links are still to be deleted.
CREATE TABLE IF NOT EXISTS deleted_domains (
  account_id INTEGER NOT NULL,
  domain TEXT NOT NULL,
  PRIMARY KEY (account_id, domain)
) STRICT, WITHOUT ROWID;

-- Custom hostnames at Cloudflare that are still to be removed.
CREATE TABLE IF NOT EXISTS removed_hostnames (
  hostname TEXT NOT NULL PRIMARY KEY,
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links that were deleted and whose clicks are still to be forgotten.
CREATE TABLE IF NOT EXISTS deleted_links (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id INTEGER NOT NULL
) STRICT;

-- The first answers of POST requests sent with an Idempotency-Key, kept for a day.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,          -- SHA-256 of the operation and its body, in which a password is an HMAC
  resource_id TEXT NOT NULL,          -- what the request made
  response TEXT NOT NULL,             -- JSON body of the 201
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE IF NOT EXISTS webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,               -- JSON array
  link_ids TEXT,                      -- JSON array: events of these links
  tags TEXT,                          -- JSON array: events of links with one of these tags; both NULL: of all links
  secret TEXT NOT NULL,               -- encrypted (src/lib/encryption.ts)
  secret_start TEXT NOT NULL,         -- the first 8 characters, which stay visible
  old_secret TEXT,                    -- encrypted; also signs until old_secret_until
  old_secret_until INTEGER,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  disabled_reason TEXT,
  disabled_at INTEGER,
  failure_count INTEGER NOT NULL DEFAULT 0, -- consecutive failures
  resume_at INTEGER,                  -- open circuit breaker: no attempt before this time
  next_wake_up_at INTEGER,            -- the cron sends no further wake-up before this time
  last_triggered_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS webhooks_by_account ON webhooks (account_id, id);

-- The outbox: an event is written in the transaction of the change that it reports, if a webhook subscribes to it. Ids are
-- ordered by time, so retention needs no index.
CREATE TABLE IF NOT EXISTS events (
  id TEXT NOT NULL PRIMARY KEY,       -- also the header webhook-id, the same on every attempt
  type TEXT NOT NULL,
  body TEXT NOT NULL,                 -- the request body, byte for byte
  webhooks TEXT NOT NULL,             -- JSON array: the ids of the recipients
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS deliveries (
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  due_at INTEGER,                     -- of a pending delivery: the next attempt, or the end of the lease
  lease TEXT,                         -- fences results: only the lease's holder may write one
  step INTEGER NOT NULL DEFAULT 0,    -- failed attempts since the retry schedule started
  attempts TEXT NOT NULL DEFAULT '[]', -- JSON array, newest first
  PRIMARY KEY (webhook_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_failed ON deliveries (webhook_id, event_id) WHERE status = 'failed';

-- The senders of a webhook. Their number is limited (src/webhooks/store/health.ts).
CREATE TABLE IF NOT EXISTS webhook_slots (
  webhook_id TEXT NOT NULL,
  token TEXT NOT NULL,
  acquired_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, token)
) STRICT, WITHOUT ROWID;

-- The newest delivered clicks: one row per webhook, written once per batch.
CREATE TABLE IF NOT EXISTS click_deliveries (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  entries TEXT NOT NULL               -- JSON array, newest first
) STRICT, WITHOUT ROWID;
