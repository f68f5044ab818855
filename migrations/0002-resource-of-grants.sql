-- A grant will be for one resource: the API, or /mcp. The code that needs this comes later.
ALTER TABLE oauth_grants ADD COLUMN resource TEXT;

INSERT INTO schema_migrations (version) VALUES (2);
