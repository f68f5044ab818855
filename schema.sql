-- The whole schema. It makes a new database; one of an older version gets the files in migrations/ instead.
-- docs/fields-and-schema.md says how to change it. Times are Unix milliseconds, passed in by the Worker and never taken from SQL.

-- The highest number is the version of this database.
CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY
) STRICT;

-- The installation itself, one row. Until somebody claims it with a setup code, it has no owner (src/identity/setup).
CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  code_hash TEXT,                     -- SHA-256 of the setup code; NULL: that of the secret SETUP_CODE counts
  code_made_at INTEGER NOT NULL,      -- since when the code counts; 0: it has ended
  claimed_at INTEGER,                 -- NULL: nobody has claimed it
  claimed_by TEXT,                    -- the id of the user
  origin TEXT NOT NULL DEFAULT ''     -- where it was claimed; '': on this machine, or not at all
) STRICT;

-- The secret SETUP_CODE counts from now on: no Worker passes this time in.
INSERT INTO installation (id, code_made_at) VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER));

-- The tenants. `id` is internal and short, because every link repeats it in its indexes; the API shows `uuid`.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  personal_user_id TEXT REFERENCES users (id), -- of a personal account; NULL: a team
  require_mfa INTEGER NOT NULL DEFAULT 0,      -- whether members need a second factor
  link_defaults TEXT,                 -- JSON object: settings of new links that the request does not give; NULL: none
  disabled_at INTEGER,                -- when the operator disabled it; NULL: it works
  deleted_at INTEGER,                 -- when it was deleted: it can be restored for a week (src/identity/account/deletion.ts); NULL: it is not
  deleted_with TEXT,                  -- of a team that was deleted together with a person: the id of that user
  rate_limit_factor INTEGER,          -- the operator's limits by key: this times the rate limits, for each key; NULL: limits by address
  broken_destination_mails INTEGER NOT NULL DEFAULT 1, -- whether its owners are told of broken destinations (src/links/destinations/tell-owners.ts)
  trust_at INTEGER,                   -- when the cron next checks whether the account can be trusted (src/safety/trust/check-trust.ts); 0: at the operator's wish; NULL: it is trusted
  click_retention_days INTEGER        -- for how many days it keeps single clicks (src/click-log/retention-days.ts); NULL: it chose nothing
) STRICT;

CREATE UNIQUE INDEX accounts_personal ON accounts (personal_user_id) WHERE personal_user_id IS NOT NULL;
-- Deleted accounts. A statement that looks an account up here reads no row unless the account is deleted, so redirects and
-- calls with keys can check it (src/platform/database/account-states.ts). The second one is for persons.
CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX accounts_deleted_persons ON accounts (personal_user_id) WHERE deleted_at IS NOT NULL;
-- Accounts that are not trusted yet. The first one reads no row for all others, so each creation of links can look an account up.
CREATE INDEX accounts_untrusted ON accounts (id) WHERE trust_at IS NOT NULL;
CREATE INDEX accounts_to_trust ON accounts (trust_at) WHERE trust_at IS NOT NULL;

-- Persons who sign in. A user exists from the time at which the address is verified.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,                -- as the person wrote it
  email_key TEXT NOT NULL UNIQUE,     -- the same in the form in which addresses are compared (src/platform/mail/email-address.ts)
  name TEXT NOT NULL,
  password_hash TEXT,                 -- scrypt (src/identity/people/password-hashing/scrypt.ts); NULL: a password must be set by mail first
  created_at INTEGER NOT NULL,
  device_epoch TEXT NOT NULL DEFAULT '', -- a random name, which device cookies are signed for; a new one ends them all
  language TEXT,                      -- of the dashboard (src/platform/languages.ts); NULL: that of the browser
  notices_read_at INTEGER             -- the person has dismissed the notices up to then (src/identity/people/notices); NULL: none
) STRICT, WITHOUT ROWID;

-- Who may act for which account. src/platform/auth/roles.ts says what a role permits.
CREATE TABLE memberships (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_by_user ON memberships (user_id, account_id);
CREATE INDEX memberships_owners ON memberships (account_id, user_id) WHERE role = 'owner';

-- An account that has had an owner always has one who is not deleted, unless the account itself is deleted.
CREATE TRIGGER memberships_owner_changed BEFORE UPDATE ON memberships
WHEN OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.account_id <> OLD.account_id) AND NOT EXISTS (
  SELECT 1 FROM memberships m WHERE m.account_id = OLD.account_id AND m.role = 'owner' AND m.user_id <> OLD.user_id
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = m.user_id AND deleted_at IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND deleted_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'an account needs an owner');
END;

CREATE TRIGGER memberships_owner_deleted BEFORE DELETE ON memberships
WHEN OLD.role = 'owner' AND NOT EXISTS (
  SELECT 1 FROM memberships m WHERE m.account_id = OLD.account_id AND m.role = 'owner' AND m.user_id <> OLD.user_id
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = m.user_id AND deleted_at IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND deleted_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'an account needs an owner');
END;

-- Browser sessions. The cookie has 32 random bytes, and only their hash is here.
CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,       -- the same for the whole session, while the cookie changes
  hash TEXT NOT NULL UNIQUE,          -- SHA-256 of the cookie in lower-case hex
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,      -- when the person last proved who they are
  device TEXT NOT NULL,
  browser TEXT NOT NULL,
  os TEXT NOT NULL,
  country TEXT,
  browser_version TEXT,               -- the main version; NULL: unknown
  os_version TEXT,                    -- NULL: unknown
  factor_at INTEGER                   -- when the person last gave a second factor in it; NULL: never, or a factor was removed in another session since
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user_id, id);
CREATE INDEX sessions_by_last_use ON sessions (last_seen_at);

-- One-time tokens: of mails, of links that somebody hands over, for the second step of a sign-in, and WebAuthn challenges.
CREATE TABLE tokens (
  hash TEXT NOT NULL PRIMARY KEY,     -- SHA-256 of the token in lower-case hex; the token itself is only in the mail
  purpose TEXT NOT NULL CHECK (purpose IN
    ('verify_email', 'reset_password', 'confirm_email', 'undo_email', 'undo_factor', 'sign_in_link', 'second_step',
     'passkey_add', 'passkey_sign_in', 'passkey_second_step', 'passkey_confirm')),
  subject TEXT NOT NULL,              -- the id of the user; for verify_email, the address as in users.email_key; for passkey_sign_in ''
  payload TEXT NOT NULL,              -- JSON object; its members depend on the purpose
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_by TEXT                        -- the id of the request that used it; NULL: it can be used
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_subject ON tokens (subject, purpose);
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

-- Apps that a person connected to an account by OAuth (src/identity/oauth). A grant that has ended has no row.
CREATE TABLE oauth_grants (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  client_hash TEXT NOT NULL,          -- SHA-256 of the client_id in lower-case hex
  client_name TEXT NOT NULL,          -- as the client calls itself
  client_host TEXT,                   -- the host of its metadata document; NULL: it registered itself, and nobody has verified its name
  redirect_uri TEXT NOT NULL,         -- where the person was sent back to
  scopes TEXT NOT NULL,               -- JSON array: those that the person gave
  refused_scopes TEXT NOT NULL,       -- JSON array: those that the person was asked for and did not give
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,               -- exact to the minute; NULL: the client has not fetched a token yet
  expires_at INTEGER NOT NULL,        -- when the grant ends unless it is used before
  factor_at INTEGER,                  -- as in the session that connected it; NULL also if a factor was removed since
  resource TEXT,                      -- what its tokens are for: '/api' or '/mcp'; NULL: version 1 made the grant, which is refused
  confirmed_at INTEGER                -- when the person last proved who they are before; NULL: version 1 or 2 made the grant
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, id);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id, id);
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);

-- The codes and tokens of these apps. They are kept for a day after they have expired, so that they are recognised.
CREATE TABLE oauth_tokens (
  hash TEXT NOT NULL PRIMARY KEY,     -- SHA-256 of the token in lower-case hex
  grant_id TEXT NOT NULL,             -- of oauth_grants
  kind TEXT NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  expires_at INTEGER NOT NULL,
  challenge TEXT,                     -- of a code: the challenge of PKCE (RFC 7636, S256)
  used_by TEXT,                       -- of a code: the id of the request that redeemed it; NULL: it can be redeemed
  successor TEXT,                     -- of a refresh token: the hash of the one that replaced it; NULL: it is the newest
  used_at INTEGER                     -- of a refresh token: when it was replaced
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (expires_at);

CREATE TRIGGER oauth_grants_delete AFTER DELETE ON oauth_grants BEGIN
  DELETE FROM oauth_tokens WHERE grant_id = OLD.id;
END;

-- Invitations to an account. Of an operator's, the cron writes the mail, because only the Worker can encrypt its token.
CREATE TABLE invitations (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,            -- as in users.email_key
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  token_hash TEXT UNIQUE,             -- SHA-256 of the token in the mail; NULL: the mail is not written yet
  invited_by TEXT,                    -- the id of a user; NULL: the operator
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answered_by TEXT                    -- the id of the request that accepted or declined it; NULL: pending
) STRICT, WITHOUT ROWID;

CREATE INDEX invitations_by_account ON invitations (account_id, id);
CREATE INDEX invitations_by_email ON invitations (email_key);
CREATE INDEX invitations_without_mail ON invitations (id) WHERE token_hash IS NULL;

-- Authenticator apps (TOTP, RFC 6238), one for each user.
CREATE TABLE totp_factors (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
  secret TEXT NOT NULL,               -- encrypted (src/platform/lib/encryption.ts): base32
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,               -- when the first code was given; NULL: not yet, and the factor does not count
  last_step INTEGER NOT NULL,         -- the time step of the last accepted code: Unix seconds / 30
  used_by TEXT                        -- the id of the request that gave that code
) STRICT, WITHOUT ROWID;

-- Recovery codes. Used ones are kept, so that the person can be told how many are left.
CREATE TABLE recovery_codes (
  hash TEXT NOT NULL PRIMARY KEY,     -- SHA-256 of the code in lower-case hex
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  used_by TEXT                        -- the id of the request that used it; NULL: it can be used
) STRICT, WITHOUT ROWID;

CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

-- Passkeys (WebAuthn credentials). Binary values are in base64url without padding.
CREATE TABLE passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE, -- chosen by the authenticator
  user_handle TEXT NOT NULL,          -- random; the same for all passkeys of the user
  public_key TEXT NOT NULL,           -- COSE
  counter INTEGER NOT NULL,           -- of signatures; 0 if the authenticator has none
  transports TEXT NOT NULL,           -- JSON array, as the browser reported them
  is_synced INTEGER NOT NULL,         -- 1: the passkey can be on several devices
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

-- Guesses at passwords and codes: for each guess, a row for each limit that it counts for. They are written before the guess
-- is checked, and deleted if it was right.
CREATE TABLE guesses (
  id TEXT NOT NULL,
  subject TEXT NOT NULL,              -- SHA-256 of what the limit is for, such as an address and a network (src/identity/people/guesses)
  created_at INTEGER NOT NULL,
  PRIMARY KEY (id, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX guesses_by_subject ON guesses (subject, created_at);

-- Mails to persons. Ids are in order of time, so retention needs no index.
CREATE TABLE mails (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  recipient_key TEXT NOT NULL,        -- the recipient as in users.email_key
  content TEXT,                       -- encrypted (src/platform/lib/encryption.ts): texts and link; NULL: sent, given up, or the notice of an operator's change
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER,                     -- the next attempt, or the end of the lease; NULL: sent or given up
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Counts the mails to an address.
CREATE INDEX mails_by_recipient ON mails (recipient_key, kind, created_at);
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;

-- The audit log: who changed what in an account. Ids are in order of time.
CREATE TABLE audit_entries (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'key', 'operator')),
  actor_id TEXT,                      -- the id of the user or the key; NULL: the operator
  action TEXT NOT NULL,
  target_id TEXT,                     -- the id of what was changed
  country TEXT,
  created_at INTEGER NOT NULL,
  target_name TEXT,                   -- its name at the time of the change, without secrets; NULL: it has none, or is a person
  actor_name TEXT,                    -- the name of a key at that time; NULL: no key
  before TEXT,                        -- JSON object: what the change replaced or ended; NULL: nothing that is kept
  after TEXT,                         -- JSON object: what it made
  app TEXT                            -- the name of the app with which the person made it; NULL: none
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_entries_by_account ON audit_entries (account_id, id);
-- Finds the entries with the address of a person who is deleted.
CREATE INDEX audit_entries_of_addresses ON audit_entries (lower(target_name)) WHERE action GLOB 'invitation.*';

-- Names that persons had before, so that entries show the one of their time. They are apart from the entries: the names of a
-- person who is deleted are deleted by their key.
CREATE TABLE former_names (
  user_id TEXT NOT NULL REFERENCES users (id),
  until INTEGER NOT NULL,             -- from then on the person had another name
  name TEXT NOT NULL,
  PRIMARY KEY (user_id, until)
) STRICT, WITHOUT ROWID;

-- The persons who operate the service. Only `npm run account -- operator` writes this table.
CREATE TABLE operators (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What operators took down: links, accounts and domains with all of their links, and all links to a host. Ids are in order of time.
-- No column has the name of a column of `links` that src/redirect/lookup/store/verdict-sql.ts reads.
CREATE TABLE takedowns (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('link', 'account', 'domain', 'host')),
  target TEXT NOT NULL,               -- the id of a link, the internal id of an account in decimal, a domain, or a host
  shown TEXT NOT NULL,                -- as operators see it: a short URL, the id of an account, a domain, or a host
  imposed INTEGER NOT NULL,           -- the verdict on the links (src/redirect/verdict.ts)
  former INTEGER,                     -- of a link: the verdict before
  statement TEXT,                     -- what the owner is told besides the reason
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,           -- the id of a user
  reversed_at INTEGER,                -- NULL: it is in force
  reversed_by TEXT,
  found_links INTEGER NOT NULL DEFAULT 0 -- of a host: the links to it that were found
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX takedowns_in_force ON takedowns (kind, target) WHERE reversed_at IS NULL;
CREATE INDEX takedowns_reversed ON takedowns (reversed_at) WHERE reversed_at IS NOT NULL;

-- The accounts that takedowns concern, by their internal ids: their owners are told, and can appeal.
CREATE TABLE takedown_accounts (
  account_id INTEGER NOT NULL,
  takedown_id TEXT NOT NULL REFERENCES takedowns (id),
  due_at INTEGER,                     -- when the cron tells the owners of it, its reversal or their appeal; NULL: they were told
  PRIMARY KEY (account_id, takedown_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX takedown_accounts_by_takedown ON takedown_accounts (takedown_id);
CREATE INDEX takedown_accounts_due ON takedown_accounts (due_at) WHERE due_at IS NOT NULL;

-- Takedowns of hosts whose links are still looked for (src/safety/takedowns/sweep.ts).
CREATE TABLE host_sweeps (
  takedown_id TEXT NOT NULL PRIMARY KEY REFERENCES takedowns (id),
  position TEXT                       -- `seq` of the last link that it has looked at; NULL: none
) STRICT, WITHOUT ROWID;

CREATE TRIGGER takedowns_host_insert AFTER INSERT ON takedowns WHEN NEW.kind = 'host' AND NEW.reversed_at IS NULL BEGIN
  INSERT INTO host_sweeps (takedown_id) VALUES (NEW.id);
END;

-- Hosts for which screening blocked links of an account or warns of them, until their owners are told and for a day after
-- (src/safety/screening/mails.ts).
CREATE TABLE screening_notices (
  account_id INTEGER NOT NULL,        -- the internal id of the account
  host TEXT NOT NULL,                 -- of a destination
  verdict INTEGER NOT NULL,           -- packed, without its time (src/redirect/verdict.ts)
  short_url TEXT NOT NULL,            -- of one of the links
  due_at INTEGER,                     -- when the owners are told; NULL: they were
  told_at INTEGER,                    -- when they were told last; NULL: never
  told_verdict INTEGER,               -- the verdict of that mail
  PRIMARY KEY (account_id, host)
) STRICT, WITHOUT ROWID;

CREATE INDEX screening_notices_due ON screening_notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX screening_notices_done ON screening_notices (told_at) WHERE due_at IS NULL;
CREATE INDEX screening_notices_told ON screening_notices (account_id, told_at) WHERE told_at IS NOT NULL;

-- What owners say against takedowns: one for each takedown and account. Ids are in order of time.
CREATE TABLE appeals (
  id TEXT NOT NULL PRIMARY KEY,
  takedown_id TEXT NOT NULL REFERENCES takedowns (id),
  account_id INTEGER NOT NULL,        -- the internal id of the account
  user_id TEXT NOT NULL,              -- who made it
  statement TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  decision TEXT CHECK (decision IN ('upheld', 'reversed')),
  answer TEXT,                        -- what the owner is told besides the decision
  decided_at INTEGER,                 -- NULL: it waits for a decision
  UNIQUE (takedown_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX appeals_open ON appeals (id) WHERE decided_at IS NULL;

-- What visitors reported of links (src/safety/reports/form). Ids are in order of time; who knows one reads the receipt.
CREATE TABLE reports (
  id TEXT NOT NULL PRIMARY KEY,
  link_id TEXT NOT NULL,
  account_id INTEGER,                 -- that of the link; NULL: a link without an account
  domain TEXT NOT NULL,               -- that of the link
  short_url TEXT NOT NULL,
  reason TEXT NOT NULL,               -- as in src/safety/reports/form/form.ts
  details TEXT,
  name TEXT,                          -- of the reporter, like the address
  email TEXT,
  created_at INTEGER NOT NULL,
  decision TEXT CHECK (decision IN ('dismissed', 'taken_down')),
  decided_at INTEGER,                 -- NULL: it waits for a decision
  network TEXT                        -- HMAC of the reporter's network (src/platform/lib/hmac.ts); NULL: it is decided
) STRICT, WITHOUT ROWID;

CREATE INDEX reports_open ON reports (id) WHERE decided_at IS NULL;
-- Has all that is counted of open reports.
CREATE INDEX reports_open_by_link ON reports (link_id, network) WHERE decided_at IS NULL;

-- What operators did. Ids are in order of time.
CREATE TABLE operator_entries (
  id TEXT NOT NULL PRIMARY KEY,
  operator_id TEXT,                   -- the id of a user; NULL: `npm run account`, or the service itself
  action TEXT NOT NULL,
  subject TEXT NOT NULL,              -- what it was done to, as operators see it; of a person, the id
  details TEXT,                       -- JSON object
  country TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What destinations are compared with (docs/screening.md). The Screener keeps what is in list files. Ids are in order of time.
CREATE TABLE screening_rules (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('entry', 'hosts', 'urls')),
  value TEXT NOT NULL,                -- of an entry: a host or a URL, in its canonical form; else where the list file is
  entry TEXT NOT NULL UNIQUE,         -- of an entry: what destinations are compared with (src/safety/screening/list-entry.ts)
  verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'block')),
  reason TEXT,                        -- NULL: it allows
  note TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL            -- the id of a user
) STRICT, WITHOUT ROWID;

-- How much the links of an account take up, and its quotas: one row for each account. A call that changes links changes
-- the row in the same transaction. A value beyond its limit becomes NULL, which ends the transaction (src/access/usage/store.ts);
-- of several, the error names the first column.
CREATE TABLE account_usage (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  recent_links TEXT NOT NULL DEFAULT '{}', -- JSON object: how many links the account created in each second of the last minutes, by its Unix milliseconds
  links INTEGER NOT NULL DEFAULT 0,   -- without deleted links
  link_bytes INTEGER NOT NULL DEFAULT 0, -- of links, and of deleted links while they are kept
  max_links INTEGER,                  -- quotas that the operator has set; NULL: the default of src/access/usage/limits.ts
  max_link_bytes INTEGER
) STRICT;

CREATE TRIGGER accounts_usage_insert AFTER INSERT ON accounts BEGIN
  INSERT INTO account_usage (account_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,          -- SHA-256 of the key in lower-case hex; the key itself is not stored
  last_four TEXT NOT NULL,
  permissions TEXT NOT NULL,          -- JSON array
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  created_by_key TEXT,                -- the id of a key of the account, which may be revoked
  created_by_user TEXT,               -- the id of a user, who may have left; both NULL: created by the operator
  descends_from TEXT,                 -- the user at the head of the line of creators, whether keys in it are revoked or not;
                                      -- NULL: the operator
  last_used_country TEXT,             -- where the last use came from; NULL: unknown
  account_disabled_at INTEGER,        -- these three as in the account, by triggers: a call reads its key and not the account
  link_defaults TEXT,
  rate_limit_factor INTEGER
) STRICT, WITHOUT ROWID;

CREATE TRIGGER api_keys_insert AFTER INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM accounts
  WHERE id = NEW.account_id AND coalesce(disabled_at, link_defaults, rate_limit_factor) IS NOT NULL)
BEGIN
  UPDATE api_keys SET (account_disabled_at, link_defaults, rate_limit_factor) =
    (SELECT disabled_at, link_defaults, rate_limit_factor FROM accounts WHERE id = NEW.account_id)
  WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_keys_update AFTER UPDATE OF disabled_at, link_defaults, rate_limit_factor ON accounts BEGIN
  UPDATE api_keys SET account_disabled_at = NEW.disabled_at, link_defaults = NEW.link_defaults,
    rate_limit_factor = NEW.rate_limit_factor
  WHERE account_id = NEW.id AND revoked_at IS NULL;
END;

CREATE INDEX api_keys_by_account ON api_keys (account_id, id);
-- Finds the descendants of a key.
CREATE INDEX api_keys_by_creator ON api_keys (created_by_key) WHERE created_by_key IS NOT NULL;
-- Counts an account's active keys (at most MAX_ACTIVE_KEYS_PER_ACCOUNT in src/limits.ts) without reading revoked or expired ones.
CREATE INDEX api_keys_active ON api_keys (account_id, expires_at) WHERE revoked_at IS NULL;

-- `seq` is the leading 63 time and random bits of `id` (src/links/store/sequence.ts). It is the row id, so finding a
-- link by its id and listing links in order of creation need no further index, and every index below ends with it.
CREATE TABLE links (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id),  -- NULL: shortened without a key
  domain TEXT NOT NULL,               -- '' is the service domain
  slug TEXT NOT NULL,                 -- as it was written
  aliases TEXT,                       -- JSON array of former slugs that still lead here; NULL without
  url TEXT NOT NULL,
  title TEXT,
  tags TEXT,                          -- JSON array; NULL without
  status TEXT NOT NULL CHECK (status IN ('active', 'expired')),  -- of a disabled link: the status it had before
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  starts_at INTEGER,                  -- visitors reach the destination from then on; NULL: at once
  expires_at INTEGER,
  expired_url TEXT,
  max_clicks INTEGER,
  visits INTEGER NOT NULL DEFAULT 0,  -- claimed visits; only counted for links with max_clicks
  external_id TEXT,
  password_hash TEXT,                 -- keyId.tag.hmac (src/platform/lib/password.ts)
  ios TEXT,
  android TEXT,
  geo TEXT,                           -- JSON object of destinations by country; NULL without
  rules TEXT,                         -- JSON array; NULL without
  preview TEXT,                       -- JSON object
  redirect_status INTEGER NOT NULL,
  pass_parameters INTEGER NOT NULL DEFAULT 1 CHECK (pass_parameters IN (0, 1)), -- whether destinations get the visitors' parameters
  clicks INTEGER NOT NULL DEFAULT 0,  -- copied from the ClickLog when links are listed
  last_clicked_at INTEGER NOT NULL DEFAULT 0 CHECK ((last_clicked_at = 0) = (clicks = 0)),  -- 0: never
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,        -- increases with every change of a setting, even if the clock stands still
  tag_keys TEXT,                      -- JSON array: `tags` with case folded, each between two U+007F (src/platform/lib/tag-key.ts)
  url_hash INTEGER NOT NULL DEFAULT 0, -- 32 bits of `url`, to find an exact URL
  password_attacked_at INTEGER,       -- the last time that many wrong guesses at the password were noticed; NULL: never
  case_sensitive INTEGER NOT NULL DEFAULT 0 CHECK (case_sensitive IN (0, 1)), -- as the domain has it
  imported_clicks INTEGER NOT NULL DEFAULT 0, -- clicks that another service counted before the link was imported
  verdict INTEGER NOT NULL DEFAULT 0, -- whether visitors may follow it (src/redirect/verdict.ts); 0: as any other link
  host_takedowns TEXT,                -- JSON array: ids of takedowns of hosts that it led to; NULL without
  created_by_key TEXT,                -- the id of a key of the account, which may be revoked
  created_by_user TEXT,               -- the id of a user, who may have left; both NULL: made without a caller
  -- The form in which slugs are compared, in this table, in `aliases` and in the caches (src/platform/lib/slug.ts).
  slug_key TEXT NOT NULL GENERATED ALWAYS AS (iif(case_sensitive, slug, lower(slug))) VIRTUAL,
  -- What lists are sorted by.
  all_clicks INTEGER NOT NULL GENERATED ALWAYS AS (clicks + imported_clicks) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX links_by_slug ON links (domain, slug_key);
CREATE UNIQUE INDEX links_by_external_id ON links (account_id, external_id) WHERE external_id IS NOT NULL;
-- Lists. They leave archived links out unless a request asks for them. A new link at the service domain is in the first
-- index only, because each one costs a written row. Clicked links, also those with imported clicks alone, are in the next three.
-- Lists by status, or of the service domain, use the search index.
CREATE INDEX links_by_account_unclicked ON links (account_id, archived) WHERE account_id IS NOT NULL AND all_clicks = 0;
CREATE INDEX links_by_account_clicked ON links (account_id, archived) WHERE account_id IS NOT NULL AND all_clicks <> 0;
CREATE INDEX links_by_clicks ON links (account_id, archived, all_clicks) WHERE account_id IS NOT NULL AND all_clicks <> 0;
CREATE INDEX links_by_last_click ON links (account_id, archived, last_clicked_at)
  WHERE account_id IS NOT NULL AND all_clicks <> 0;
CREATE INDEX links_by_domain ON links (account_id, archived, domain) WHERE account_id IS NOT NULL AND domain <> '';
-- The few links with slashes in their slugs: whether a domain has any.
CREATE INDEX links_nested ON links (account_id, domain) WHERE instr(slug, '/') > 0;
CREATE INDEX links_by_verdict ON links (account_id, archived)
  WHERE account_id IS NOT NULL AND (verdict <> 0 OR host_takedowns IS NOT NULL);
-- Links that will expire: for the cron, and for one account. A disabled link expires like others.
CREATE INDEX links_due ON links (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
CREATE INDEX links_due_by_account ON links (account_id, expires_at)
  WHERE status = 'active' AND expires_at IS NOT NULL;

-- Links by the key of their password, which an operator must not remove (tools/scripts/keys.ts).
CREATE INDEX links_by_password ON links (password_hash) WHERE password_hash IS NOT NULL;

-- Links whose last visit was claimed and which are not yet set to 'expired'.
CREATE INDEX links_used_up ON links (account_id)
  WHERE status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks;

-- Slugs that are no link's own: the aliases of links, and all slugs of a deleted link while it is kept. Triggers fill
-- this table. Only one statement also deletes from it, when a custom domain has a new owner
-- (src/links/store/previous-owner-links.ts). A slug is never in both tables: the statements that give a link a slug
-- have the condition that the other table does not have it.
CREATE TABLE aliases (
  domain TEXT NOT NULL,
  slug_key TEXT NOT NULL,             -- as in the table `links`
  link_seq INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  PRIMARY KEY (domain, slug_key)
) STRICT, WITHOUT ROWID;

-- Finds the aliases of a link, and whether an account has any at a domain.
CREATE INDEX aliases_by_link ON aliases (account_id, domain, link_seq);
-- Whether a domain has aliases or deleted links with slashes in their slugs.
CREATE INDEX aliases_nested ON aliases (account_id, domain) WHERE instr(slug_key, '/') > 0;

-- An account may take a slug of its own deleted link. That link can then no longer be restored.
CREATE TRIGGER links_takes_slug AFTER INSERT ON links
WHEN EXISTS (SELECT 1 FROM aliases WHERE domain = NEW.domain AND slug_key = NEW.slug_key) BEGIN
  DELETE FROM aliases WHERE domain = NEW.domain AND slug_key = NEW.slug_key;
END;

CREATE TRIGGER links_aliases_insert AFTER INSERT ON links WHEN NEW.aliases IS NOT NULL BEGIN
  INSERT INTO aliases (domain, slug_key, link_seq, account_id)
    SELECT NEW.domain, iif(NEW.case_sensitive, value, lower(value)), NEW.seq, NEW.account_id FROM json_each(NEW.aliases) WHERE true
    ON CONFLICT (domain, slug_key) DO UPDATE SET link_seq = excluded.link_seq, account_id = excluded.account_id;
END;

CREATE TRIGGER links_aliases_update AFTER UPDATE OF domain, slug, case_sensitive, aliases ON links
WHEN OLD.domain IS NOT NEW.domain OR OLD.slug_key IS NOT NEW.slug_key OR OLD.aliases IS NOT NEW.aliases BEGIN
  DELETE FROM aliases WHERE account_id = OLD.account_id AND domain = OLD.domain AND link_seq = OLD.seq;
  DELETE FROM aliases WHERE domain = NEW.domain AND slug_key = NEW.slug_key;
  INSERT INTO aliases (domain, slug_key, link_seq, account_id)
    SELECT NEW.domain, iif(NEW.case_sensitive, value, lower(value)), NEW.seq, NEW.account_id FROM json_each(NEW.aliases) WHERE true
    ON CONFLICT (domain, slug_key) DO UPDATE SET link_seq = excluded.link_seq, account_id = excluded.account_id;
END;

-- The tags of an account, with the number of its links that have each. Only the triggers below and jobs of tags write this table.
-- A link costs one row for each of its tags, and none without tags.
CREATE TABLE tags (
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,                  -- the name with case folded
  name TEXT NOT NULL,                 -- as the first link has it, or as it was renamed
  links INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER links_tags_insert AFTER INSERT ON links WHEN NEW.tag_keys IS NOT NULL AND NEW.account_id IS NOT NULL BEGIN
  INSERT INTO tags (account_id, key, name, links)
    SELECT NEW.account_id, trim(value, char(127)), NEW.tags ->> key, 1 FROM json_each(NEW.tag_keys) WHERE true
    ON CONFLICT (account_id, key) DO UPDATE SET links = links + 1;
END;

CREATE TRIGGER links_tags_update AFTER UPDATE OF tag_keys ON links
WHEN OLD.tag_keys IS NOT NEW.tag_keys AND NEW.account_id IS NOT NULL BEGIN
  DELETE FROM tags WHERE account_id = NEW.account_id AND links = 1
    AND key IN (SELECT trim(value, char(127)) FROM json_each(OLD.tag_keys)
      WHERE value NOT IN (SELECT value FROM json_each(NEW.tag_keys)));
  UPDATE tags SET links = links - 1 WHERE account_id = NEW.account_id
    AND key IN (SELECT trim(value, char(127)) FROM json_each(OLD.tag_keys)
      WHERE value NOT IN (SELECT value FROM json_each(NEW.tag_keys)));
  INSERT INTO tags (account_id, key, name, links)
    SELECT NEW.account_id, trim(value, char(127)), NEW.tags ->> key, 1 FROM json_each(NEW.tag_keys)
    WHERE value NOT IN (SELECT value FROM json_each(OLD.tag_keys))
    ON CONFLICT (account_id, key) DO UPDATE SET links = links + 1;
END;

CREATE TRIGGER links_tags_delete AFTER DELETE ON links WHEN OLD.tag_keys IS NOT NULL AND OLD.account_id IS NOT NULL BEGIN
  DELETE FROM tags WHERE account_id = OLD.account_id AND links = 1
    AND key IN (SELECT trim(value, char(127)) FROM json_each(OLD.tag_keys));
  UPDATE tags SET links = links - 1 WHERE account_id = OLD.account_id
    AND key IN (SELECT trim(value, char(127)) FROM json_each(OLD.tag_keys));
END;

-- Colours that people gave to tags, at most MAX_COLORED_TAGS_PER_ACCOUNT (src/limits.ts). Kept apart, because triggers fill `tags` again.
CREATE TABLE tag_colors (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,                  -- as in the table `tags`
  color TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

-- Campaign parameters by name, from which clients fill in the `utm` of links.
CREATE TABLE utm_templates (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,             -- the name with case folded
  utm TEXT NOT NULL,                  -- JSON object
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL         -- increases with every change
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX utm_templates_by_name ON utm_templates (account_id, name_key);
CREATE INDEX utm_templates_by_account ON utm_templates (account_id, id);

-- What happened at a time, for the charts of analytics. Those of a link are deleted with it, as its shared pages.
CREATE TABLE notes (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  link_seq INTEGER,                   -- these four as in the table `shared_pages`; all NULL: the note is of all clicks
  link_id TEXT,
  tag TEXT,
  tag_key TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL         -- increases with every change
) STRICT, WITHOUT ROWID;

CREATE INDEX notes_by_account ON notes (account_id, id);
CREATE INDEX notes_by_link ON notes (link_seq) WHERE link_seq IS NOT NULL;

-- Filters and orders of the dashboard's lists, by name.
CREATE TABLE saved_views (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL,              -- the member who has it; '': all members have it
  kind TEXT NOT NULL,                 -- links, analytics
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,             -- the name with case folded
  query TEXT NOT NULL,                -- the search parameters of the page
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL         -- increases with every change
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX saved_views_by_name ON saved_views (account_id, user_id, kind, name_key);

-- Reports of clicks that persons get by mail.
CREATE TABLE mail_reports (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  frequency TEXT NOT NULL,            -- weekly, monthly
  timezone TEXT NOT NULL,
  link_id TEXT,                       -- NULL: not of a link
  tag TEXT,                           -- NULL: not of a tag
  tag_key TEXT NOT NULL,              -- its key; '': not of a tag
  report_at INTEGER NOT NULL,         -- when the next one is sent
  due_at INTEGER NOT NULL,            -- the same, or the end of the lease
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX mail_reports_by_person ON mail_reports (account_id, user_id, frequency, coalesce(link_id, ''), tag_key);
CREATE INDEX mail_reports_due ON mail_reports (due_at);

-- Shared pages: the clicks of a link or of a tag, for everybody who has the URL. A page whose link is deleted is hidden
-- while the link can be restored, and is then deleted with it.
CREATE TABLE shared_pages (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  link_seq INTEGER,                   -- of a link, as in the table `links`, and its id; NULL: the page of a tag
  link_id TEXT,
  tag TEXT,                           -- of a tag, as the account writes it, and its key; NULL: the page of a link
  tag_key TEXT,
  title TEXT,
  token_hash TEXT NOT NULL UNIQUE,    -- SHA-256 of the token in the URL, in lower-case hex
  token TEXT NOT NULL,                -- the same, encrypted (src/platform/lib/encryption.ts): the account can read the URL again
  password_hash TEXT,                 -- keyId.tag.hmac (src/platform/lib/password.ts); NULL: the page has no password
  password_attacked_at INTEGER,       -- as in the table `links`
  show_destination INTEGER NOT NULL CHECK (show_destination IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,        -- increases with every change of a setting, even if the clock stands still
  created_by_key TEXT,                -- as in api_keys
  created_by_user TEXT,
  CHECK ((link_seq IS NULL) = (link_id IS NULL) AND (tag IS NULL) = (tag_key IS NULL) AND (link_id IS NULL) <> (tag IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX shared_pages_by_account ON shared_pages (account_id, id);
CREATE INDEX shared_pages_by_link ON shared_pages (link_seq) WHERE link_seq IS NOT NULL;

-- The content of the search index: what is searched and filtered, and no other column of a link. A search finds links in three
-- steps: 1. this view makes the texts and terms of a link; 2. the index finds links that have all trigrams of what is searched
-- (src/links/store/search-index.ts); 3. the list compares these candidates in `links` itself (src/links/store/list-conditions.ts).
-- `account_term`, `status_term` and, on the service domain, `domain_term` are one term each: three private-use characters
-- that encode the account's number and whether the link is archived, what its status is (one that is active and has a start
-- has a term of its own), or that it is on the service domain. The three differ. On a custom domain, `domain_term` is the domain
-- between '^^' and '$$'. `url_term` is a hash of the URL: long URLs with a common start cost no more to find than others.
-- `creator_term` is the last nine hexadecimal digits of the id of the key or the user that created the link.
-- Only the start of a URL can be searched (SEARCHED_URL_CHARS in src/links/limits.ts), because each character takes about seven bytes
-- of the index. Nearly all URLs begin with 'https:', so the index has no terms for that.
CREATE VIEW searchable_links AS
  SELECT
    seq, tag_keys, slug, title, external_id,
    char(57344 + account_id / 40960000 % 530 + 530 * archived, 57344 + account_id / 6400 % 6400, 57344 + account_id % 6400)
      AS account_term,
    char(57344 + account_id / 40960000 % 530 + 530 * (archived + iif(disabled, 6, iif(status = 'expired', 4, iif(starts_at IS NULL, 2, 10)))),
      57344 + account_id / 6400 % 6400, 57344 + account_id % 6400) AS status_term,
    iif(domain = '', char(57344 + account_id / 40960000 % 530 + 530 * (archived + 8), 57344 + account_id / 6400 % 6400,
      57344 + account_id % 6400), '^^' || domain || '$$') AS domain_term,
    char(57344 + url_hash / 40960000, 57344 + url_hash / 6400 % 6400, 57344 + url_hash % 6400) AS url_term,
    iif(substr(url, 1, 8) = 'https://', substr(url, 7, 1018), substr(url, 1, 1024)) AS url_start,
    (SELECT char(57344 + ('0x' || substr(creator, -9, 3) ->> '$'), 57344 + ('0x' || substr(creator, -6, 3) ->> '$'),
      57344 + ('0x' || substr(creator, -3) ->> '$'))
      FROM (SELECT coalesce(created_by_key, created_by_user) AS creator) WHERE creator IS NOT NULL) AS creator_term
  FROM links WHERE account_id IS NOT NULL;

-- Full-text search, tags and filters: any combination is one query. Without the places of terms in a text (detail) and the
-- lengths of texts (columnsize), the index is a third smaller, and finds candidates (src/links/store/search-index.ts).
CREATE VIRTUAL TABLE links_fts USING fts5 (
  account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug, url_start, title, external_id,
  content = 'searchable_links', content_rowid = 'seq', tokenize = 'trigram', detail = column, columnsize = 0
);

CREATE TRIGGER links_fts_insert AFTER INSERT ON links BEGIN
  INSERT INTO links_fts (rowid, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug,
    url_start, title, external_id)
    SELECT seq, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug, url_start, title, external_id
    FROM searchable_links WHERE seq = NEW.seq;
END;

CREATE TRIGGER links_fts_before_update BEFORE UPDATE ON links
WHEN OLD.account_id IS NOT NEW.account_id OR OLD.status IS NOT NEW.status OR (OLD.starts_at IS NULL) <> (NEW.starts_at IS NULL) OR OLD.disabled IS NOT NEW.disabled
  OR OLD.archived IS NOT NEW.archived OR OLD.domain IS NOT NEW.domain
  OR OLD.tag_keys IS NOT NEW.tag_keys OR OLD.slug COLLATE NOCASE IS NOT NEW.slug OR OLD.url IS NOT NEW.url OR OLD.title IS NOT NEW.title
  OR OLD.external_id IS NOT NEW.external_id
BEGIN
  INSERT INTO links_fts (links_fts, rowid, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug,
    url_start, title, external_id)
    SELECT 'delete', seq, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug, url_start, title, external_id
    FROM searchable_links WHERE seq = OLD.seq;
END;

CREATE TRIGGER links_fts_update AFTER UPDATE ON links
WHEN OLD.account_id IS NOT NEW.account_id OR OLD.status IS NOT NEW.status OR (OLD.starts_at IS NULL) <> (NEW.starts_at IS NULL) OR OLD.disabled IS NOT NEW.disabled
  OR OLD.archived IS NOT NEW.archived OR OLD.domain IS NOT NEW.domain
  OR OLD.tag_keys IS NOT NEW.tag_keys OR OLD.slug COLLATE NOCASE IS NOT NEW.slug OR OLD.url IS NOT NEW.url OR OLD.title IS NOT NEW.title
  OR OLD.external_id IS NOT NEW.external_id
BEGIN
  INSERT INTO links_fts (rowid, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug,
    url_start, title, external_id)
    SELECT seq, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug, url_start, title, external_id
    FROM searchable_links WHERE seq = NEW.seq;
END;

CREATE TRIGGER links_fts_delete BEFORE DELETE ON links BEGIN
  INSERT INTO links_fts (links_fts, rowid, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug,
    url_start, title, external_id)
    SELECT 'delete', seq, account_term, status_term, domain_term, url_term, creator_term, tag_keys, slug, url_start, title, external_id
    FROM searchable_links WHERE seq = OLD.seq;
END;

-- Anonymous links that a browser can claim. A claimed one stays until its clicks are moved (src/links/claims).
CREATE TABLE link_claims (
  link_seq INTEGER PRIMARY KEY,       -- as in the table links
  link_id TEXT NOT NULL,
  hash TEXT NOT NULL,                 -- SHA-256 of the browser's cookie in lower-case hex
  created_at INTEGER NOT NULL,
  claimed_by TEXT,                    -- the id of the change that claimed it; NULL: it can be claimed
  account_id INTEGER,                 -- the account that has it then
  move_at INTEGER                     -- when its clicks are moved for the last time
) STRICT;

CREATE INDEX link_claims_by_browser ON link_claims (hash);
CREATE INDEX link_claims_by_age ON link_claims (created_at) WHERE claimed_by IS NULL;
CREATE INDEX link_claims_to_move ON link_claims (move_at) WHERE move_at IS NOT NULL;

-- Custom domains. Several accounts may add the same domain; it belongs to the first that verifies it. A link works at
-- a domain only while the domain is verified for the link's own account.
CREATE TABLE domains (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  domain TEXT NOT NULL,               -- lower case; international names in Punycode
  token TEXT NOT NULL,                -- the value of the TXT record that verifies the domain
  status TEXT NOT NULL CHECK (status IN ('pending', 'verified')),
  txt_found INTEGER,                  -- result of the last DNS lookup: 0, 1, or NULL before the first
  cname_found INTEGER,
  root_url TEXT,
  not_found_url TEXT,
  apple_app_site_association TEXT,    -- JSON object
  asset_links TEXT,                   -- JSON array
  checked_at INTEGER,                 -- the last DNS lookup
  check_at INTEGER,                   -- the next DNS lookup by the cron; NULL unless verified
  verified_at INTEGER,
  lost_at INTEGER,                    -- the TXT record is missing since then; after a week the domain is pending again
  hostname_id TEXT,                   -- Cloudflare's id of the custom hostname; these four are NULL without Cloudflare for SaaS
  hostname_status TEXT,
  hostname_error TEXT,
  hostname_at INTEGER,                -- the next call to Cloudflare
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,        -- increases with every change of a setting or of the status
  case_sensitive INTEGER NOT NULL DEFAULT 0 CHECK (case_sensitive IN (0, 1)), -- the same for all links that the account has here
  path_forwarding INTEGER NOT NULL DEFAULT 0 CHECK (path_forwarding IN (0, 1)), -- links hand on what follows their slug in the path
  brand_name TEXT,                    -- these three are shown on the pages of the domain's links
  brand_logo TEXT,                    -- the https URL of an image
  brand_color TEXT,                   -- #rrggbb
  qr_style TEXT,                      -- JSON object: how the QR codes of the domain's links look
  nested_slugs INTEGER NOT NULL DEFAULT 0 CHECK (nested_slugs IN (0, 1)), -- links may have slugs with slashes
  -- A path with a slash is either a slug, or a slug and the path that its link hands on.
  CHECK (nested_slugs = 0 OR path_forwarding = 0)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX domains_verified ON domains (domain) WHERE status = 'verified';
CREATE UNIQUE INDEX domains_by_account ON domains (account_id, domain);
CREATE INDEX domains_newest ON domains (account_id, id);
CREATE INDEX domains_to_check ON domains (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX domains_to_register ON domains (hostname_at) WHERE hostname_at IS NOT NULL;

-- Deleted domains whose links are not deleted yet.
CREATE TABLE deleted_domains (
  account_id INTEGER NOT NULL,
  domain TEXT NOT NULL,
  PRIMARY KEY (account_id, domain)
) STRICT, WITHOUT ROWID;

-- Custom hostnames that must still be removed at Cloudflare.
CREATE TABLE removed_hostnames (
  hostname TEXT NOT NULL PRIMARY KEY,
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Deleted links. Each is kept for a week with its clicks, so that it can be restored.
CREATE TABLE deleted_links (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL,
  link TEXT NOT NULL                  -- the row as a JSON object
) STRICT;

CREATE INDEX deleted_links_by_age ON deleted_links (deleted_at);
CREATE INDEX deleted_links_by_account ON deleted_links (account_id, deleted_at);

-- A deleted link keeps its slug and aliases, except those that its account has used again.
CREATE TRIGGER deleted_links_aliases_insert AFTER INSERT ON deleted_links BEGIN
  INSERT INTO aliases (domain, slug_key, link_seq, account_id)
    SELECT NEW.link ->> 'domain', kept.slug_key, NEW.seq, NEW.account_id
    FROM (SELECT iif(NEW.link ->> 'case_sensitive', slug, lower(slug)) AS slug_key
      FROM (SELECT NEW.link ->> 'slug' AS slug UNION ALL SELECT value FROM json_each(NEW.link ->> 'aliases'))) kept
    WHERE NOT EXISTS (SELECT 1 FROM links l
      WHERE l.domain = NEW.link ->> 'domain' AND l.slug_key = kept.slug_key AND l.seq <> NEW.seq)
    ON CONFLICT (domain, slug_key) DO NOTHING;
END;

-- A link that is neither deleted nor restored keeps no slugs.
CREATE TRIGGER deleted_links_aliases_delete AFTER DELETE ON deleted_links BEGIN
  DELETE FROM aliases WHERE account_id = OLD.account_id AND domain = OLD.link ->> 'domain' AND link_seq = OLD.seq
    AND NOT EXISTS (SELECT 1 FROM links WHERE seq = OLD.seq);
END;

-- What the service found at the destinations of links (src/links/destinations). It is apart from `links`, so redirects do not read it.
-- Empty while destinations are not watched.
CREATE TABLE destinations (
  link_id TEXT NOT NULL PRIMARY KEY,
  link_seq INTEGER NOT NULL,          -- as in the table links
  account_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,            -- the next visit, or the end of the lease of a visit
  is_queued INTEGER NOT NULL DEFAULT 1, -- whether it waits for its first turn
  visited_hash INTEGER,               -- `url_hash` of the link when it was visited; what was found counts only for that URL. NULL: not visited
  outcome TEXT CHECK (outcome IN ('working', 'failing', 'unknown')),
  failures INTEGER NOT NULL DEFAULT 0, -- visits in a row that found it dead
  broken_since INTEGER,               -- when it was found dead often enough; NULL: it is not broken
  page_title TEXT,
  icon TEXT,                          -- the URL of the icon
  final_host TEXT,                    -- the host where the redirects ended
  response_status INTEGER,            -- HTTP status; NULL: no response
  checked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX destinations_due ON destinations (due_at);
-- The end of an account's queue of first visits.
CREATE INDEX destinations_queued ON destinations (account_id, due_at) WHERE is_queued = 1;
CREATE INDEX destinations_broken ON destinations (account_id, link_seq) WHERE broken_since IS NOT NULL;

-- Accounts with destinations that broke: what their owners are told, at most once a day (src/links/destinations/tell-owners.ts).
CREATE TABLE broken_destination_mails (
  account_id INTEGER PRIMARY KEY,
  told_until INTEGER NOT NULL,        -- they know of what broke up to this time
  due_at INTEGER                      -- when they are told of the others; NULL: there are none
) STRICT;

CREATE INDEX broken_destination_mails_due ON broken_destination_mails (due_at) WHERE due_at IS NOT NULL;

-- Up to which link the destinations are watched: one row, and none before the watch was ever on.
CREATE TABLE destination_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL
) STRICT;

-- A link with another URL is visited again. A claimed link is watched from then on.
CREATE TRIGGER links_destination_update AFTER UPDATE OF url, account_id ON links
WHEN NEW.account_id IS NOT NULL AND (OLD.url IS NOT NEW.url OR OLD.account_id IS NOT NEW.account_id) BEGIN
  INSERT INTO destinations (link_id, link_seq, account_id, due_at, is_queued)
    SELECT NEW.id, NEW.seq, NEW.account_id, NEW.updated_at, 0 FROM destination_cursor WHERE true
    ON CONFLICT (link_id) DO UPDATE SET account_id = excluded.account_id, due_at = excluded.due_at, is_queued = 0,
      failures = 0, broken_since = NULL;
END;

-- A deleted link that can be restored keeps what was found.
CREATE TRIGGER links_destination_delete AFTER DELETE ON links WHEN OLD.account_id IS NOT NULL BEGIN
  DELETE FROM destinations WHERE link_id = OLD.id
    AND NOT EXISTS (SELECT 1 FROM deleted_links d WHERE d.seq = destinations.link_seq);
END;

CREATE TRIGGER deleted_links_destination_delete AFTER DELETE ON deleted_links BEGIN
  DELETE FROM destinations WHERE link_id = OLD.id
    AND NOT EXISTS (SELECT 1 FROM links l WHERE l.seq = destinations.link_seq);
END;

-- Responses to requests with an Idempotency-Key, kept for a day.
CREATE TABLE idempotency_keys (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,          -- SHA-256 of the operation and its body; a password in it is replaced by its HMAC
  request_id TEXT NOT NULL,           -- of the first request with the key: the id of the created resource, or a new id
  status INTEGER NOT NULL,            -- HTTP status
  response TEXT,                      -- JSON body; NULL for a bulk creation, which has idempotency_pieces
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Bulk creations with an Idempotency-Key: their attempts (src/platform/idempotency/store/journal.ts) and their responses.
CREATE TABLE idempotency_pieces (
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  attempt INTEGER NOT NULL,           -- 0: the response; 1 and more: an attempt, written in its transaction
  position INTEGER NOT NULL,
  run_id TEXT NOT NULL,               -- the request that wrote the row
  text TEXT NOT NULL,                 -- JSON
  PRIMARY KEY (account_id, key, attempt, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  host TEXT NOT NULL,                 -- the host name of the URL
  events TEXT NOT NULL,               -- JSON array
  format TEXT NOT NULL DEFAULT 'event' CHECK (format IN ('event', 'slack', 'discord', 'teams')), -- of what is sent
  link_ids TEXT,                      -- JSON array: events of these links
  tags TEXT,                          -- JSON array: events of links with one of these tags; both NULL: of all links
  secret TEXT NOT NULL,               -- encrypted (src/platform/lib/encryption.ts)
  secret_start TEXT NOT NULL,         -- the first 8 characters, which stay visible
  old_secrets TEXT NOT NULL DEFAULT '[]', -- JSON array, newest first: objects with an encrypted secret, which also signs,
                                      -- and the time until it does
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  disabled_reason TEXT,
  disabled_at INTEGER,
  failure_count INTEGER NOT NULL DEFAULT 0, -- consecutive failures
  strikes INTEGER NOT NULL DEFAULT 0, -- the same, but failures that were in flight together count once
  in_flight_limit INTEGER NOT NULL DEFAULT 1, -- attempts in flight: grows with each success, 1 after a failure
  resume_at INTEGER,                  -- open circuit breaker: no attempt before this time
  last_triggered_at INTEGER,          -- written with a change of health; `delivery_totals` has that of the last delivery
  created_at INTEGER NOT NULL,
  tag_keys TEXT,                      -- JSON array: `tags` as in the table `links`
  -- A listener (src/webhooks/listeners) is a row of this table without URL and host. The columns below are only its.
  listener_slot INTEGER,              -- its number in the account; NULL: a webhook
  expires_at INTEGER,                 -- when it is gone, unless it is polled before
  poll_id TEXT,                       -- the newest poll
  last_offset INTEGER NOT NULL DEFAULT 0, -- the `end_offset` of the newest event; only a trigger writes it
  shown_url TEXT,                     -- of a webhook: the URL without what may be secret, for the audit log
  -- As in api_keys: who created it, and who set the present URL.
  created_by_key TEXT,
  created_by_user TEXT,
  url_set_by_key TEXT,
  url_set_by_user TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_by_account ON webhooks (account_id, id);
CREATE INDEX webhooks_by_host ON webhooks (account_id, host);
CREATE UNIQUE INDEX webhooks_listeners ON webhooks (account_id, listener_slot) WHERE listener_slot IS NOT NULL;
CREATE INDEX webhooks_expiring ON webhooks (expires_at) WHERE expires_at IS NOT NULL;

-- The outbox: an event and its deliveries are written in the same transaction as the change that it reports, and only if a
-- webhook subscribes to it. Ids of events are in order of time, so retention needs no index.
CREATE TABLE deliveries (
  event_id TEXT NOT NULL,             -- sent as the header webhook-id, the same with every attempt
  webhook_id TEXT NOT NULL,
  type TEXT NOT NULL,                 -- the type of the event
  status TEXT NOT NULL CHECK (status IN ('sending', 'pending', 'delivered', 'failed', 'dropped')),
                                      -- `sending`: it is leased to a sender
  sending_until INTEGER,              -- the end of the lease
  due_at INTEGER,                     -- the time of the attempt; NULL: none follows, or it was stored with a lease for its first
  lease TEXT,                         -- only the holder of this lease may store a result
  step INTEGER NOT NULL DEFAULT 0,    -- failed attempts since the retry schedule started
  attempts TEXT NOT NULL DEFAULT '[]', -- JSON array of the newest attempts
  response_body TEXT,                 -- the beginning of the response to the last failed attempt; NULL without a response
  created_at INTEGER NOT NULL,        -- the time of the event
  body ANY,                           -- the exact body that is sent: a text, or a BLOB with the text compressed
                                      -- (src/platform/outbox/body.ts); NULL: it is in `event_bodies`, or the delivery was dropped
  PRIMARY KEY (event_id, webhook_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_status ON deliveries (status, webhook_id, type, event_id);

-- The bodies of events that several webhooks get.
CREATE TABLE event_bodies (
  event_id TEXT NOT NULL PRIMARY KEY,
  body ANY                            -- as in `deliveries`; NULL: every delivery of the event was dropped
) STRICT, WITHOUT ROWID;

-- The size of each webhook's delivery log, and its last success. Only the triggers below write it. A delivery that was
-- stored with a lease (`sending` without `due_at`) is counted once it has another status.
CREATE TABLE delivery_totals (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  kept INTEGER NOT NULL,              -- deliveries that were not dropped
  bytes INTEGER NOT NULL,             -- of the stored bodies of their events and responses
  dropped INTEGER NOT NULL DEFAULT 0, -- dropped deliveries
  last_delivered_at INTEGER,          -- the end of the last successful attempt of a stored delivery
  webhook_deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TRIGGER deliveries_insert AFTER INSERT ON deliveries WHEN NEW.status <> 'sending' BEGIN
  INSERT INTO delivery_totals (webhook_id, kept, bytes, last_delivered_at)
    VALUES (NEW.webhook_id, 1,
      coalesce(octet_length(NEW.body), (SELECT octet_length(body) FROM event_bodies WHERE event_id = NEW.event_id), 0)
        + coalesce(octet_length(NEW.response_body), 0),
      iif(NEW.status = 'delivered', (NEW.attempts ->> '$[0].at') + (NEW.attempts ->> '$[0].durationMs'), NULL))
    ON CONFLICT (webhook_id) DO UPDATE SET kept = kept + 1, bytes = bytes + excluded.bytes,
      last_delivered_at = coalesce(max(last_delivered_at, excluded.last_delivered_at), last_delivered_at,
        excluded.last_delivered_at);
END;

CREATE TRIGGER deliveries_sent AFTER UPDATE OF status ON deliveries
WHEN OLD.status = 'sending' AND OLD.due_at IS NULL AND NEW.status <> 'sending' BEGIN
  INSERT INTO delivery_totals (webhook_id, kept, bytes, last_delivered_at, webhook_deleted)
    VALUES (NEW.webhook_id, 1, coalesce(octet_length(NEW.body), 0) + coalesce(octet_length(NEW.response_body), 0),
      iif(NEW.status = 'delivered', (NEW.attempts ->> '$[0].at') + (NEW.attempts ->> '$[0].durationMs'), NULL),
      NOT EXISTS (SELECT 1 FROM webhooks WHERE id = NEW.webhook_id))
    ON CONFLICT (webhook_id) DO UPDATE SET kept = kept + 1, bytes = bytes + excluded.bytes,
      last_delivered_at = coalesce(max(last_delivered_at, excluded.last_delivered_at), last_delivered_at,
        excluded.last_delivered_at);
END;

CREATE TRIGGER deliveries_delivered AFTER UPDATE OF status ON deliveries
WHEN NEW.status = 'delivered' AND OLD.due_at IS NOT NULL BEGIN
  UPDATE delivery_totals SET last_delivered_at = max(coalesce(last_delivered_at, 0),
      (NEW.attempts ->> '$[0].at') + (NEW.attempts ->> '$[0].durationMs'))
    WHERE webhook_id = NEW.webhook_id;
END;

CREATE TRIGGER deliveries_dropped AFTER UPDATE OF status ON deliveries
WHEN NEW.status = 'dropped' AND OLD.status <> 'dropped' BEGIN
  UPDATE delivery_totals SET kept = kept - 1, dropped = dropped + 1,
    bytes = bytes - coalesce(octet_length(OLD.body), (SELECT octet_length(body) FROM event_bodies WHERE event_id = OLD.event_id), 0)
      - coalesce(octet_length(OLD.response_body), 0)
    WHERE webhook_id = NEW.webhook_id;
END;

CREATE TRIGGER deliveries_size AFTER UPDATE OF body, response_body ON deliveries
WHEN (OLD.status <> 'sending' OR OLD.due_at IS NOT NULL) AND NEW.status <> 'dropped' AND (octet_length(OLD.body) IS NOT octet_length(NEW.body)
  OR octet_length(OLD.response_body) IS NOT octet_length(NEW.response_body)) BEGIN
  UPDATE delivery_totals
    SET bytes = bytes + coalesce(octet_length(NEW.body), 0) - coalesce(octet_length(OLD.body), 0)
      + coalesce(octet_length(NEW.response_body), 0) - coalesce(octet_length(OLD.response_body), 0)
    WHERE webhook_id = NEW.webhook_id;
END;

-- Deliveries are deleted before the bodies of their events. The totals stay with the webhook.
CREATE TRIGGER deliveries_delete AFTER DELETE ON deliveries
WHEN OLD.status <> 'sending' OR OLD.due_at IS NOT NULL BEGIN
  UPDATE delivery_totals SET kept = kept - (OLD.status <> 'dropped'), dropped = dropped - (OLD.status = 'dropped'),
    bytes = bytes - iif(OLD.status = 'dropped', 0,
      coalesce(octet_length(OLD.body), (SELECT octet_length(body) FROM event_bodies WHERE event_id = OLD.event_id), 0)
        + coalesce(octet_length(OLD.response_body), 0))
    WHERE webhook_id = OLD.webhook_id;
  DELETE FROM delivery_totals WHERE webhook_id = OLD.webhook_id AND kept = 0 AND dropped = 0 AND webhook_deleted = 1;
END;

CREATE TRIGGER event_bodies_size AFTER UPDATE OF body ON event_bodies
WHEN octet_length(OLD.body) IS NOT octet_length(NEW.body) BEGIN
  UPDATE delivery_totals SET bytes = bytes + coalesce(octet_length(NEW.body), 0) - coalesce(octet_length(OLD.body), 0)
    WHERE webhook_id IN (SELECT webhook_id FROM deliveries WHERE event_id = NEW.event_id AND status <> 'dropped');
END;

CREATE TRIGGER webhooks_delete AFTER DELETE ON webhooks BEGIN
  UPDATE delivery_totals SET webhook_deleted = 1 WHERE webhook_id = OLD.id;
  DELETE FROM delivery_totals WHERE webhook_id = OLD.id AND kept = 0 AND dropped = 0;
END;

-- The click events of a queue batch for one webhook, until they are attempted (src/webhooks/store/waiting-clicks.ts).
CREATE TABLE waiting_clicks (
  webhook_id TEXT NOT NULL,
  id TEXT NOT NULL,                   -- in the order of arrival
  connections INTEGER NOT NULL,       -- the number of attempts in flight
  lease TEXT,                         -- of the sender that attempts them; NULL: the batch waits
  expires_at INTEGER NOT NULL,        -- the end of the lease, after which the batch waits again; 0: it waits
  clicks TEXT NOT NULL,               -- JSON array
  PRIMARY KEY (webhook_id, id)
) STRICT, WITHOUT ROWID;

-- The events of listeners, in the order of arrival (src/webhooks/listeners/store/events.ts).
CREATE TABLE listener_events (
  listener_id TEXT NOT NULL,
  end_offset INTEGER NOT NULL,        -- the bytes of all events of the listener up to this one
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  arrived_at INTEGER NOT NULL,
  PRIMARY KEY (listener_id, end_offset)
) STRICT, WITHOUT ROWID;

CREATE INDEX listener_events_by_age ON listener_events (arrived_at);

CREATE TRIGGER listener_events_insert AFTER INSERT ON listener_events BEGIN
  UPDATE webhooks SET last_offset = NEW.end_offset WHERE id = NEW.listener_id;
END;

-- The newest clicks delivered with the first attempt: one row for each webhook, written once a batch.
CREATE TABLE click_deliveries (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  entries TEXT NOT NULL               -- JSON array, newest first
) STRICT, WITHOUT ROWID;

-- The latest report on the parts of the service, one row. The cron writes it, the operator reads it (tools/scripts/health.ts).
CREATE TABLE health_reports (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  checked_at INTEGER NOT NULL,
  report TEXT NOT NULL                -- JSON object (src/access/health/contract.ts)
) STRICT;

-- The version that this script makes.
INSERT INTO schema_migrations (version) VALUES (3);
