/**
 * SQL for the takedowns that bear on rows of `links` and `domains` (docs/adr/0047-takedowns.md). The names of columns stand
 * without a table, so that the SQL fits each statement. Without a takedown it reads no row, because it looks only into an
 * index of takedowns in force, and at what the row of a link says of hosts.
 */

const imposedOn = (kind: "link" | "account" | "domain", target: string) =>
  `(SELECT t.imposed FROM takedowns t INDEXED BY takedowns_in_force
    WHERE t.kind = '${kind}' AND t.target = ${target} AND t.reversed_at IS NULL)`;

const OF_ACCOUNT = imposedOn("account", "CAST(account_id AS TEXT)");
const OF_DOMAIN = imposedOn("domain", "domain");

/** Of the hosts that the link led to when they were taken down. */
const OF_HOST = `iif(host_takedowns IS NULL, NULL, (SELECT t.imposed FROM json_each(host_takedowns) h
  CROSS JOIN takedowns t ON t.id = h.value WHERE t.reversed_at IS NULL LIMIT 1))`;

/** The packed verdict of a link, or that of a host that it led to and that is taken down: what lists of links filter by. */
export const listedVerdict = `coalesce(${OF_HOST}, verdict)`;

/** Holds for all links whose {@link listedVerdict} can be another than 0: those of the index `links_by_verdict`. */
export const mayHaveVerdict = "(verdict <> 0 OR host_takedowns IS NOT NULL)";

/** The packed verdict of a link's account, its domain or its destination's host if one is taken down, else NULL. */
export const imposedVerdict = `coalesce(${OF_ACCOUNT}, ${OF_DOMAIN}, ${OF_HOST})`;

/** The packed verdict that visitors of a link meet: an imposed one if there is one, else its own. */
export const effectiveVerdict = `coalesce(${OF_ACCOUNT}, ${OF_DOMAIN}, ${OF_HOST}, verdict)`;

/** Holds for a link `l` that is taken down itself. */
export const isLinkTakenDown = `(${imposedOn("link", "l.id")} IS NOT NULL)`;

/** Holds for a domain that is taken down, or whose account is. */
export const isTakenDown = `(coalesce(${OF_ACCOUNT}, ${OF_DOMAIN}) IS NOT NULL)`;
