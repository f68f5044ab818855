import { outboxStatements } from "../../outbox/legacy.ts";
import { type EventIds } from "../../outbox/statements.ts";
import { idsIn, isLink, sequenceOf } from "./sequence.ts";

/** The events of links (6.1). Their data is the link as the wire shows it, made by the database in the transaction that changes it. */

type LinkEventType = "link.create" | "link.update" | "link.delete" | "link.expired";

/** What makes a change's events: `id` is the event's, `baseUrl` the service's origin. */
export interface LinkEvent {
  id: string;
  now: number;
  baseUrl: string;
}

/** More SQL about a link, by the name of its table; `bound` takes what its parameters are bound to. */
export type Condition = (table: string, bound: (value: string | number) => string) => string;

const always: Condition = () => "true";

/** The statements that report a change of the account's link, if it has such a link at this point of the batch. */
export function linkEventStatements(
  db: D1Database,
  type: LinkEventType,
  link: { id: string; accountId: number },
  event: LinkEvent,
  condition = always,
): D1PreparedStatement[] {
  const parameters = [...commonParameters(event), event.id, sequenceOf(link.id), link.id, link.accountId];
  const more = condition("l", (value) => `?${parameters.push(value)}`);
  const select = `${selectEvent(type, "?4", "links l")} WHERE l.seq = ?5 AND l.id = ?6 AND l.account_id = ?7 AND ${more}`;
  return outboxStatements(db, { select, parameters, account: "?7" }, event.id);
}

/** The same for many links of the account, those of {@link toIdsJson}; their events are numbered. */
export function linkEventsStatements(
  db: D1Database,
  type: LinkEventType,
  links: { json: string; accountId: number },
  event: LinkEvent,
  condition = always,
): D1PreparedStatement[] {
  const ids = numberedIds(event.id);
  const parameters = [...commonParameters(event), links.json, links.accountId];
  const more = condition("l", (value) => `?${parameters.push(value)}`);
  const from = `${idsIn("?4")} CROSS JOIN links l ON ${isLink("l")}`;
  const select = `${selectEvent(type, ids.at("j.key"), from)} WHERE l.account_id = ?5 AND ${more}`;
  return outboxStatements(db, { select, parameters, account: "?5" }, ids);
}

/** The ids of events that come from one statement; `at` is SQL for the one of a number, up to 4,095. */
export function numberedIds(id: string): Exclude<EventIds, string> & { at(number: string): string } {
  // The last 12 bits count.
  const start = id.slice(0, -3);
  return { first: `${start}000`, last: `${start}fff`, at: (number) => `'${start}' || printf('%03x', ${number})` };
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
