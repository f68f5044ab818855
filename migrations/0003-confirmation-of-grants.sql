-- How fresh the sign-in behind a grant is (RFC 9470). Grants of before have none, so what needs a fresh one asks for it.
ALTER TABLE oauth_grants ADD COLUMN confirmed_at INTEGER;

INSERT INTO schema_migrations (version) VALUES (3);
