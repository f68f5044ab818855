import { newId } from "../../lib/uuid.ts";
import { outboxStatements, wokenBy } from "../../outbox/legacy.ts";
import { isVerifiedFor } from "../domain.ts";
import { commonParameters, numberedIds, selectEvent, type LinkEvent } from "./events.ts";

export interface Place {
  domain: string;
  slug: string;
}

/** The links of others, at these places (?1, or as told) of domains that are the account's now. */
const displaced = (places: string, account: string) =>
  `json_each(${places}) j
   CROSS JOIN links l INDEXED BY links_by_slug ON l.domain = j.value ->> 0 AND l.slug = j.value ->> 1
   WHERE l.account_id <> ${account} AND ${isVerifiedFor(account, "l.domain")}`;

export interface Displacement {
  /** For a batch, before the write that needs the places. */
  statements: D1PreparedStatement[];
  /** Whom to wake, from the results of these statements. */
  read: (results: readonly D1Result[]) => string[];
}

/**
 * Whoever takes over a domain finds the links of its last holder there, which answer nobody any more. These
 * statements delete those that are in the way of the account, and report it; none for the service's own domain.
 */
export function displaceStatements(
  db: D1Database,
  accountId: number | null,
  places: readonly Place[],
  { now, baseUrl }: Pick<LinkEvent, "now" | "baseUrl">,
): Displacement {
  const custom = new Map(
    places
      .filter(({ domain }) => domain !== "")
      .map(({ domain, slug }) => [`${domain}/${slug.toLowerCase()}`, [domain, slug]]),
  );
  if (custom.size === 0) return { statements: [], read: () => [] };
  const wanted = JSON.stringify([...custom.values()]);
  const ids = numberedIds(newId(now));
  const source = {
    select: selectEvent("link.delete", ids.at("j.key"), displaced("?4", "?5")),
    parameters: [...commonParameters({ now, baseUrl }), wanted, accountId],
  };
  const statements = [
    ...outboxStatements(db, source, ids),
    db
      .prepare(
        `INSERT INTO deleted_links (seq, id, account_id) SELECT l.seq, l.id, l.account_id FROM ${displaced("?1", "?2")}
         ON CONFLICT DO NOTHING`,
      )
      .bind(wanted, accountId),
    db.prepare(`DELETE FROM links WHERE seq IN (SELECT l.seq FROM ${displaced("?1", "?2")})`).bind(wanted, accountId),
  ];
  return { statements, read: ([, , owed]) => wokenBy(owed) };
}
