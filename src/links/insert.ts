import { keepAnswer, notAnsweredYet, oldestKept, readAnswer, type Idempotency } from "../http/idempotency.ts";
import { batchWithRetry } from "../lib/d1.ts";
import { wokenBy } from "../webhooks/outbox.ts";
import { linkEventStatements, type LinkEvent } from "./events.ts";
import { sequenceOf } from "./id.ts";
import type { LinkRow } from "./row.ts";

export type InsertOutcome =
  | { outcome: "created"; webhookIds: string[] }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "id_taken" }
  | { outcome: "answered"; fingerprint: string; response: string };

/**
 * Stores a link, its event, and with `idempotency` the answer to it, in one transaction and one round trip. The
 * slug's owner is decided by the unique index, so it is one however many requests come at once; a
 * repeated write is recognised by the link's id.
 */
export async function insertLink(
  db: D1Database,
  link: LinkRow,
  answer: { idempotency: Idempotency; response: unknown } | null,
  event: LinkEvent,
): Promise<InsertOutcome> {
  const statements = [
    insertStatement(db, link, answer?.idempotency),
    db.prepare("SELECT id FROM links WHERE domain = ?1 AND slug = ?2").bind(link.domain, link.slug),
    db
      .prepare("SELECT id FROM links WHERE account_id = ?1 AND external_id = ?2")
      .bind(link.account_id, link.external_id),
  ];
  if (answer !== null) {
    const made = { id: link.id, key: sequenceOf(link.id), made: "SELECT 1 FROM links WHERE seq = ?7 AND id = ?4" };
    statements.push(
      keepAnswer(db, answer.idempotency, made, answer.response, link.created_at),
      readAnswer(db, answer.idempotency, link.created_at),
    );
  }
  const reported =
    link.account_id === null
      ? []
      : linkEventStatements(db, "link.create", { id: link.id, accountId: link.account_id }, event);
  const results = await batchWithRetry(db, [...statements, ...reported]);
  const [, atSlug, atExternalId] = results;
  const kept = answer === null ? undefined : results[4];
  const earlier = kept?.results[0] as { fingerprint: string; resource_id: string; response: string } | undefined;
  if (earlier !== undefined && earlier.resource_id !== link.id) return { outcome: "answered", ...earlier };
  if (atSlug?.results[0]?.["id"] === link.id) {
    return { outcome: "created", webhookIds: reported.length === 0 ? [] : wokenBy(results.at(-1)) };
  }
  if ((atExternalId?.results.length ?? 0) > 0) return { outcome: "external_id_taken" };
  return { outcome: (atSlug?.results.length ?? 0) > 0 ? "slug_taken" : "id_taken" };
}

function insertStatement(db: D1Database, link: LinkRow, idempotency: Idempotency | undefined): D1PreparedStatement {
  const columns = {
    seq: sequenceOf(link.id),
    id: link.id,
    account_id: link.account_id,
    domain: link.domain,
    slug: link.slug,
    url: link.url,
    title: link.title,
    tags: link.tags,
    status: "active",
    expires_at: link.expires_at,
    expired_url: link.expired_url,
    max_clicks: link.max_clicks,
    external_id: link.external_id,
    password_hash: link.password_hash,
    ios: link.ios,
    android: link.android,
    geo: link.geo,
    rules: link.rules,
    preview: link.preview,
    redirect_status: link.redirect_status,
    created_at: link.created_at,
    updated_at: link.updated_at,
  };
  const parameters: (string | number | null)[] = [];
  const bound = (value: string | number | null) => `?${parameters.push(value)}`;
  const values = Object.values(columns).map(bound).join(", ");
  const unanswered =
    idempotency === undefined
      ? "true"
      : notAnsweredYet(bound(idempotency.accountId), bound(idempotency.key), bound(oldestKept(link.created_at)));
  const names = Object.keys(columns).join(", ");
  return db
    .prepare(`INSERT INTO links (${names}) SELECT ${values} WHERE ${unanswered} ON CONFLICT DO NOTHING`)
    .bind(...parameters);
}
