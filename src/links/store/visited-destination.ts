/** The columns of the table `destinations` that the API shows, as JSON. */
const FOUND = `json_object('outcome', d.outcome, 'title', d.page_title, 'icon', d.icon, 'host', d.final_host,
    'status', d.response_status, 'checkedAt', d.checked_at, 'brokenSince', d.broken_since)`;

/** What a visit found, as the API shows it. */
export function toDestination(visit: string | null): object | null {
  if (visit === null) return null;
  const { outcome, title, icon, host, status, checkedAt, brokenSince } = JSON.parse(visit) as Record<string, unknown>;
  return { state: brokenSince === null ? outcome : "broken", title, icon, host, status, checkedAt, brokenSince };
}

/**
 * SQL for what the service found at the URL of a link, as JSON; NULL if this URL was not visited. No column of the table has the name
 * `id` or `url_hash`, so it fits each statement.
 */
export const VISITED_DESTINATION = `(SELECT ${FOUND} FROM destinations d WHERE d.link_id = id AND d.visited_hash = url_hash)`;

/** SQL for what was found at the URL that the link `l` had when it was visited, with the hash of this URL. NULL: not visited. */
export const LAST_VISIT = `(SELECT json_object('hash', d.visited_hash, 'found', ${FOUND})
  FROM destinations d WHERE d.link_id = l.id AND d.visited_hash IS NOT NULL)`;

/** {@link VISITED_DESTINATION} of a link with this URL, from its {@link LAST_VISIT}. */
export function foundAt(urlHash: number, lastVisit: string | null): string | null {
  const { hash, found } = JSON.parse(lastVisit ?? "{}") as { hash?: number; found?: object };
  return hash === urlHash ? JSON.stringify(found) : null;
}
