/**
 * SQL for what the service found at the URL of a link, as JSON; NULL if this URL was not visited. `link` is the prefix of the
 * link's columns: no column of the table has the name `id` or `url_hash`, so "" fits each statement.
 */
export function visitedDestination(link: "" | "l."): string {
  return `(SELECT json_object('state', iif(d.broken_since IS NULL, d.outcome, 'broken'), 'title', d.page_title,
    'icon', d.icon, 'host', d.final_host, 'status', d.response_status, 'checkedAt', d.checked_at,
    'brokenSince', d.broken_since)
    FROM destinations d WHERE d.link_id = ${link}id AND d.visited_hash = ${link}url_hash)`;
}
