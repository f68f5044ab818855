import { outboxStatements, type EventSource } from "../webhooks/outbox.ts";
import { sequenceOf } from "./id.ts";

/** The events of links (6.1). Their data is the link as the wire shows it, made by the database in the transaction that changes it. */

type LinkEventType = "link.create" | "link.update" | "link.delete" | "link.expired";

/** What makes a change's events: `id` is the event's, `baseUrl` the service's origin. */
export interface LinkEvent {
  id: string;
  now: number;
  baseUrl: string;
}

/** The statements that report a change of the account's link, if it has such a link at this point of the batch. */
export function linkEventStatements(
  db: D1Database,
  type: LinkEventType,
  link: { id: string; accountId: number },
  event: LinkEvent,
): D1PreparedStatement[] {
  const source: EventSource = {
    select: `${selectEvent(type, "?4", "links l")} WHERE l.seq = ?5 AND l.id = ?6 AND l.account_id = ?7`,
    parameters: [...commonParameters(event), event.id, sequenceOf(link.id), link.id, link.accountId],
    account: "?7",
  };
  return outboxStatements(db, source, event.id);
}

/** The parameters `?1` to `?3` of {@link selectEvent}. */
export function commonParameters({ now, baseUrl }: Pick<LinkEvent, "now" | "baseUrl">): (string | number)[] {
  const { origin, host } = new URL(baseUrl);
  return [now, origin, host];
}

/** `id` is SQL for the event's id, `from` names the links, as `l`. */
export function selectEvent(type: LinkEventType, id: string, from: string): string {
  return `SELECT ${id} AS id, l.account_id, '${type}' AS type, l.id AS link_id, l.tags AS link_tags,
    json_object('event', '${type}', 'timestamp', CAST(?1 AS INTEGER), 'data', ${LINK_JSON}) AS body, ?1 AS created_at
    FROM ${from}`;
}

// Tags stand between U+001F, which JSON would escape; DEL, which no tag can hold either, it leaves as it is.
const TAGS_JSON = `iif(l.tags = '', '[]', '[' || substr(
  replace(json_quote(replace(l.tags, char(31), char(127))), char(127), '","'), 4,
  length(replace(json_quote(replace(l.tags, char(31), char(127))), char(127), '","')) - 6) || ']')`;

/** What `toLink` makes of a row; a test holds the two together. */
const LINK_JSON = `json_object(
  'id', l.id, 'url', l.url, 'slug', l.slug,
  'domain', iif(l.domain = '', ?3, l.domain),
  'shortUrl', iif(l.domain = '', ?2, 'https://' || l.domain) || '/' || l.slug,
  'title', l.title, 'tags', json(${TAGS_JSON}),
  'status', iif(coalesce(l.expires_at <= ?1, 0) OR coalesce(l.max_clicks <= l.visits, 0), 'expired', 'active'),
  'expiresAt', l.expires_at, 'expiredUrl', l.expired_url, 'maxClicks', l.max_clicks,
  'hasPassword', json(iif(l.password_hash IS NULL, 'false', 'true')), 'ios', l.ios, 'android', l.android,
  'geo', json(coalesce(l.geo, '{}')), 'rules', json(coalesce(l.rules, '[]')), 'preview', json(coalesce(l.preview, 'null')),
  'redirectStatus', l.redirect_status, 'externalId', l.external_id,
  'clicks', l.clicks, 'lastClickedAt', nullif(l.last_clicked_at, 0), 'createdAt', l.created_at, 'updatedAt', l.updated_at)`;
