// Counts the changes of the database that only the API makes.

/** Columns that only the API changes. Visits, counters, deliveries and lastUsedAt also change by themselves. */
const WATCHED = {
  links:
    "slug, aliases, url, title, tags, disabled, archived, expires_at, expired_url, max_clicks, external_id, redirect_status, pass_parameters, rules, geo, ios, android",
  api_keys: "name, permissions, expires_at, revoked_at",
  webhooks: "url, events, link_ids, tags, secret",
  utm_templates: "name, name_key, utm",
  notes: "at, text",
  domains: "domain, account_id, root_url, not_found_url, apple_app_site_association, asset_links",
  shared_pages: "link_id, tag, title, password_hash, show_destination",
  idempotency_keys: "response",
  users: "email, name, password_hash",
  sessions: "hash, user_id",
  accounts: "name, require_mfa, link_defaults",
  memberships: "role",
  invitations: "answered_by",
  oauth_grants: "scopes",
  passkeys: "name",
  totp_factors: "secret, confirmed_at",
  recovery_codes: "used_by",
};

export async function watchChanges(db: D1Database): Promise<void> {
  await db.prepare("CREATE TABLE changes (n INTEGER NOT NULL)").run();
  await db.prepare("INSERT INTO changes (n) VALUES (0)").run();
  for (const [table, columns] of Object.entries(WATCHED)) {
    for (const [index, action] of ["INSERT", "DELETE", `UPDATE OF ${columns}`].entries()) {
      await db
        .prepare(
          `CREATE TRIGGER watch_${table}_${index} AFTER ${action} ON ${table} BEGIN UPDATE changes SET n = n + 1; END`,
        )
        .run();
    }
  }
}

export async function countChanges(db: D1Database): Promise<number> {
  return (await db.prepare("SELECT n FROM changes").first<number>("n")) ?? 0;
}
