/** The columns of the table `destinations` that the API shows, as JSON. */
const FOUND = `json_object('state', iif(d.broken_since IS NULL, d.outcome, 'broken'), 'title', d.page_title,
    'icon', d.icon, 'host', d.final_host, 'status', d.response_status, 'checkedAt', d.checked_at,
    'brokenSince', d.broken_since)`;

/**
 * SQL for what the service found at the URL of a link, as JSON; NULL if this URL was not visited. `link` is the prefix of the
 * link's columns: no column of the table has the name `id` or `url_hash`, so "" fits each statement.
 */
export function visitedDestination(link: "" | "l."): string {
  return `(SELECT ${FOUND} FROM destinations d WHERE d.link_id = ${link}id AND d.visited_hash = ${link}url_hash)`;
}

/** SQL for what was found at the URL that the link `l` had when it was visited, with the hash of this URL. NULL: not visited. */
export const LAST_VISIT = `(SELECT json_object('hash', d.visited_hash, 'found', ${FOUND})
  FROM destinations d WHERE d.link_id = l.id AND d.visited_hash IS NOT NULL)`;

/** {@link visitedDestination} of a link with this URL, from its {@link LAST_VISIT}. */
export function foundAt(urlHash: number, lastVisit: string | null): string | null {
  const { hash, found } = JSON.parse(lastVisit ?? "{}") as { hash?: number; found?: object };
  return hash === urlHash ? JSON.stringify(found) : null;
}
