-- What an installation of version 1 may hold, a row or more in each table. Later versions keep it; this file stays as it is.
INSERT INTO accounts (id, uuid, name, created_at) VALUES (1, '01a0c450-6c01-76fb-9c68-abc1a1295888', 'Ann', 1790000000000);
-- The key svc_sk_live_1111…, 64 times 1.
INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at) VALUES (
  '01a0c450-6c02-738b-929c-11e196017073', 1, 'First key', 'cd5bed9b572bdc506ba7d30071cfaaaf8ecb74fdf4ab58d4518419e9408db0e8', '1111',
  '["links:read","links:write"]', 1790000000000
);
-- One with the tag "sale", and one that belongs to nobody.
INSERT INTO links (seq, id, account_id, domain, slug, url, title, tags, status, redirect_status, clicks, created_at, updated_at) VALUES
  (3753902080000137868, '01a0c450-6c00-710d-918b-ac1c0b006fe2', 1, '', 'Poster', 'https://example.com/spring', 'Spring sale', char(31, 115, 97, 108, 101, 31), 'active', 302, 7, 1790000000000, 1790000000000),
  (3753902080000137868 + 1, '01a0c450-6c00-710d-918b-ac1c0b006fe3', NULL, '', 'nobodys', 'https://example.com/', NULL, '', 'active', 302, 0, 1790000000000, 1790000000000);
INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
  VALUES ('01a0c450-6c03-756b-9320-66c7185e06eb', 1, 'go.acme.example', 'token', 'pending', 1790000000000, 1790000000000);
INSERT INTO deleted_domains (account_id, domain) VALUES (1, 'old.acme.example');
INSERT INTO removed_hostnames (hostname, due_at) VALUES ('old.acme.example', 4102444800000);
INSERT INTO deleted_links (seq, id, account_id) VALUES (1, '01a0c450-6c04-71e1-a6a6-7c59b260b8e6', 1);
INSERT INTO idempotency_keys (account_id, key, fingerprint, resource_id, response, created_at)
  VALUES (1, 'order-1', 'fingerprint', '01a0c450-6c00-710d-918b-ac1c0b006fe2', '{}', 1790000000000);
INSERT INTO webhooks (id, account_id, url, events, secret, secret_start, status, created_at)
  VALUES ('01a0c450-6c05-7730-9857-4775d9c4bdb8', 1, 'https://hooks.example/', '["link.created"]', 'encrypted', 'whsec_ab', 'inactive', 1790000000000);
INSERT INTO events (id, type, body, webhooks, created_at)
  VALUES ('01a0c450-6c06-7730-9857-4775d9c4bdb8', 'link.created', '{}', '["01a0c450-6c05-7730-9857-4775d9c4bdb8"]', 1790000000000);
INSERT INTO deliveries (webhook_id, event_id, status) VALUES ('01a0c450-6c05-7730-9857-4775d9c4bdb8', '01a0c450-6c06-7730-9857-4775d9c4bdb8', 'delivered');
INSERT INTO webhook_slots (webhook_id, token, acquired_at, expires_at) VALUES ('01a0c450-6c05-7730-9857-4775d9c4bdb8', 'slot', 1790000000000, 1790000000000);
INSERT INTO click_deliveries (webhook_id, entries) VALUES ('01a0c450-6c05-7730-9857-4775d9c4bdb8', '[]');
